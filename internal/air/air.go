package air

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/nettplay/nettplay/internal/ds"
)

// Errors for callers to match.
var (
	// ErrClosed: the air has been closed.
	ErrClosed = errors.New("air: closed")
	// ErrNotStopped: this is possible only while all consoles stand at the
	// frame of [Air.StopAt], or of a snapshot.
	ErrNotStopped = errors.New("air: not all consoles stand at the stop")
	// ErrTooLate: a console may already have begun that frame.
	ErrTooLate = errors.New("air: that frame has already begun")
)

// HeldError says that a worker has held the lock for seconds instead of
// microseconds: it is stopped, hostile, or dead without a call of [Air.Dead],
// and [Config.Held] has not helped. Once it is killed and reported, the air goes on.
type HeldError struct {
	Seat ds.Seat // whose worker; ds.MaxSeats if what stands there makes no sense
}

// Error implements error.
func (e *HeldError) Error() string {
	return fmt.Sprintf("air: locked by the worker of seat %v", e.Seat)
}

// Config sets how consoles are coupled.
type Config struct {
	Skew   int   // how many frames a console may run ahead of one that waits for it, 0 to 16
	Serial bool  // one console at a time, in each round; the trace is the same
	Frame  int64 // the frame at which all consoles begin
	// Plain: no grants and no leaves, so consoles wait for each other where they
	// could pass time at once. For measuring: rounds have other numbers, packets
	// and consoles are the same in a healthy game.
	Plain bool
	// Held is called when the worker of a seat has kept the lock for seconds: no console can go on
	// until it is killed, and [Air.Dead] said, for which the method that found it waits some more
	// before it fails with a [HeldError]. Held must not wait for any of that, nor call the Air.
	// Nil if nobody can kill it.
	Held   func(seat ds.Seat)
	Faults // to see tests fail; nothing without -tags nettplay_faults
}

// Air is the parent's end of the air: it owns the shared memory in which the
// workers meet. Its methods may be called from any goroutine. None of them
// waits for a console.
type Air struct {
	file  *os.File
	calls callers
	skew  int
	plain bool
	held  func(ds.Seat) // may be nil
	gone  burials       // workers that are dead; known before mu is, since who has that may wait for them

	mu     sync.Mutex // guards the fields below
	mem    []byte     // nil once closed
	in     shared
	next   uint64 // the next record of the trace to be read
	buf    recordBuffer
	work   state               // the copy that look and change work on
	locals [ds.MaxSeats]*Local // consoles of this process, by seat
	// The stop is where a snapshot was restored, so it makes nobody forget anything.
	snapshot bool
}

// New returns an air without consoles, stopped at cfg.Frame. Plug the
// consoles in, then call [Air.Resume].
func New(cfg Config) (*Air, error) {
	if cfg.Skew < 0 || cfg.Skew > skewMax {
		return nil, fmt.Errorf("air: skew of %d frames (0 to %d are possible)", cfg.Skew, skewMax)
	}
	if cfg.Frame < 0 || cfg.Frame > frameMax {
		return nil, fmt.Errorf("air: first frame %d", cfg.Frame)
	}
	file, mem, err := SharedMemory("nettplay-air", sharedSize)
	if err != nil {
		return nil, fmt.Errorf("air: shared memory: %w", err)
	}
	calls, err := newCallers(mem)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("air: %w", err), Release(mem), file.Close())
	}
	a := &Air{file: file, calls: calls, skew: cfg.Skew, plain: cfg.Plain, held: cfg.Held, mem: mem, in: sharedAt(mem)}
	a.in.setSerial(cfg.Serial)
	err = a.change(func(st *state) error {
		st.skew = cUint32(cfg.Skew)
		cfg.Faults.set(a, st)
		if cfg.Plain {
			st.plain = 1
		}
		st.open, st.stop = cInt64(frameMax), cInt64(cfg.Frame)
		return nil
	})
	if err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

// File returns the shared memory, to hand to workers at their start. The Air owns it.
func (a *Air) File() *os.File { return a.file }

// Close releases the memory. Workers keep their own mapping of it, so close
// them first, or they may wait forever.
func (a *Air) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.mem == nil {
		return nil
	}
	err := errors.Join(a.calls.close(), Release(a.mem), a.file.Close())
	a.mem, a.in = nil, shared{}
	return err
}

// Plug brings a new console into the room. It is off the air, at the frame of
// the stop, and must not have begun it. It needs the stop ([ErrNotStopped]).
func (a *Air) Plug(seat ds.Seat) error {
	return a.settled(func(st *state) error {
		c, err := at(st, seat)
		if err != nil {
			return err
		}
		if c.where != cUint8(absent) {
			return fmt.Errorf("air: seat %v is taken", seat)
		}
		a.gone.remove(seat)
		c.where, c.frame = cUint8(off), st.stop
		c.head, c.tail, c.merged = 0, 0, cUint32(int(a.in.sent(seat)))
		return nil
	})
}

// Unplug takes a console out of the room, with all packets for it. It needs the
// stop ([ErrNotStopped]).
func (a *Air) Unplug(seat ds.Seat) error {
	return a.settled(func(st *state) error {
		c, err := at(st, seat)
		if err != nil {
			return err
		}
		c.where, c.at, c.head, c.tail = cUint8(absent), 0, 0, 0
		return nil
	})
}

