package assembly

import (
	"context"
	"iter"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/savestate"
)

// Session is an assembler's view of the session around it. It is called on the session's goroutine.
type Session interface {
	// Background runs a job on another goroutine, and what it returns on the session's; or
	// drop, on whatever goroutine, when the session is over before that.
	Background(job func() (after, drop func()))
	// Me is this machine, GameHost the one that is game host.
	Me() int
	GameHost() int
	// ROM is a game on this machine by its SHA-256, nil if it is not here.
	ROM(sha [32]byte) *emucore.ROM
}

// Config holds the settings by which this machine makes consoles.
type Config struct {
	Core  emucore.Core
	Start game.StartConsole     // nil for worker processes
	Tweak func(*emucore.Config) // changes what a console is started with, for tests; may be nil
	// Returns has consoles be able to go back, in rooms with rollback.
	Returns bool
	Upload  int64 // limit for the parts that are sent to one machine, bytes a second; 0 for none
}

// An Assembler makes one assembly after the other. It belongs to the session's goroutine.
type Assembler struct {
	ctx       context.Context
	session   Session
	cfg       Config
	store     *savestate.Store
	exchanges [ds.MaxMachines]*savestate.Exchange // by directly connected machine
	newest    map[ds.Seat]savestate.Manifest      // of the newest assembly
	current   *Assembly                           // nil for none
}

// New makes an assembler whose jobs end with ctx.
func New(ctx context.Context, s Session, cfg Config) *Assembler {
	return &Assembler{
		ctx: ctx, session: s, cfg: cfg, store: savestate.NewStore(0),
	}
}

// Store has the parts of consoles that are on this machine.
func (s *Assembler) Store() *savestate.Store { return s.store }

// Current is the assembly under way, nil for none.
func (s *Assembler) Current() *Assembly { return s.current }

// Parts of consoles travel between directly connected machines by an exchange for
// each of them, which lives as long as both are in the room: over starts and
// resyncs, so that nothing comes twice because something is begun again, and over
// connections that break and are replaced.

// resyncBits are those of a start's number that tell which resync it is; 0 is for
// the start of a round.
const resyncBits = 12

// startID is the number of the start of a round, or of one of its resyncs. They
// rise. An exchange calls it a round.
func startID(round uint32, r *game.Resync) uint32 {
	id := round << resyncBits
	if r != nil {
		id += uint32(min(r.Number, 1<<resyncBits-1))
	}
	return id
}

// keptParts is the number of packed bytes that are kept of the start before, for one that is begun
// again: so many leave room for the next one.
const keptParts = savestate.DefaultStoreLimit / 4

// retain forgets the parts of all starts but the last, to make room for another, but not
// those of consoles that are to come in, now or later.
func (s *Assembler) retain(coming []map[ds.Seat]savestate.Manifest) {
	parts, size := partsOf(s.newest)
	if size > keptParts {
		parts = nil
	}
	for _, manifests := range coming {
		more, _ := partsOf(manifests)
		parts = append(parts, more...)
	}
	s.store.Retain(parts)
}

// partsOf are the parts of some consoles, and how many packed bytes they have.
func partsOf(manifests map[ds.Seat]savestate.Manifest) (parts []savestate.Part, size int64) {
	for _, m := range manifests {
		for _, p := range m.Parts {
			parts, size = append(parts, p), size+p.PackedSize
		}
	}
	return parts, size
}

// Exchange is the one with a machine.
func (s *Assembler) Exchange(machine int) *savestate.Exchange {
	x := s.exchanges[machine]
	if x == nil {
		x = savestate.NewExchange(s.store, savestate.ExchangeConfig{
			Rate: s.cfg.Upload,
			Background: func(job func()) {
				s.session.Background(func() (func(), func()) { job(); return func() {}, nil })
			},
		})
		s.exchanges[machine] = x
	}
	return x
}

// Exchanges are those that there are, by rising machine.
func (s *Assembler) Exchanges() iter.Seq2[int, *savestate.Exchange] {
	return func(yield func(int, *savestate.Exchange) bool) {
		for machine, x := range s.exchanges {
			if x != nil && !yield(machine, x) {
				return
			}
		}
	}
}

// EndExchange is for a machine that is not in the room any more.
func (s *Assembler) EndExchange(machine int) {
	if x := s.exchanges[machine]; x != nil {
		x.Close()
		s.exchanges[machine] = nil
	}
	if s.current != nil {
		delete(s.current.exchanges, machine)
	}
}

// Reconnected tells the exchange with a machine, if there is one, that it goes on over
// another connection. It must be called before anything is taken from that connection.
func (s *Assembler) Reconnected(machine int) {
	if x := s.exchanges[machine]; x != nil {
		x.Reset()
	}
}

// Connects reports whether a connection goes, or should go, to another machine.
func (s *Assembler) Connects(machine int) bool {
	return machine != s.session.Me() && (s.hosting() || machine == s.session.GameHost())
}

// hosting reports whether this machine is game host.
func (s *Assembler) hosting() bool { return s.session.Me() == s.session.GameHost() }

// lacks reports whether a part of a console is not here yet.
func (s *Assembler) lacks(p savestate.Part) bool { return !s.store.Has(p) }

// handOn tells all exchanges that something has come.
func (s *Assembler) handOn() {
	for _, x := range s.Exchanges() {
		x.Available()
	}
}
