package session

import (
	"slices"
	"time"
)

// lateFrame is how long our own console may be in a frame before we look whom it
// waits for on the air.
const lateFrame = 50 * time.Millisecond

// blocked notes whom our own console waits for and counts the stalls.
func (g *game) blocked(behind []int, now time.Time) bool {
	switch {
	case len(behind) > 0 && len(g.waiting) == 0:
		g.since = now
		g.stalls.Count++
	case len(behind) == 0 && len(g.waiting) > 0:
		g.stalls.MS += float64(now.Sub(g.since)) / float64(time.Millisecond)
	}
	g.waiting = behind
	return len(behind) > 0
}

// starved notes whom our own console waits for in the middle of a frame: over the
// radio it waits for consoles whose input is not here.
func (g *game) starved(now time.Time) {
	if g.radio == nil {
		return
	}
	for _, s := range g.seats {
		if s.mine && s.busy && now.Sub(s.since) > lateFrame {
			if waits := g.starving(s.frame); len(waits) > 0 && len(g.waiting) == 0 {
				g.blocked(waits, now)
			}
			return
		}
	}
}

// starving are the machines without whose input a console does not get beyond
// a frame.
func (g *game) starving(frame int64) []int {
	var list []int
	for _, s := range g.seats {
		if s.mine || s.busy || s.closed || s.frame > frame || s.frame >= s.end || !g.allowed(s.frame) {
			continue
		}
		if _, ok := s.line.At(s.frame); !ok && !slices.Contains(list, s.owner) {
			list = append(list, s.owner)
		}
	}
	return list
}
