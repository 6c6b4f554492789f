package air

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
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

// goldenPicture is two consoles at frame 2, one with a packet in flight.
var goldenPicture = &picture{
	skew: 1, stop: 2, round: 3, chain: 4, records: 5,
	consoles: []console{
		{seat: 1, onAir: true, queue: []flying{{from: 15, to: everyone, data: []byte("air")}}},
		{seat: 15},
	},
}

const golden = "6e7061697201" + "01" + "0000000000000002" + "0000000000000003" + "0000000000000004" + "0000000000000005" + "02" +
	"01" + "01" + "0001" + "0f" + "ffff" + "0003" + "616972" + "0f" + "00" + "0000"

// goldenSnapshot is the same amid a game: seat 1 has heard an ack of seat 15.
const goldenSnapshot = "6e7061697202" + "01" + "0000000000000002" + "0000000000000003" + "0000000000000004" + "0000000000000005" + "02" + "02" +
	"01" + "01" + "010f01" + "0001" + "0f" + "ffff" + "0003" + "616972" + "0f" + "00" + "0000"

func TestGoldenSave(t *testing.T) {
	if got, err := goldenPicture.encode(); err != nil || hex.EncodeToString(got) != golden {
		t.Errorf("%x, %v, not %s", got, err, golden)
	}
	amid := *goldenPicture
	amid.snapshot, amid.silence, amid.consoles = true, 2, slices.Clone(amid.consoles)
	amid.consoles[0].said = account{known: true, host: 15, ahead: 1}
	if got, err := amid.encode(); err != nil || hex.EncodeToString(got) != goldenSnapshot {
		t.Errorf("%x, %v, not %s", got, err, goldenSnapshot)
	}
}

// TestRestore: what is restored elsewhere is saved as the same bytes, and a
// packet in flight arrives there.
func TestRestore(t *testing.T) {
	a, err := New(Config{Skew: 1})
	must.Succeed(t, err)
	defer a.Close()
	want, _ := hex.DecodeString(golden)
	must.Succeed(t, a.Restore(want))
	if got, err := a.Save(); err != nil || !bytes.Equal(got, want) {
		t.Fatalf("%x, %v", got, err)
	}
	must.Succeed(t, a.Resume())
	a.in.event(15, evEndSilent) // or seat 1 would wait for it
	rad := newRadio(a.in, 1)
	rad.begin()
	if got, data := rad.poll(evBlock); got != packet || string(data) != "\x0fair" {
		t.Errorf("answer %d, %q", got, data)
	}
}

// TestRenumber: an air goes on at another frame, the first one too, as it would have at its
// own: a packet in flight arrives, and consoles on the air stay there.
func TestRenumber(t *testing.T) {
	want, _ := hex.DecodeString(golden)
	for _, frame := range []int64{0, 1, 1 << 40} {
		saved, err := Renumber(want, frame)
		must.Succeed(t, err)
		a, err := New(Config{Skew: 1, Frame: frame})
		must.Succeed(t, err)
		defer a.Close()
		must.Succeed(t, a.Restore(saved))
		back, err := a.Save()
		if err == nil {
			back, err = Renumber(back, goldenPicture.stop)
		}
		if err != nil || !bytes.Equal(back, want) {
			t.Errorf("at frame %d it is %x, %v", frame, back, err)
		}
		must.Succeed(t, a.Resume())
		a.in.event(15, evEndSilent)
		rad := newRadio(a.in, 1)
		rad.begin()
		if got, data := rad.poll(evBlock); got != packet || string(data) != "\x0fair" {
			t.Errorf("at frame %d: answer %d, %q", frame, got, data)
		}
		rad.end()
	}
	if _, err := Renumber(want[:9], 0); err == nil {
		t.Error("half of an air was taken")
	}
}

func TestRefused(t *testing.T) {
	a := busy(t)
	if _, err := a.Save(); !errors.Is(err, ErrNotStopped) {
		t.Errorf("Save amid a frame: %v", err)
	}
	if err := a.Plug(7); !errors.Is(err, ErrNotStopped) {
		t.Errorf("Plug amid a frame: %v", err)
	}
	if err := a.StopAt(0); !errors.Is(err, ErrTooLate) {
		t.Errorf("StopAt: %v", err)
	}
	b, err := New(Config{})
	must.Succeed(t, err)
	good, _ := hex.DecodeString(golden)
	if err := b.Restore(good); err == nil {
		t.Error("another skew was restored")
	}
	if err := b.Plug(16); err == nil {
		t.Error("seat 16 was plugged in")
	}
	b.Close()
	if err := b.Resume(); !errors.Is(err, ErrClosed) || b.Close() != nil {
		t.Errorf("after Close: %v", err)
	}
	for _, cfg := range []Config{{Skew: -1}, {Skew: 17}, {Frame: -1}} {
		if _, err := New(cfg); err == nil {
			t.Errorf("%+v was taken", cfg)
		}
	}
}

func FuzzSaved(f *testing.F) {
	good, _ := hex.DecodeString(golden)
	f.Add(good)
	f.Add(good[:len(good)-1])
	snapshot, _ := hex.DecodeString(goldenSnapshot)
	f.Add(snapshot)
	f.Add([]byte("npair\x01"))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := decodePicture(b)
		if err != nil {
			return
		}
		if again, err := p.encode(); err != nil || !bytes.Equal(again, b) {
			t.Errorf("%x is not the one encoding of itself: %x, %v", b, again, err)
		}
	})
}
