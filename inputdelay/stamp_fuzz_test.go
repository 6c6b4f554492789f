package inputdelay

import (
	"math/rand/v2"
	"testing"
)

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
	tally  Tally
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
	if m.tally.Stamped++; m.age > 0 {
		m.tally.Repeated++
	}
	if tally := m.s.Tally(); tally.Stamped != m.tally.Stamped || tally.Repeated != m.tally.Repeated || tally.Recent < 0 || int64(tally.Recent) > min(Recent, tally.Repeated) {
		m.t.Fatalf("%+v, not %+v", tally, m.tally)
	}
}
