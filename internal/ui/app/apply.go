package app

import (
	"reflect"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/language"
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

// windowSize returns the size of a new window in points, where the display has room for it: a console, and room for
// those of others, and for the chat beside a lobby. The usual one goes into a display of 1366x768 with its frame, as
// long as pixels need not be whole.
func windowSize(cfg config.Config) (width, height int) {
	switch scale := cfg.Video.Scale; {
	case scale <= 1:
		return screen.Wide + 60, 560
	case scale == 2 && !cfg.Video.Integer:
		return 1120, 720
	default:
		return max(256*scale+180, 1120), 384 * scale
	}
}

// speak has the window speak the language of the settings.
func (p *program) speak() {
	to, err := language.Open(language.Choose(p.shell.Config.Video.Language))
	if err != nil { // of a catalogue that is compiled in: English stays
		p.shell.Say(screen.Sentence(err.Error()))
	}
	p.ui.SetLanguage(to)
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
	if now.settings.Video.Language != p.applied.settings.Video.Language {
		p.speak()
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
