package game

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
)

// lateFrame is the time our own console may be in a frame before we look which machine it
// waits for on the air.
const lateFrame = 50 * time.Millisecond

// maxLag is the number of frames a machine may be behind the game host's clock before that
// waits: 6.4 s. Queues and windows hold 512 frames; this leaves room for the longest input
// delay.
const maxLag = 384

// Stalls are the times when this machine's own console stood still because of another
// machine.
type Stalls struct {
	Count int64   `json:"count"`
	MS    float64 `json:"ms"`
}

// stall is the wait of our own console for others.
type stall struct {
	waiting []int // machines that it waits for
	since   time.Time
	total   Stalls
}

// block notes which machines our own console waits for and counts the stalls. It tells
// whether there are any.
func (w *stall) block(behind []int, now time.Time) bool {
	switch {
	case len(behind) > 0 && len(w.waiting) == 0:
		w.since = now
		w.total.Count++
	case len(behind) == 0 && len(w.waiting) > 0:
		w.total.MS += float64(now.Sub(w.since)) / float64(time.Millisecond)
	}
	w.waiting = behind
	return len(behind) > 0
}

// Stalls are those of the game so far.
func (g *Game) Stalls() Stalls { return g.stall.total }

// Waiting are the players that our own console waits for, and for how long; none: it does
// not wait.
func (g *Game) Waiting(now time.Time) (names []string, since time.Duration) {
	if len(g.stall.waiting) == 0 {
		return nil, 0
	}
	return g.names(g.stall.waiting), now.Sub(g.stall.since)
}

// HoldsUp is the machine without which nobody gets further: the one whose input is lacking for
// the lowest frame, but for those that rightly wait for another one, or else the one that is
// furthest behind.
func (g *Game) HoldsUp() (machine int, ok bool) {
	if g.feed.clock.on {
		for _, m := range g.lagging() {
			return m, true
		}
	}
	lowest := int64(Never)
	for _, s := range g.seats {
		if s.mine || s.busy || s.closed || s.frame >= s.end || s.frame >= lowest || !g.allowed(s.frame) || g.waits(s) {
			continue
		}
		if _, here := s.queue.At(s.frame); !here {
			machine, lowest = s.owner, s.frame
		}
	}
	if lowest < Never {
		return machine, true
	}
	machine, _, ok = g.feed.pressure.Slowest()
	return machine, ok
}

// waits reports whether the owner of a seat waits for a machine that is too far behind, this one
// or another.
func (g *Game) waits(s *seat) bool {
	next := s.frame - int64(g.Delay()) // of the owner's own console
	return next-g.Slowest() > ds.MaxBehind+g.slack() ||
		slices.ContainsFunc(g.feed.pressure.Behind(next-g.slack()), func(m int) bool { return m != s.owner })
}

// stalledOnAir notes which machines our own console waits for in the middle of a frame: over
// the radio it waits for consoles whose input is not here.
func (g *Game) stalledOnAir(now time.Time) {
	if g.radio == nil {
		return
	}
	for _, s := range g.seats {
		if s.mine && s.busy && now.Sub(s.since) > lateFrame {
			if waits := g.awaited(s.frame); len(waits) > 0 && len(g.stall.waiting) == 0 {
				g.stall.block(waits, now)
			}
			return
		}
	}
}

// awaited are the machines without whose input a console does not get beyond a frame.
func (g *Game) awaited(frame int64) []int {
	var list []int
	for _, s := range g.seats {
		if s.mine || s.busy || s.closed || s.frame > frame || s.frame >= s.end || !g.allowed(s.frame) {
			continue
		}
		if _, ok := s.queue.At(s.frame); !ok && !slices.Contains(list, g.source(s)) {
			list = append(list, g.source(s))
		}
	}
	return list
}

// OnAir are the seats whose radio is in use; nil where the core has none.
func (g *Game) OnAir() []ds.Seat { return g.radio.using() }

// lagging are the machines for which the game host's clock waits: without a rate to keep to,
// as in lockstep; else when a machine is so far behind that inputs could not be kept for it.
func (g *Game) lagging() (list []int) {
	if g.pace.unlimited {
		return g.feed.pressure.Behind(g.begun)
	}
	for _, f := range g.feed.pressure.Frames() {
		if _, frames := g.feed.out.Backlog(f.Machine); g.begun-f.Frame > maxLag || frames > maxLag {
			list = append(list, f.Machine)
		}
	}
	return list
}
