package must

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
)

const (
	inputs  = 10_000_000 // unless the variable InputsVariable says another number
	pool    = 256        // inputs that were read well, of which others are made
	longest = 2000       // bytes
)

// InputsVariable says how many inputs there are.
const InputsVariable = "NETTPLAY_FUZZ_INPUTS"

// SurviveInputs gives look ten million inputs made from seeds, if NETTPLAY_LONG asks for it: less than a minute of a
// processor. Seeds and inputs that were read well are changed at random, without a look at the code that runs; what native
// fuzzing finds, which has that look, goes into the seeds. look tells whether it was read well; it
// owns b until it returns.
func SurviveInputs(t *testing.T, seeds [][]byte, look func(t *testing.T, b []byte) (well bool)) {
	t.Helper()
	if os.Getenv("NETTPLAY_LONG") == "" {
		t.Skip("ten million inputs, with NETTPLAY_LONG=1 only")
	}
	count, err := strconv.Atoi(os.Getenv(InputsVariable))
	if err != nil {
		count = inputs
	}
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	m := mutator{r: r, good: slices.Clone(seeds)}
	read := 0
	for i := range count {
		b := m.next()
		if look(t, b) {
			read++
			m.keep(b)
		}
		if t.Failed() {
			t.Fatalf("input %d of seed %d: %x", i, seed, b)
		}
	}
	t.Logf("%d inputs, %d of them read well", count, read)
}

// mutator makes inputs.
type mutator struct {
	r    *rand.Rand
	good [][]byte
	b    []byte // the one of now
}

// next is another input.
func (m *mutator) next() []byte {
	m.b = append(m.b[:0], m.good[m.r.IntN(len(m.good))]...)
	for range 1 + m.r.IntN(4) {
		m.change()
	}
	return m.b
}

// keep keeps an input that was read well, now and then, in the place of another one that is no seed.
func (m *mutator) keep(b []byte) {
	if len(m.good) < pool {
		m.good = append(m.good, slices.Clone(b))
	} else if m.r.IntN(64) == 0 {
		i := pool/2 + m.r.IntN(pool/2)
		m.good[i] = append(m.good[i][:0], b...)
	}
}

// extremes are bytes at which readers go wrong.
var extremes = []byte{0, 1, 2, 0x7F, 0x80, 0xFE, 0xFF, ' ', ',', ':', '/', '@', '='}

func (m *mutator) change() {
	at := 0
	if len(m.b) > 0 {
		at = m.r.IntN(len(m.b))
	}
	switch n := m.r.IntN(8); {
	case n == 0: // other bytes put in
		var more [8]byte
		for i := range more {
			more[i] = byte(m.r.Uint32())
		}
		m.b = slices.Insert(m.b, at, more[:1+m.r.IntN(len(more))]...)
	case len(m.b) == 0:
	case n == 1:
		m.b = m.b[:at]
	case n == 2:
		m.b = slices.Delete(m.b, at, min(len(m.b), at+1+m.r.IntN(8)))
	case n == 3: // a part of another one
		other := m.good[m.r.IntN(len(m.good))]
		from := m.r.IntN(len(other) + 1)
		m.b = append(m.b[:at], other[from:]...)
	case n == 4:
		copy(m.b[at:], m.b[m.r.IntN(len(m.b)):])
	case n == 5:
		m.b[at] = extremes[m.r.IntN(len(extremes))]
	case n == 6:
		m.b[at] = byte(m.r.Uint32())
	default:
		m.b[at] ^= 1 << m.r.IntN(8)
	}
	m.b = m.b[:min(len(m.b), longest)]
}
