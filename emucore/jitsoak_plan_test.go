package emucore

import (
	"fmt"
	"math/rand/v2"
)

// A soakCase is one game of the JIT soak. Everything about it follows from its fields.
type soakCase struct {
	rom      string
	consoles int // at its end
	seed     uint64
	frames   int64
}

func (c soakCase) String() string {
	return fmt.Sprintf("%s, %d consoles, seed %d, %d frames", c.rom, c.consoles, c.seed, c.frames)
}

// Events between two stretches of a case.
const (
	soakGoesOn = iota // hashes are compared
	soakResync        // all consoles are built anew from one machine's states
	soakJoin          // so, and another console comes in
)

// A soakStop is a frame at which all consoles of a case stand, and what happens there.
type soakStop struct {
	frame  int64
	event  int
	donor  int // the machine whose states are loaded
	joined int // consoles from here on
}

// A soakPlan is what becomes of a case.
type soakPlan struct {
	first int // consoles that begin
	stops []soakStop
	skew  int
	// Every other case is played again, from the start or from where consoles were built anew.
	replay uint64
}

// plan draws stretches of 60 to 900 frames, a resync at about every third stop, and late joins.
func (c soakCase) plan() soakPlan {
	r := rand.New(rand.NewPCG(c.seed, uint64(c.consoles)))
	p := soakPlan{first: 1 + r.IntN(c.consoles), skew: r.IntN(3), replay: r.Uint64()}
	on := p.first
	for at := int64(0); at < c.frames; {
		at = min(at+60+r.Int64N(841), c.frames)
		s := soakStop{frame: at, donor: r.IntN(2), joined: on}
		switch dice := r.IntN(6); {
		case at == c.frames:
		case dice < 2:
			s.event = soakResync
		case on < c.consoles && (dice == 2 || c.frames-at < c.frames/2):
			s.event, on = soakJoin, on+1
			s.joined = on
		}
		p.stops = append(p.stops, s)
	}
	return p
}
