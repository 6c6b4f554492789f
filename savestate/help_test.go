package savestate

import (
	"crypto/sha256"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
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

// machine is one end of a line with an exchange.
type machine struct {
	*Exchange
	store *Store
	world *virtual.World
	out   *line
	peer  *machine
	heard []Event
	err   error
	waked time.Time
}

var epoch = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func (m *machine) time() time.Time { return epoch.Add(m.world.Now) }

// connect joins two exchanges by a line that is alike in both directions.
func connect(w *virtual.World, model lineModel, a, b *machine) {
	for _, m := range []*machine{a, b} {
		m.world = w
		m.out = newLine(w, model)
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
func pair(model lineModel) (w *virtual.World, a, b *machine) {
	w = &virtual.World{}
	a, b = newMachine(ExchangeConfig{}), newMachine(ExchangeConfig{})
	connect(w, model, a, b)
	return w, a, b
}

// wake does what the owner of an exchange has to do after each call of it.
func (m *machine) wake() {
	now := m.time()
	line, peer := m.out, m.peer
	for _, b := range m.Outgoing(now, line.backlog, line.unsent()) {
		line.send(b, func() { peer.receive(line, b) })
	}
	m.heard = append(m.heard, m.Events()...)
	if next := m.NextWake(now); !next.IsZero() && next != m.waked {
		m.waked = next
		m.world.At(next.Sub(epoch), func() {
			if m.out == line && m.waked == next {
				m.wake()
			}
		})
	}
}

// receive takes a message from a line, unless that has been replaced.
func (m *machine) receive(from *line, b []byte) {
	if m.err != nil || m.peer.out != from {
		return
	}
	m.err = m.Receive(m.time(), b)
	m.wake()
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
