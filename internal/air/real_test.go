package air

import (
	"testing"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// real is an [Air] as a medium.
type real struct {
	t      testing.TB
	cfg    Config
	air    *Air
	turn   [ds.MaxSeats]uint32
	radios [ds.MaxSeats]*radio
	trace  []Record
	moves  int
}

func newReal(t testing.TB, cfg Config) *real {
	a, err := New(cfg)
	must.Succeed(t, err)
	r := &real{t: t, cfg: cfg, air: a}
	for i := range r.radios {
		r.radios[i] = newRadio(a.in, ds.Seat(i))
	}
	return r
}

func (r *real) must(err error) {
	r.t.Helper()
	must.Succeed(r.t, err)
}

func (r *real) event(seat ds.Seat, e event) {
	r.must(r.air.patiently(func() int { return r.air.in.event(seat, e) }))
	r.drain()
}

func (r *real) follow(seat, host, behind, ahead int) {
	r.radios[seat].r.in_frame = 1
	r.radios[seat].follow(host, behind, ahead)
}

func (r *real) passed(seat, polls int) { r.air.in.passed(seat, polls) }

func (r *real) put(seat ds.Seat, data []byte, to int) { r.radios[seat].put(data, to) }

func (r *real) answered(seat ds.Seat) (reply, bool) {
	turn, a := r.air.in.door(seat)
	if turn == r.turn[seat] {
		return reply{}, false
	}
	r.turn[seat] = turn
	return a, true
}

func (r *real) plug(seat ds.Seat)   { r.must(r.air.Plug(seat)); r.answered(seat) }
func (r *real) unplug(seat ds.Seat) { r.must(r.air.Unplug(seat)) }
func (r *real) dead(seat ds.Seat)   { r.must(r.air.Dead(seat)); r.drain() }
func (r *real) openTo(frame int64)  { r.must(r.air.Open(frame)); r.drain() }

func (r *real) stopAt(frame int64) {
	r.must(r.air.Resume())
	r.must(r.air.StopAt(frame))
	r.drain()
}

func (r *real) save() []byte {
	b, err := r.air.Save()
	r.must(err)
	return b
}

func (r *real) drain() {
	got, lost, err := r.air.Trace()
	r.must(err)
	if lost > 0 {
		r.t.Fatalf("%d records were lost", lost)
	}
	r.trace = append(r.trace, got...)
}

func (r *real) records() []Record { return r.trace }
func (r *real) close()            { r.air.Close() }

// move goes on in other memory, or in the same after something else has happened
// there.
func (r *real) move() medium {
	saved := r.save()
	next := r
	if r.moves++; r.moves%2 == 0 {
		r.stray()
	} else {
		next = newReal(r.t, r.cfg)
		next.trace, next.moves = r.trace, r.moves
		defer r.close()
	}
	next.must(next.air.Restore(saved))
	for i := range ds.MaxSeats {
		next.answered(ds.Seat(i))
	}
	return next
}

// stray plays another game for a few frames. Its packets are no part of ours.
func (r *real) stray() {
	keep := r.trace
	st, err := r.air.Status()
	r.must(err)
	r.stopAt(st.Stop + 2)
	for i, c := range st.Consoles {
		if !c.Plugged {
			continue
		}
		if !c.OnAir {
			r.event(ds.Seat(i), evBlock)
		}
		r.put(ds.Seat(i), []byte("stray"), everyone)
	}
	for i, c := range st.Consoles {
		if c.Plugged {
			r.dead(ds.Seat(i))
		}
	}
	r.trace = keep
}
