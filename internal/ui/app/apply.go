package app

import (
	"reflect"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/sound"
)

// applied are the settings as the window has them.
type applied struct {
	scale      float64
	fullscreen bool
	keys       keySettings
	pads       config.Pads
	sounds     bool // their list is shown
	vsync      bool
	window     int // video.scale
	video      config.Video
	audio      config.Audio
	title      string
}

// keySettings are those of the keyboard.
type keySettings struct {
	first, second config.Buttons
	hotkeys       config.Hotkeys
}

// windowSize returns the size of the window in points: a console, and room for the others'.
func windowSize(cfg config.Config) (width, height int) {
	return max(256*cfg.Video.Scale+180, 760), max(384*cfg.Video.Scale, 560)
}

// wanted are the settings that the window is to have.
func (p *program) wanted() applied {
	cfg := p.shell.Config
	return applied{
		sounds: p.shell.Current == screen.Settings, vsync: cfg.Video.VSync, window: cfg.Video.Scale, scale: cfg.Video.UIScale, fullscreen: p.fullscreen(),
		keys: keySettings{cfg.Keys, cfg.Keys2, cfg.Hotkeys}, video: cfg.Video, audio: cfg.Audio, pads: cfg.Pads, title: p.shell.title(),
	}
}

// fullscreen tells whether the window is to fill the display.
func (p *program) fullscreen() bool { return p.full || p.shell.Config.Video.Fullscreen }

// apply gives the window what has changed in the settings.
func (p *program) apply() {
	now := p.wanted()
	if reflect.DeepEqual(now, p.applied) {
		return
	}
	cfg := p.shell.Config
	if now.title != p.applied.title {
		p.window.SetTitle(now.title)
	}
	if now.scale != p.applied.scale {
		p.window.SetScale(now.scale)
	}
	if now.fullscreen != p.applied.fullscreen {
		if err := p.window.SetFullScreen(now.fullscreen); err != nil {
			p.shell.Say(screen.Sentence(err.Error()))
		}
	}
	if now.vsync != p.applied.vsync {
		p.window.SetVSync(now.vsync)
	}
	if now.window != p.applied.window && !now.fullscreen {
		p.window.SetSize(windowSize(cfg))
	}
	if now.sounds && !p.applied.sounds {
		p.shell.settings.Sounds = sound.Devices()
	}
	p.hub.configure(p.applied, now, cfg)
	p.applied = now
}
