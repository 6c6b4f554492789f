package game

import (
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/mirror"
)

// A Meter is told when frames were due, began and were done, and when inputs arrived. It decides
// nothing. Its methods are called on the game's goroutine and must not block.
type Meter interface {
	// Begun tells that the frame of our own consoles begins now, which was due by the pacer at
	// due, with an input delay in frames. Inputs of the other seats for this frame are late that
	// arrive after due.
	Begun(frame int64, due, now time.Time, delay int)
	// Arrived tells that the input of another machine's seat for a frame is here, once for each.
	Arrived(seat ds.Seat, frame int64, now time.Time)
	// Shown tells that a console has done a frame: from now on its picture can be shown.
	Shown(seat ds.Seat, frame int64, at time.Time)
}

// meterBegin tells the meter that a local frame begins.
func (g *Game) meterBegin(frame int64, now time.Time) {
	if g.meter != nil {
		g.meter.Begun(frame, g.pace.dueAt(now), now, g.Delay())
	}
}

// meterArrivals tells the meter of inputs that have just arrived. In clocked play those of our own
// seats do, too, stamped: no other machine's players are waited for with them.
func (g *Game) meterArrivals(now time.Time, fresh []mirror.SeatFrame) {
	if g.meter == nil {
		return
	}
	for _, f := range fresh {
		if s := g.seat(f.Seat); s == nil || s.mine {
			continue
		}
		g.meter.Arrived(f.Seat, f.Frame, now)
	}
}
