package adversary

import (
	"bytes"
	"math/rand/v2"
	"runtime/metrics"
	"slices"
	"sync"

	"github.com/nettplay/nettplay/internal/link"
)

// mutator is the link of a machine whose messages do not arrive as its session has sent them.
// It knows nothing of what it changes, but for lies, which read as honest messages.
type mutator struct {
	link.Link
	attacks []attack // of which one is taken at a time
	after   int      // messages that it leaves alone first
	rate    float64  // share of those that it attacks then

	mu    sync.Mutex // guards what follows
	rng   *rand.Rand
	sent  int
	did   map[string]int
	held  []packet          // to be sent after the next one
	old   [3][]packet       // some of those that were sent before, by channel
	peaks func(heap uint64) // is told how large the heap is, now and then
}

// packet is what is sent to somebody.
type packet struct {
	peer    link.PeerID
	channel link.Channel
	data    []byte
}

// attack makes something else of a message.
type attack struct {
	name string
	make func(m *mutator, msg packet) []packet
}

const (
	oldMost  = 32 // messages of a channel that are kept
	heldMost = 8
	crowd    = 40 // times that a message is repeated
)

// attacks are all that there are, lies last.
var attacks = []attack{
	{"drop", func(*mutator, packet) []packet { return nil }},
	{"repeat", func(m *mutator, msg packet) []packet { return slices.Repeat([]packet{msg}, 2+m.rng.IntN(crowd)) }},
	{"reorder", (*mutator).hold},
	{"bits", func(m *mutator, msg packet) []packet {
		for range 1 + m.rng.IntN(8) {
			if n := len(msg.data); n > 0 {
				msg.data[m.rng.IntN(n)] ^= 1 << m.rng.IntN(8)
			}
		}
		return []packet{msg}
	}},
	{"extremes", func(m *mutator, msg packet) []packet {
		if n := len(msg.data); n > 0 {
			at := m.rng.IntN(n)
			copy(msg.data[at:], bytes.Repeat([]byte{extremes[m.rng.IntN(len(extremes))]}, 1<<m.rng.IntN(4)))
		}
		return []packet{msg}
	}},
	{"cut", func(m *mutator, msg packet) []packet {
		msg.data = msg.data[:m.rng.IntN(len(msg.data)+1)]
		return []packet{msg}
	}},
	{"grow", func(m *mutator, msg packet) []packet {
		room := max(1, link.MaxMessage(msg.channel)-len(msg.data))
		msg.data = append(msg.data, m.noise(1+m.rng.IntN(room))...)
		return []packet{msg}
	}},
	{"huge", func(m *mutator, msg packet) []packet {
		keep := min(len(msg.data), m.rng.IntN(16))
		huge := bytes.Repeat([]byte{extremes[m.rng.IntN(len(extremes))]}, link.MaxMessage(msg.channel))
		copy(huge, msg.data[:keep])
		msg.data = huge
		return []packet{msg}
	}},
	{"noise", func(m *mutator, msg packet) []packet {
		msg.data = m.noise(m.rng.IntN(400))
		return []packet{msg}
	}},
	{"another channel", func(m *mutator, msg packet) []packet {
		msg.channel = link.Channel(m.rng.IntN(3))
		return []packet{msg}
	}},
	{"an old one", func(m *mutator, msg packet) []packet {
		list := m.old[m.rng.IntN(len(m.old))]
		if len(list) == 0 {
			return []packet{msg}
		}
		return []packet{msg, list[m.rng.IntN(len(list))]}
	}},
	{"lie", func(m *mutator, msg packet) []packet {
		msg.data = m.lie(msg.channel, msg.data)
		return []packet{msg}
	}},
}

var extremes = []byte{0, 1, 0x7F, 0x80, 0xFF}

func (m *mutator) noise(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(m.rng.Uint32())
	}
	return b
}

// hold keeps a message back until some more have been sent.
func (m *mutator) hold(msg packet) []packet {
	if len(m.held) >= heldMost {
		return []packet{msg}
	}
	m.held = append(m.held, msg)
	return nil
}

// Send attacks what is sent.
func (m *mutator) Send(p link.PeerID, ch link.Channel, data []byte) error {
	var failed error
	for _, msg := range m.make(packet{p, ch, bytes.Clone(data)}) {
		if err := m.Link.Send(msg.peer, msg.channel, msg.data); msg.peer == p && msg.channel == ch && failed == nil {
			failed = err
		}
	}
	return failed
}

// make is what becomes of a message.
func (m *mutator) make(msg packet) []packet {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.sent++; m.sent%64 == 0 {
		m.peaks(heap())
	}
	old := &m.old[msg.channel]
	if kept := (packet{msg.peer, msg.channel, bytes.Clone(msg.data)}); len(*old) < oldMost {
		*old = append(*old, kept)
	} else if m.rng.IntN(8) == 0 {
		(*old)[m.rng.IntN(oldMost)] = kept
	}
	if m.sent <= m.after || m.rng.Float64() >= m.rate {
		list := append([]packet{msg}, m.held...)
		m.held = nil
		return list
	}
	a := m.attacks[m.rng.IntN(len(m.attacks))]
	m.did[a.name]++
	return a.make(m, msg)
}

// heap is how many bytes the objects of this process have, those included that nobody needs any
// more.
func heap() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
