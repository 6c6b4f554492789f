package inputdelay

import (
	"math/rand/v2"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// script is what a Stamper is told and what it answers, a letter a frame.
type stampStep struct {
	samples []int64 // arrive before the stamp
	want    Keys
}

// Each press is in the frame it belongs to, or in the next two when it comes late; without a
// sample the last one is repeated.
func TestStamp(t *testing.T) {
	pressed := map[int64]Keys{0: KeyA, 1: KeyB, 2: KeyUp, 3: KeyLeft | KeyX, 4: KeyRight, 5: KeyY}
	for name, steps := range map[string][]stampStep{
		"in time": {{[]int64{0, 1, 2}, KeyA}, {nil, KeyB}, {[]int64{3}, KeyUp}, {nil, KeyLeft | KeyX}},
		"the last is repeated": {
			{[]int64{0}, KeyA},
			{nil, KeyA},
			{nil, KeyA},
			{[]int64{1, 2, 3}, KeyB | KeyUp | KeyLeft | KeyX},
			{[]int64{4}, KeyB | KeyUp | KeyRight},
			{[]int64{5}, KeyY},
		},
		"always one late": {{nil, 0}, {[]int64{0}, KeyA}, {[]int64{1}, KeyA | KeyB}, {[]int64{2}, KeyA | KeyB | KeyUp}},
		"older ones are of no use": {
			{[]int64{2}, 0}, {[]int64{0, 1}, 0}, {nil, KeyUp}, {[]int64{2, 1}, KeyUp},
		},
		"a gap": {{[]int64{0}, KeyA}, {[]int64{3}, KeyA}, {nil, KeyA}, {nil, KeyLeft | KeyX}},
	} {
		s := NewStamper(0, Input{})
		for i, step := range steps {
			for _, n := range step.samples {
				s.Sample(n, Input{Keys: pressed[n]})
			}
			if got := s.Stamp(); got.Keys != step.want {
				t.Errorf("%s: frame %d gets %q, not %q", name, i, got, Input{Keys: step.want})
			}
		}
	}
}

// The stylus does not stay on the screen of a player who is not heard, and nothing is held for
// ever; what is counted is what was repeated.
func TestStampWithoutSamples(t *testing.T) {
	s := NewStamper(100, Input{})
	s.Sample(100, Input{Keys: KeyA | Touch | Mic, X: 3, Y: 4})
	for age := range 200 {
		want := Input{Keys: KeyA | Touch | Mic, X: 3, Y: 4}
		switch {
		case age >= keysFor:
			want = Input{}
		case age >= touchFor:
			want = Input{Keys: KeyA}
		}
		if got := s.Stamp(); got != want {
			t.Fatalf("%d frames after the last sample: %q, not %q", age, got, want)
		}
	}
	if got := s.Repeated(); got != 199 {
		t.Errorf("%d frames are repeated", got)
	}
	for n := range int64(700) {
		s.Sample(300+n, Input{})
		s.Stamp()
	}
	if got := s.Repeated(); got != 0 {
		t.Errorf("%d of the last frames are repeated, all of which had a sample", got)
	}
}

// Presses that are half a second late are not made up for, but what is held still is.
func TestStampVeryLate(t *testing.T) {
	s := NewStamper(0, Input{})
	for range 100 {
		s.Stamp()
	}
	s.Sample(10, Input{Keys: KeyA})
	s.Sample(98, Input{Keys: KeyUp})
	if got := s.Stamp(); got.Keys != KeyUp {
		t.Errorf("%q", got)
	}
}

// With any samples in any order, a Stamper holds little, acknowledges no sample that it did
// not get, stamps nothing that nobody pressed, and never both ends of a cross.
func TestStampAnything(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 7))
		s := NewStamper(r.Int64N(1000), Input{})
		sent := map[int64]bool{}
		var ever Keys
		for range 3000 {
			if r.IntN(3) == 0 {
				s.Stamp()
				continue
			}
			frame := s.Next() + r.Int64N(3*Window) - Window
			in := Input{Keys: Keys(r.IntN(1 << 16)), X: uint8(r.IntN(256)), Y: uint8(r.IntN(256))}
			in.Keys &^= KeyLeft | KeyDown
			if r.IntN(2) == 0 {
				in.Keys = in.Keys&^(KeyRight|KeyUp) | KeyLeft | KeyDown
			}
			if s.Sample(frame, in) {
				sent[frame], ever = true, ever|in.Keys
			}
			got := s.Stamp()
			switch {
			case got != got.Normal(), got.Keys&^ever != 0:
				t.Fatalf("seed %d: stamped %q", seed, got)
			case got.Keys&(KeyLeft|KeyRight) == KeyLeft|KeyRight, got.Keys&(KeyUp|KeyDown) == KeyUp|KeyDown:
				t.Fatalf("seed %d: stamped both ends of a cross: %q", seed, got)
			case len(s.ahead) > Window:
				t.Fatalf("seed %d: %d samples are kept", seed, len(s.ahead))
			case s.Newest() >= 0 && len(sent) > 0 && !sent[s.Newest()]:
				t.Fatalf("seed %d: acknowledges %d", seed, s.Newest())
			}
		}
	}
}

