package udp

import (
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/stream"
)

// perTurn is the limit of datagrams, and of segments, a class and turn.
const perTurn = 64

// session is the connection to one peer. run's goroutine owns it; others only use
// what is above the line, which locks.
type session struct {
	identity
	signals
	link *Link
	way  atomic.Pointer[way]

	old     bool // it was replaced, or gives way; the link's mu guards this and the next
	vouched bool // not a stranger's; see door.go

	in      inbox
	out     outbox
	sealing sealing
	opened  opened // of the accepting side

	mu       sync.Mutex // guards meter
	meter    stream.Meter
	failure  link.Reason // why it never was open; for others once ready is closed
	counters counters

	// ---- run's own

	course
	carriers carriers
	streams  [stream.Count]stream.In
	telling
	pending  pending
	connects bucket
	ways     ways
	member   membership
	turning
	together together
	sizing   sizing

	pieces pieces // the reader's own
}

// identity tells sessions apart. It never changes.
type identity struct {
	id     link.PeerID
	wire   uint64 // on the wire
	nonce  uint64 // of the dialer
	name   string // the first addr in words
	dialer bool
	prev   <-chan struct{} // done of the one it replaces, whose events come first; nil for none
}

// signals are the channels between run and other goroutines.
type signals struct {
	wake  chan struct{} // something was left for run
	ready chan struct{} // closed when the session is open, or over
	done  chan struct{} // closed when its events are taken, or the link is closed
}

// course is how far the session is.
type course struct {
	phase  stream.Phase
	began  time.Time   // of the phase
	reason link.Reason // of our Disconnect
	hop    *hop
}

// telling remembers what the peer was told last.
type telling struct {
	told   [stream.Count]stream.Progress
	untold time.Time // since when there is news, zero if none
	ping   time.Time // of the last ping
	bye    time.Time // of the last bye
	asked  time.Time // of the last greeting about the session
}

// turning is the working memory of a turn. Its slices are used again.
type turning struct {
	lastTurn       time.Time
	active         bool     // the last turn moved something
	acks           []uint16 // of a datagram
	came           []*packet
	fresh, repairs [stream.Count][][]byte
}

// poke has run take a turn.
func (s *session) poke() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// way is the present route of a session's datagrams, for other goroutines.
type way struct {
	addr   netip.AddrPort // of the peer
	direct link.Direct
}

// address is where the peer is now.
func (s *session) address() netip.AddrPort { return s.way.Load().addr }

func (s *session) enter(p stream.Phase, now time.Time) { s.phase, s.began = p, now }

// deliver leaves an opened packet for the session and says whether there was room.
func (s *session) deliver(p *packet, now time.Time) bool {
	if !s.in.put(p, now) {
		return false
	}
	s.poke()
	return true
}

// counters are of a session's datagrams. Bytes are UDP payload.
type counters struct {
	sent, received           atomic.Int64
	sentBytes, receivedBytes atomic.Int64
	inputsDropped            atomic.Int64
	reopened, repaired       atomic.Int64
}
