//go:build nettplay_faults

package air

/*
#cgo CFLAGS: -DNP_FAULTS
#include "air.h"
*/
import "C"

// Faults are ways to make a schedule wrong on purpose.
type Faults struct {
	Break Break
}

// A Break is a fault of a schedule.
type Break uint16

// The schedules that are wrong on purpose.
const (
	BreakEarly Break = C.NP_BREAK_EARLY // decide while somebody runs
	BreakOrder Break = C.NP_BREAK_ORDER // packets in the order in which consoles arrive
)

func (f Faults) set(st *state) { st.broken = C.uint16_t(f.Break) }
