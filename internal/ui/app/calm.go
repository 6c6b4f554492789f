package app

import (
	"time"

	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// calm keeps presses that were meant for a game from the lobby in which it ends: keys and buttons do nothing there until
// none was pressed for a moment, but no longer than a player waits who means it. The mouse works at once.
type calm struct{ from, until time.Duration } // of Input.Now; the same: nothing is kept

const (
	calmFor  = 500 * time.Millisecond // without a press
	calmMost = 2 * time.Second
)

// begin keeps presses from now on.
func (c *calm) begin(now time.Duration) { *c = calm{from: now, until: now + calmFor} }

// on tells whether presses do nothing.
func (c *calm) on() bool { return c.from != c.until }

// keep takes what was pressed from the picture that is to be built.
func (c *calm) keep(u *widgets.UI) {
	in := u.Input()
	if !c.on() {
		return
	}
	if in.Now >= c.until {
		*c = calm{}
		return
	}
	if in.Press.Key != 0 || in.Nav != widgets.NoNav {
		c.until = min(in.Now+calmFor, c.from+calmMost)
	}
	u.Grab()
	u.Wake(c.until - in.Now)
}
