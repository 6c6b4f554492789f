package emucore

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/internal/air"
)

// noHost is NP_AIR_NO_HOST: the console is in no game.
const noHost = 255

// A Radio is a console's place on an air.
//
// The owner of the Air plugs the seat in ([air.Air.Plug], or Restore) at a stop,
// before the console's first Step from there. When the worker of a console that
// has made a step ends, for whatever reason, the Air is told ([air.Air.Dead])
// before Close, or the failed Step, returns. So close a seat's old console
// before plugging in its new one. A console that never made a step does not
// exist for the air.
//
// A core without local wireless may have a Radio, too; it stays silent.
type Radio struct {
	Air  *air.Air
	Seat ds.Seat // 0 to 15; also the console's client id in the core
}

// An antenna is the parent's end of a console's radio. A nil antenna stands for no radio.
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

// file returns the file to hand to the worker.
func (a *antenna) file() *os.File {
	if a == nil {
		return nil
	}
	return a.radio.Air.File()
}

// use notes that the worker is about to run on the air.
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

// follows replaces an antenna whose worker is between two frames and will be ended: for the air it remains the
// same console.
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

// waits reports whether the worker is waiting for other consoles, so that its
// silence is no sign of a hang.
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