// Dead removes a console whose worker process has ended, whatever
// it was doing, and frees what it held; packets it sent since it last stopped
// are lost. Call it as soon as the process is gone, not earlier. If it fails with
// a [HeldError], the next Dead removes this console, too. Methods that
// wait for something the dead worker held continue at once.
func (a *Air) Dead(seat ds.Seat) error {
	if seat < 0 || seat >= ds.MaxSeats {
		return fmt.Errorf("air: seat %v", seat)
	}
	a.gone.add(seat)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.mem == nil {
		return ErrClosed
	}
	if err := a.patiently(func() int { return a.in.mend(&a.gone) }); err != nil {
		return err
	}
	return a.changeLocked(func(*state) error { return nil })
}

// Open says that frames before this one may be begun. A decision that depends
// on whether a later one is begun waits. Before the first call all may.
func (a *Air) Open(frame int64) error {
	return a.change(func(st *state) error {
		if frame < 0 || frame > frameMax {
			return fmt.Errorf("air: open frame %d", frame)
		}
		st.open = cInt64(frame)
		return nil
	})
}

// StopAt makes all consoles stop at the beginning of a frame: what stands at
// its end waits for nobody, as if the others never came back. Say it before any
// console can have begun that frame ([ErrTooLate]), so before [Air.Open] allows
// it. It is part of what happens on the air, so all machines must stop at the
// same frames.
func (a *Air) StopAt(frame int64) error {
	return a.change(func(st *state) error {
		if frame < 0 || frame > frameMax {
			return fmt.Errorf("air: stop at frame %d", frame)
		}
		for i := range st.seat {
			c := &st.seat[i]
			between := where(c.where) == off || where(c.where) == parked
			if where(c.where) != absent && (int64(c.frame) > frame || int64(c.frame) == frame && !between) {
				return fmt.Errorf("%w: seat %d, frame %d", ErrTooLate, i, frame)
			}
		}
		st.stop = cInt64(frame)
		return nil
	})
}

// Resume ends the stop. It needs all consoles to have come there
// ([ErrNotStopped]). An air restored from a snapshot goes on as if there were no stop.
func (a *Air) Resume() error {
	return a.settled(func(st *state) error {
		stop := st.stop
		st.stop = cInt64(frameMax)
		if a.snapshot {
			a.snapshot = false
			return nil
		}
		st.noise = stop
		for i := range st.seat {
			st.seat[i].known = 0 // a console that was restored here has said nothing yet
		}
		return nil
	})
}

// change lets f change the state, then takes the decision if that makes one
// possible. If f fails nothing changes.
func (a *Air) change(f func(st *state) error) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.mem == nil {
		return ErrClosed
	}
	return a.changeLocked(f)
}

func (a *Air) changeLocked(f func(st *state) error) error {
	if err := a.enter(); err != nil {
		return err
	}
	if err := f(&a.work); err != nil {
		a.in.leave(nil)
		return err
	}
	a.in.leave(&a.work)
	a.call(&a.work)
	return nil
}

// call lets those consoles of this process go on that do not stand any more. The air is
// locked.
func (a *Air) call(st *state) {
	for seat, l := range a.locals {
		if l == nil || !l.standing {
			continue
		}
		switch where(st.seat[seat].where) {
		case waiting, polling, blocked, parked:
		default:
			l.standing = false
			l.let <- struct{}{}
		}
	}
}

// view lets f see the state, which cannot change meanwhile.
func (a *Air) view(f func(st *state) error) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.mem == nil {
		return ErrClosed
	}
	if err := a.enter(); err != nil {
		return err
	}
	defer a.in.leave(nil)
	return f(&a.work)
}

// settled is change, while all consoles stand at the stop.
func (a *Air) settled(f func(st *state) error) error {
	return a.change(func(st *state) error {
		if err := settled(st, int64(st.stop)); err != nil {
			return err
		}
		return f(st)
	})
}

// settled says whether all consoles have come to a frame that none may begin. Nothing can
// happen then: there is nobody to run and no decision left to take.
func settled(st *state, frame int64) error {
	for i := range st.seat {
		c := &st.seat[i]
		switch where(c.where) {
		case absent:
			continue
		case off, parked:
			if int64(c.frame) == frame {
				continue
			}
		}
		return fmt.Errorf("%w: seat %d is %s in frame %d", ErrNotStopped, i, whereName(where(c.where)), int64(c.frame))
	}
	return nil
}

// at returns a seat of a state.
func at(st *state, seat ds.Seat) (*seatState, error) {
	if seat < 0 || seat >= ds.MaxSeats {
		return nil, fmt.Errorf("air: seat %v", seat)
	}
	return &st.seat[seat], nil
}

// enter takes the lock and makes a.work a copy of the state.
func (a *Air) enter() error {
	return a.patiently(func() int { return a.in.enter(&a.gone, &a.work) })
}

// patiently takes the lock, also from workers that keep it: whoever can kill them is told.
func (a *Air) patiently(take func() (owner int)) error {
	var told [ds.MaxSeats]bool
	owner := take()
	for a.held != nil && owner >= 0 && owner < int(ds.MaxSeats) && !told[owner] {
		told[owner] = true
		a.held(ds.Seat(owner))
		owner = take()
	}
	if owner == noOwner {
		return nil
	}
	return &HeldError{Seat: ds.Seat(owner)}
}
