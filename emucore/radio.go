package emucore

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/internal/air"
)

// noHost is NP_AIR_NO_HOST: a console that is in nobody's game.
const noHost = 255

// A Radio is a console's place on an air.
//
// The owner of the Air plugs the seat in ([air.Air.Plug], or Restore) at a stop,
// before the console's first Step from there. When the worker of a console that
// has made a step is gone, however that came, the Air is told so ([air.Air.Dead])
// before Close, or the failed Step, returns. So close the old console of a seat
// before its new one is plugged in. A console that never made a step is nothing
// to the air.
//
// A core without local wireless may have a Radio, too: it is silent.
type Radio struct {
	Air  *air.Air
	Seat ds.Seat // 0 to 15; also the console's client id in the core
}

// An antenna is the parent's end of a console's radio. A nil one is none.
type antenna struct {
	radio Radio

	mu           sync.Mutex
	used, gone   bool // a step has been asked for; the worker is no more
	disconnected bool
}

func newAntenna(r *Radio) (*antenna, error) {
	switch {
	case r == nil:
		return nil, nil
	case r.Air == nil:
		return nil, errors.New("a radio without an air")
	case r.Seat < 0 || r.Seat >= ds.MaxSeats:
		return nil, fmt.Errorf("a radio at seat %v", r.Seat)
	}
	return &antenna{radio: *r}, nil
}

// file is for the worker.
func (a *antenna) file() *os.File {
	if a == nil {
		return nil
	}
	return a.radio.Air.File()
}

// use notes that the worker is going to meet others on the air.
func (a *antenna) use() { a.note(true, false) }

// reaped notes that the worker is gone.
func (a *antenna) reaped() { a.note(false, true) }

// note takes a dead worker that was on the air off it, once.
func (a *antenna) note(used, gone bool) {
	if a == nil {
		return
	}
	a.mu.Lock()
	a.used, a.gone = a.used || used, a.gone || gone
	now := a.used && a.gone && !a.disconnected
	a.disconnected = a.disconnected || now
	a.mu.Unlock()
	if now {
		_ = a.radio.Air.Dead(a.radio.Seat) // is not forgotten if another one has the lock
	}
}

// follows takes the place of an antenna whose worker stands between two frames and will be ended: to the air the
// console is the same.
func (a *antenna) follows(old *antenna) {
	if a == nil || old == nil {
		return
	}
	old.mu.Lock()
	used := old.used
	old.disconnected = true
	old.mu.Unlock()
	a.note(used, false)
}

// waits reports whether the worker stands and waits for others, so that it is no
// wonder if it says nothing.
func (a *antenna) waits() bool {
	if a == nil {
		return false
	}
	st, err := a.radio.Air.Status()
	if err != nil {
		var h *air.HeldError
		return errors.As(err, &h) && h.Seat != a.radio.Seat // who has the lock hangs, and is ended for that
	}
	return st.Consoles[a.radio.Seat].Stopped
}
