package app

import (
	"fmt"
	"time"

	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
	"github.com/nettplay/nettplay/internal/ui/window"
)

// pace has pictures of consoles painted when it suits the display: see [window.Pace].
type pace struct {
	window.Pace
	start time.Time // from which times count
}

// now is the time since the first call.
func (p *pace) now() time.Duration {
	if p.start.IsZero() {
		p.start = time.Now()
	}
	return time.Since(p.start)
}

// keep has the next picture keep the consoles' frames that wait to be shown, where it is too late for
// others, and tells so.
func (p *program) keep() bool {
	kept := p.consoles() && p.pace.Keeps(p.pace.now())
	p.hub.view.Keep(kept)
	return kept
}

// consoles reports whether the window shows consoles that run.
func (p *program) consoles() bool {
	return p.shell.Current == screen.Playing || p.shell.Current == screen.Watching
}

// showInTime shows a picture, or tells for how long it is not to be shown yet.
func (p *program) showInTime(out widgets.Output) (held time.Duration, err error) {
	began := p.pace.now()
	if p.consoles() {
		p.pace.Display(p.window.Refresh())
		if held = p.pace.Wait(began, p.hub.view.Fresh()); held > 0 {
			return held, nil
		}
	}
	if err := p.show(out); err != nil {
		return 0, err
	}
	p.hub.view.Shown()
	p.pace.Shown(began, p.window.Presented().Sub(p.pace.start), p.pace.now())
	return 0, nil
}

// maxUnseen is the number of pictures in a row that may fail to be drawn. One is no reason to end a
// game: a display may be away for a moment.
const maxUnseen = 120

// show shows a picture.
func (p *program) show(out widgets.Output) error {
	err := p.window.Show(out)
	if err == nil {
		p.unseen = 0
		return nil
	}
	if p.unseen++; p.unseen > maxUnseen {
		return fmt.Errorf("drawing the window: %w", err)
	}
	return nil
}