// A queue that was filled by another machine goes on by its own, and forgets what that machine
// alone had.
func TestQueueContinues(t *testing.T) {
	q, err := NewQueue(0, 4)
	must.Succeed(t, err)
	for f := int64(4); f < 20; f++ {
		must.Succeed(t, q.Put(f, Input{Keys: KeyA}))
	}
	must.Succeed(t, q.Put(25, Input{Keys: KeyB}))
	q.Forget(10)
	q.Retract(15)
	if _, there := q.At(25); there || q.Newest() != 14 {
		t.Fatalf("the newest is %d, frame 25 is there: %v", q.Newest(), there)
	}
	must.Succeed(t, q.Continue(13, 4, Input{Keys: KeyA}))
	if from, to, err := q.Push(13, Input{Keys: KeyX}); err != nil || from != 15 || to != 18 {
		t.Fatal(from, to, err)
	}
	for f, want := range map[int64]Keys{14: KeyA, 15: KeyA, 16: KeyA, 17: KeyX} {
		if got, ok := q.At(f); !ok || got.Keys != want {
			t.Errorf("frame %d has %q", f, got)
		}
	}
	if err := q.Continue(0, 99, Input{}); err == nil {
		t.Error("a delay of 99 frames was taken")
	}
}

// FuzzStamper sends a Stamper samples, in time, ahead, late and twice, and compares what it stamps with them.
// Each four bytes are a sample: how many frames are stamped before it, where its frame is, and its keys.
func FuzzStamper(f *testing.F) {
	f.Add([]byte{0, 0, 1, 0, 1, 0, 2, 0, 3, 0, 16, 0, 1, 0, 0, 0x30, 255, 0, 1, 0}, uint64(0))                // in time, late, silent
	f.Add([]byte{0, 3, 1, 0, 40, 2, 2, 0, 0, 0x7a, 255, 0, 0, 0x7e, 0, 0x10, 2, 1, 0x40, 0x10}, uint64(1000)) // too late, ahead
	rng := rand.New(rand.NewPCG(8, 9))
	for range 8 {
		b := make([]byte, 400)
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		f.Add(b, rng.Uint64())
	}
	f.Fuzz(func(t *testing.T, ops []byte, first uint64) {
		next := int64(first % (1 << 40))
		m := stampModel{t: t, s: NewStamper(next, Input{}), told: map[int64]Input{}, next: next, newest: next - 1, age: keysFor}
		for ; len(ops) >= 4; ops = ops[4:] {
			stamps := int(ops[0] % 4)
			if ops[0] >= 224 {
				stamps = int(ops[0] - 180) // silence
			}
			for range stamps {
				m.stamp()
			}
			m.sample(m.place(ops[1]), Input{Keys: Keys(ops[2]) | Keys(ops[3])<<8, X: ops[2], Y: ops[3]})
		}
		for range keysFor + 3 {
			m.stamp()
		}
	})
}

// stampModel is what a Stamper was told, and what has to follow from it.
type stampModel struct {
	t      *testing.T
	s      *Stamper
	next   int64           // frame to stamp
	newest int64           // frame of the newest sample
	told   map[int64]Input // in time, and not stamped yet
	ever   Keys            // of all that were taken
	late   [2]Keys         // of those that came late, without the cross: for the next two stamps
	fresh  bool            // a late one came since the last stamp
	age    int             // stamps since there was something new
	recent []bool          // frames that were repeated
}

// cross are the keys of which a later press can undo an earlier one.
const cross = KeyLeft | KeyRight | KeyUp | KeyDown

// place is the frame of a sample.
func (m *stampModel) place(b byte) int64 {
	far := int64(b >> 2)
	switch b % 4 {
	case 0:
		return m.newest + 1
	case 1:
		return m.newest + far - 4
	case 2:
		return m.next - far
	default:
		return m.next + far*far/6 // beyond the window, too
	}
}

func (m *stampModel) sample(frame int64, in Input) {
	m.t.Helper()
	useful := frame > m.newest && frame < m.next+Window
	if got := m.s.Sample(frame, in); got != useful {
		m.t.Fatalf("the sample of frame %d is taken: %v; the newest is of %d, the next stamp is of %d", frame, got, m.newest, m.next)
	}
	if !useful {
		return
	}
	in = in.Normal()
	m.newest, m.ever = frame, m.ever|in.Keys
	if frame >= m.next {
		m.told[frame] = in
		return
	}
	if m.fresh = true; m.next-frame <= lateFor {
		m.late[0] |= in.Keys &^ cross
		m.late[1] |= m.late[0]
	}
}

func (m *stampModel) stamp() {
	m.t.Helper()
	want, inTime := m.told[m.next]
	if m.age++; inTime || m.fresh {
		m.age = 0
	}
	switch got := m.s.Stamp(); {
	case got != got.Normal():
		m.t.Fatalf("frame %d: %q is not normal", m.next, got)
	case got.Keys&^m.ever != 0:
		m.t.Fatalf("frame %d: %q was never held", m.next, got)
	case (want.Keys|m.late[0])&^got.Keys != 0:
		m.t.Fatalf("frame %d: %q lacks some of %q in time and %q late", m.next, got, want, Input{Keys: m.late[0]})
	case m.age >= touchFor && got.Keys&(Touch|Mic) != 0, m.age >= keysFor && got != Input{}:
		m.t.Fatalf("frame %d: %q, %d frames after there was something new", m.next, got, m.age)
	case m.s.Newest() != m.newest || m.s.Next() != m.next+1 || len(m.s.ahead) != len(m.told)-map[bool]int{true: 1}[inTime]:
		m.t.Fatalf("newest %d, next %d, %d ahead; should be %d, %d, of %d", m.s.Newest(), m.s.Next(), len(m.s.ahead), m.newest, m.next+1, len(m.told))
	}
	delete(m.told, m.next)
	m.next, m.late, m.fresh = m.next+1, [2]Keys{m.late[1]}, false
	m.recent = append(m.recent, m.age > 0)
	repeated := 0
	for _, is := range m.recent[max(len(m.recent)-Recent, 0):] {
		if is {
			repeated++
		}
	}
	if got := m.s.Repeated(); got != repeated {
		m.t.Fatalf("%d frames of the last %d are repeated, not %d", got, Recent, repeated)
	}
}
