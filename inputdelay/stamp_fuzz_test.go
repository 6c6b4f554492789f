package inputdelay

import (
	"math/rand/v2"
	"testing"
)

// FuzzStamper sends a Stamper samples, near, far, late and twice, and compares what it stamps with them.
// Each four bytes are a sample: how many frames are stamped before it, how far its frame is from the next one,
// and its keys.
func FuzzStamper(f *testing.F) {
	f.Add([]byte{0, 0, 1, 0, 1, 0, 2, 0, 1, 0, 16, 0, 9, 0xfd, 0x20, 0, 0, 0xe0, 1, 0}, uint64(0)) // in time, late, too late
	f.Add([]byte{0, 127, 1, 0, 0, 127, 2, 0, 255, 0, 0, 0x10, 30, 0, 0x40, 0}, uint64(1000))       // ahead, touched, silent
	rng := rand.New(rand.NewPCG(8, 9))
	for range 3 {
		b := make([]byte, 240)
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		f.Add(b, rng.Uint64())
	}
	f.Fuzz(func(t *testing.T, ops []byte, first uint64) {
		m := stampModel{t: t, s: NewStamper(int64(first%(1<<40)), Input{}), told: map[int64]Input{}, next: int64(first % (1 << 40))}
		m.newest = m.next - 1
		for ; len(ops) >= 4; ops = ops[4:] {
			for range ops[0] % 80 {
				m.stamp()
			}
			in := Input{Keys: Keys(ops[2]) | Keys(ops[3])<<8, X: ops[2], Y: ops[3]}
			m.sample(m.next+int64(int8(ops[1]))*int64(1+ops[0]>>5), in)
		}
		for range keysFor + Window {
			m.stamp()
		}
		if got := m.s.Stamp(); m.told[m.next-1] == (Input{}) && got != (Input{}) {
			t.Fatalf("%q is held without a sample for %d frames", got, keysFor)
		}
	})
}

// stampModel is what a Stamper was told, and what has to follow from it.
type stampModel struct {
	t      *testing.T
	s      *Stamper
	next   int64           // frame to stamp
	newest int64           // frame of the newest sample
	told   map[int64]Input // taken, in time
	ever   Keys            // of all that were taken
	late   Keys            // of those that came late since the last stamp, without the cross
	tally  Tally
}

// cross are the keys of which a later press can undo an earlier one.
const cross = KeyLeft | KeyRight | KeyUp | KeyDown

func (m *stampModel) sample(frame int64, in Input) {
	m.t.Helper()
	useful := frame > m.newest && frame < m.next+Window
	if got := m.s.Sample(frame, in); got != useful {
		m.t.Fatalf("the sample of frame %d is taken: %v; the newest is of %d, the next stamp is of %d", frame, got, m.newest, m.next)
	}
	if !useful {
		return
	}
	m.newest, m.ever = frame, m.ever|in.Normal().Keys
	switch {
	case frame >= m.next:
		m.told[frame] = in.Normal()
	case m.next-frame <= lateFor:
		m.late |= in.Normal().Keys &^ cross
	}
}

func (m *stampModel) stamp() {
	m.t.Helper()
	got, want := m.s.Stamp(), m.told[m.next]
	switch {
	case got != got.Normal():
		m.t.Fatalf("frame %d: %q is not normal", m.next, got)
	case got.Keys&^m.ever != 0:
		m.t.Fatalf("frame %d: %q was never held", m.next, got)
	case (want.Keys|m.late)&^got.Keys != 0:
		m.t.Fatalf("frame %d: %q lacks some of %q in time and %q late", m.next, got, want, Input{Keys: m.late})
	case m.s.Newest() != m.newest || m.s.Next() != m.next+1 || len(m.s.ahead) > Window:
		m.t.Fatalf("newest %d, next %d, %d ahead; should be %d, %d", m.s.Newest(), m.s.Next(), len(m.s.ahead), m.newest, m.next+1)
	}
	delete(m.told, m.next-1)
	m.next, m.late = m.next+1, 0
	m.tally.Stamped++
	if tally := m.s.Tally(); tally.Stamped != m.tally.Stamped || tally.Repeated > tally.Stamped || tally.Recent < 0 || int64(tally.Recent) > min(Recent, tally.Repeated) {
		m.t.Fatalf("%+v after %d frames", tally, m.tally.Stamped)
	}
}
