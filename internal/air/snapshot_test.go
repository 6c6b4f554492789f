package air

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/nettplay/nettplay/internal/ds"
)

// photographer is a medium of which snapshots are taken: before frames are opened, wherever
// all consoles happen to stand. After some of them the game goes on in an air made from them.
type photographer struct {
	*real
	rng    *rand.Rand
	frame  int64 // from this one on frames are not open
	taken  int
	others int // airs made
}

func (p *photographer) openTo(frame int64) {
	p.snapshot()
	p.frame = frame
	p.real.openTo(frame)
}

func (p *photographer) stopAt(frame int64) {
	p.real.stopAt(frame)
	p.snapshot() // where all have just been
}

func (p *photographer) snapshot() {
	saved, err := p.air.Snapshot(p.frame)
	if errors.Is(err, ErrNotStopped) {
		return
	}
	p.must(err)
	if p.taken++; p.rng.IntN(8) == 0 {
		return
	}
	p.others++
	st, err := p.air.Status()
	p.must(err)
	next := newReal(p.t, p.cfg)
	next.trace, next.moves = p.trace, p.moves
	p.close()
	next.resume(saved, p.frame)
	next.must(next.air.StopAt(st.Stop))
	p.real = next
}

// resume goes on from a snapshot of a frame, which is not open yet.
func (r *real) resume(saved []byte, frame int64) {
	r.must(r.air.Restore(saved))
	r.must(r.air.Open(frame))
	r.must(r.air.Resume())
	for i := range ds.MaxSeats {
		r.answered(ds.Seat(i))
	}
}

func (p *photographer) move() medium {
	p.real = p.real.move().(*real)
	return p
}

// TestSnapshots: nobody on the air can tell that a snapshot was taken, or that the air is
// one that was made from it: packets, rounds and answers are the same.
func TestSnapshots(t *testing.T) {
	taken, others := 0, 0
	for seed := range uint64(60) {
		sc := newScenario(seed, 1+int(seed%5), int(seed%3), 60)
		sc.window = 1 + int64(seed%2)
		cfg := Config{Skew: sc.skew, Plain: sc.plain}
		want, err := play(sc, newReal(t, cfg), rand.New(rand.NewPCG(seed, 1)))
		if err != nil {
			t.Fatalf("%v: %v", sc, err)
		}
		p := &photographer{real: newReal(t, cfg), rng: rand.New(rand.NewPCG(seed, 2))}
		have, err := play(sc, p, rand.New(rand.NewPCG(seed, 1)))
		if err != nil {
			t.Fatalf("%v: %v", sc, err)
		}
		if err := want.differs(&have); err != nil {
			t.Errorf("%v: without and with snapshots: %v", sc, err)
		}
		taken, others = taken+p.taken, others+p.others
	}
	if taken < 300 || others < 200 {
		t.Errorf("only %d snapshots were taken, and %d airs made from them", taken, others)
	}
}

// TestSnapshotsHaveAccounts: where a client runs on after an ack over the end of a frame, its
// host has the same leave in the air made from a snapshot.
func TestSnapshotsHaveAccounts(t *testing.T) {
	r := newReal(t, Config{})
	t.Cleanup(r.close)
	r.plug(0)
	r.plug(1)
	r.must(r.air.Resume())
	r.openTo(1)
	for _, e := range []event{evPoll, evEnd} {
		r.follow(0, noHost, 0, 9)
		r.follow(1, 0, 0, 1)
		r.event(0, e)
		r.event(1, e)
	}
	saved, err := r.air.Snapshot(1)
	r.must(err)
	other := newReal(t, Config{})
	t.Cleanup(other.close)
	other.resume(saved, 1)
	for _, r := range []*real{r, other} {
		r.answered(0)
		r.openTo(2)
		if told, ok := r.answered(0); !ok || told.leave != 8 {
			t.Errorf("the host is told %+v, %v", told, ok)
		}
	}
	again, err := other.air.Snapshot(2)
	if !errors.Is(err, ErrNotStopped) {
		t.Errorf("amid a frame: %x, %v", again, err)
	}
}
