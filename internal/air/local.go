package air

import (
	"errors"

	"github.com/nettplay/nettplay/internal/ds"
)

// A Local is the end of the air of a console in this process: of a model of one. A
// worker's end waits in C; this one lets its owner wait, whose time may be virtual. One
// goroutine uses it, but for Close. It asks for no grants, and stands at each of its polls
// where a worker with a leave would answer some by itself.
type Local struct {
	air  *Air
	seat ds.Seat
	wait func(let <-chan struct{}) bool
	let  chan struct{} // has room for one: the console may go on

	standing bool // guarded by the air
	gone     bool // guarded by the air
	used     bool // in this frame
	on       bool // on the air
	mute     bool // polls of this frame are answered here
}

// Local is for the console of a seat, which must be plugged in before its first frame. Wait
// waits for let, and tells whether the console goes on: it is not to when it is closed.
func (a *Air) Local(seat ds.Seat, wait func(let <-chan struct{}) bool) *Local {
	return &Local{air: a, seat: seat, wait: wait, let: make(chan struct{}, 1)}
}

// Begin is called before each frame. Like all others it returns false if the console is not
// to go on.
func (l *Local) Begin() bool {
	l.used = false
	waits := false
	err := l.air.view(func(st *state) error {
		if l.gone {
			return ErrClosed
		}
		l.air.locals[l.seat] = l
		l.air.in.alone(l.seat)
		w := where(st.seat[l.seat].where)
		l.on, l.mute, waits = w >= running, w == absent, w == parked
		l.standing = waits
		return nil
	})
	if err != nil || !waits {
		return err == nil
	}
	return l.wait(l.let) && l.attend(func() { _, told := l.air.in.door(l.seat); l.mute = told.mute })
}

// Send puts a packet on the air, to a seat or to [Everyone].
func (l *Local) Send(data []byte, to int) bool {
	if l.used = true; !l.on && !l.mute && !l.stop(evSend) {
		return false
	}
	return l.attend(func() { l.air.in.put(l.seat, data, to) })
}

// Poll asks for a packet: nil if there is none. One that blocks waits until there is one, or
// until nobody else can go on.
func (l *Local) Poll(blocks bool) (from ds.Seat, data []byte, goesOn bool) {
	if l.used = true; l.mute {
		return 0, nil, true
	}
	e := evPoll
	if blocks {
		e = evBlock
	}
	goesOn = l.stop(e) && l.attend(func() {
		_, told := l.air.in.door(l.seat)
		if l.mute = told.mute; told.answer == packet && len(told.data) > 0 {
			from, data = ds.Seat(told.data[0]), told.data[1:]
		}
	})
	return from, data, goesOn
}

// End is called after each frame.
func (l *Local) End() bool {
	e := evEndSilent
	if l.used {
		e = evEnd
	}
	return l.arrive(e) == nil
}

// Close takes the console off the air. It has no effect if the console never began a frame.
func (l *Local) Close() error {
	a := l.air
	a.mu.Lock()
	l.gone = true
	on := a.locals[l.seat] == l
	if on {
		a.locals[l.seat] = nil
	}
	a.mu.Unlock()
	if !on {
		return nil
	}
	if err := a.Dead(l.seat); !errors.Is(err, ErrClosed) {
		return err
	}
	return nil
}

// stop has the console stand for an operation until it may go on.
func (l *Local) stop(e event) bool {
	l.on = l.arrive(e) == nil && l.wait(l.let)
	return l.on
}

func (l *Local) arrive(e event) error {
	return l.air.change(func(st *state) error {
		if l.gone {
			return ErrClosed
		}
		l.standing = e != evEnd && e != evEndSilent
		l.air.in.arrive(st, l.seat, e)
		return nil
	})
}

// attend looks at what is the console's own while it runs: door and outbox.
func (l *Local) attend(f func()) bool {
	l.air.mu.Lock()
	defer l.air.mu.Unlock()
	if l.air.mem == nil || l.gone {
		return false
	}
	f()
	return true
}
