package savestate

import (
	"crypto/sha256"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/impair"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/virtual"
)

// noise is n bytes that do not shrink, the same for equal seeds.
func noise(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 2))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func mustPut(t testing.TB, s *Store, k Kind, raw []byte) Part {
	t.Helper()
	p, err := s.Put(k, raw)
	must.Succeed(t, err)
	return p
}

// manifestOf is a valid manifest for a seat with these parts.
func manifestOf(seat ds.Seat, parts ...Part) Manifest {
	return Manifest{
		Seat: seat, ROM: sha256.Sum256([]byte("rom")), Core: sha256.Sum256([]byte("core")), RTC: 1_000_000_000,
		Firmware: ds.Firmware{Nickname: "Anna", MAC: [6]byte{0, 9, 0xbf, 1, 2, byte(seat)}, Language: 1, BirthMonth: 2, BirthDay: 29},
		Parts:    parts,
	}
}

const ms = time.Millisecond

var epoch = virtual.Epoch

// channel is one direction of the reliable channel of a link: a line that loses nothing.
type channel struct {
	*virtual.Line
	way             time.Duration
	sent            int   // messages
	unsent, backlog int64 // bytes that have not gone yet, and that the other side has not confirmed
}

// plain is how many bytes a second a line carries, and how long it takes.
type plain struct {
	rate int
	way  time.Duration
}

// machine is one end of a line with an exchange.
type machine struct {
	*Exchange
	store *Store
	world *virtual.World
	out   *channel
	peer  *machine
	heard []Event
	err   error
	waked time.Time
}

// send has a message arrive at the peer, unless the line has been replaced by then.
func (m *machine) send(b []byte) {
	out, peer, n := m.out, m.peer, int64(len(b))
	out.sent, out.unsent, out.backlog = out.sent+1, out.unsent+n, out.backlog+n
	out.Send(len(b), func() {
		out.unsent -= n
		m.world.At(m.world.Now+out.way, func() {
			if peer.err == nil && m.out == out {
				peer.err = peer.Receive(m.world.Time(), b)
				peer.wake()
			}
			m.world.At(m.world.Now+out.way, func() { out.backlog -= n })
		})
	})
}

// connect joins two exchanges by a line that is alike in both directions, of so many bytes a second, that takes a while.
func connect(w *virtual.World, line plain, a, b *machine) {
	for _, m := range []*machine{a, b} {
		m.world = w
		m.out = &channel{Line: w.NewLine(impair.Impairment{Bandwidth: line.rate, Queue: 1 << 40}, 1, 1), way: line.way}
		m.heard, m.err = nil, nil
	}
	a.peer, b.peer = b, a
	a.wake()
	b.wake()
}

func newMachine(config ExchangeConfig) *machine {
	s := NewStore(0)
	return &machine{Exchange: NewExchange(s, config), store: s}
}

// pair is two machines and their line.
func pair(line plain) (w *virtual.World, a, b *machine) {
	w = &virtual.World{}
	a, b = newMachine(ExchangeConfig{}), newMachine(ExchangeConfig{})
	connect(w, line, a, b)
	return w, a, b
}

// wake does what the owner of an exchange has to do after each call of it.
func (m *machine) wake() {
	now, out := m.world.Time(), m.out
	for _, b := range m.Outgoing(now, out.backlog, out.unsent) {
		m.send(b)
	}
	m.heard = append(m.heard, m.Events()...)
	if next := m.NextWake(now); !next.IsZero() && next != m.waked {
		m.waked = next
		m.world.At(next.Sub(epoch), func() {
			if m.out == out && m.waked == next {
				m.wake()
			}
		})
	}
}

// do calls something of the exchange, as its owner does.
func (m *machine) do(f func()) {
	f()
	m.wake()
}

// done is the parts that were fetched, failed the others.
func (m *machine) done() (done []Part, failed []PartFailed) {
	for _, e := range m.heard {
		switch e := e.(type) {
		case PartDone:
			done = append(done, e.Part)
		case PartFailed:
			failed = append(failed, e)
		}
	}
	return done, failed
}

func (m *machine) manifests() (all []Manifest) {
	for _, e := range m.heard {
		if e, ok := e.(ManifestReceived); ok {
			all = append(all, e.Manifest)
		}
	}
	return all
}
