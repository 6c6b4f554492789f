//go:build nettplay_faults

package air

/*
#cgo CFLAGS: -DNP_FAULTS
#include "air.h"
*/
import "C"

import "github.com/nettplay/nettplay/internal/ds"

// Faults are ways to make a schedule wrong on purpose.
type Faults struct {
	Break Break
	Death Death
}

// A Break is a fault of a schedule.
type Break uint16

// The schedules that are wrong on purpose.
const (
	BreakEarly Break = C.NP_BREAK_EARLY // decide while somebody runs
	BreakOrder Break = C.NP_BREAK_ORDER // packets in the order in which consoles arrive
)

// A Death is that of a worker that has the lock. The zero value is none.
type Death struct {
	Where Where
	Seat  ds.Seat
	Frame int64 // it dies at the first operation of its radio in this frame, or at its end
}

// Where says what the worker has done.
type Where uint32

// The worst moments.
const (
	DeathLocked    Where = C.NP_DEATH_LOCKED    // nothing yet
	DeathDecided   Where = C.NP_DEATH_DECIDED   // packets and answers are written, the state is not
	DeathCommitted Where = C.NP_DEATH_COMMITTED // the state is, but nobody may run yet
	DeathOpened    Where = C.NP_DEATH_OPENED    // all may run, and nobody was called
	DeathStuck     Where = C.NP_DEATH_STUCK     // nothing, and it is not dead, but never goes on
)

func (f Faults) set(a *Air, st *state) {
	st.broken = C.uint16_t(f.Break)
	a.in.kill(f.Death)
}

func (s shared) kill(d Death) {
	s.air.death.frame, s.air.death.seat = C.int64_t(d.Frame), C.uint32_t(d.Seat)
	s.air.death.where = C.uint32_t(d.Where)
}

// Kill has a worker die while it has the lock. It is to be said before that frame begins.
func (a *Air) Kill(d Death) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.mem != nil {
		a.in.kill(d)
	}
}
