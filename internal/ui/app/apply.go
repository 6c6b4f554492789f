package app

import (
	"reflect"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/sound"
)

// applied are the settings as the window has them, and what else it shows by them.
type applied struct {
	settings   config.Config
	fullscreen bool
	sounds     bool // their list is shown
	silent     bool // no device plays sound
	title      string
}

// windowSize returns the size of the window in points: a console, and room for the others'.
func windowSize(cfg config.Config) (width, height int) {
	return max(256*cfg.Video.Scale+180, 760), max(384*cfg.Video.Scale, 560)
}

// wanted are the settings that the window is to have.
func (p *program) wanted() applied {
	return applied{p.shell.Config, p.fullscreen(), p.shell.Current == screen.Settings, p.shell.NoSound, p.shell.title()}
}

// fullscreen tells whether the window is to fill the display.
func (p *program) fullscreen() bool { return p.full || p.shell.Config.Video.Fullscreen }

// apply gives the window what has changed in the settings.
func (p *program) apply() {
	now := p.wanted()
	if reflect.DeepEqual(now, p.applied) {
		return
	}
	video, before := now.settings.Video, p.applied.settings.Video
	if now.title != p.applied.title {
		p.window.SetTitle(now.title)
	}
	if video.UIScale != before.UIScale {
		p.window.SetScale(video.UIScale)
	}
	if now.fullscreen != p.applied.fullscreen {
		if err := p.window.SetFullScreen(now.fullscreen); err != nil {
			p.shell.Say(screen.Sentence(err.Error()))
		}
	}
	if video.VSync != before.VSync {
		p.window.SetVSync(video.VSync)
	}
	if video.Scale != before.Scale && !now.fullscreen {
		p.window.SetSize(windowSize(now.settings))
	}
	if now.sounds && (!p.applied.sounds || now.silent != p.applied.silent) {
		p.shell.settings.Sounds = sound.Devices()
	}
	p.hub.configure(p.applied.settings, now.settings)
	p.applied = now
}
