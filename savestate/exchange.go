package savestate

import (
	"errors"
	"fmt"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// ExchangeConfig holds the settings of an [Exchange]. The zero value is fine.
type ExchangeConfig struct {
	// Rate is the most bytes of parts to send a second, 0 for as many as the
	// link takes.
	Rate int64
	// Background runs a job on another goroutine. The exchange gives it the
	// verification of parts that have come, some tens of milliseconds for a
	// state; when a job is done, Events and Outgoing should be called soon. Nil
	// runs jobs at once, within Receive.
	Background func(job func())
}

// Limits of what one peer may have us keep.
const (
	maxWants   = 64  // parts it wants at a time
	maxFetches = 64  // parts we want at a time
	maxTalk    = 256 // answers that nobody has taken from Outgoing
	maxHeard   = 256 // events that nobody has taken
)

// An Exchange carries manifests and parts between this machine and one other,
// both ways, for as long as they know each other: over the rounds of a room
// ([Exchange.Round]) and over reconnections ([Exchange.Reset]). It does no I/O:
// times are arguments, and the owner sends what Outgoing
// returns. Its methods must be called by one goroutine at
// a time; the [Store] it fills may be shared.
//
// The owner calls Outgoing after each Receive and other call, and at NextWake. Coming late costs throughput.
type Exchange struct {
	store  *Store
	config ExchangeConfig
	talk   [][]byte // control messages to send
	events []Event
	moved  int64 // see Moved

	parts map[Part]bool  // that the peer may fetch
	high  map[Part]int64 // up to where it has had them

	// What is known of the rounds of the room. Only manifests have a round: parts are known by their hashes, so it
	// does not matter for which of them one is sent, and what has come of it counts. See rounds.go.
	round       uint32
	offers      map[ds.Seat]Manifest // ours, by seat
	lastOffers  map[ds.Seat]Manifest // and of the round before: the peer may be in it still
	offered     map[ds.Seat]Manifest // the peer's, by seat
	lastOffered map[ds.Seat]Manifest // and of rounds before, of seats it has not offered in this one
	early       map[ds.Seat]offer    // the peer's for a round to come, by seat
	trials      map[ds.Seat]Manifest // ours, of no round, by machine

	serving // parts that the peer gets, on the present connection: serve.go

	// Parts that we get: fetch.go.
	fetches []*download // in the order of their tags
	tag     uint32      // the highest so far
	fetched Progress    // of what is no longer in fetches
	results results
}

// Moved returns the bytes of parts that have come here and to the peer, ever: what the peer fetches
// again does not count again. No peer can claim more than it was sent.
func (x *Exchange) Moved() int64 { return x.moved }

func (x *Exchange) say(kind byte, f fields) { x.talk = append(x.talk, encode(kind, f)) }

func (x *Exchange) tell(e Event) { x.events = append(x.events, e) }

// An Event is one of [ManifestReceived], [PartDone] and [PartFailed].
type Event interface{ event() }

// ManifestReceived tells that the peer offers the parts of a console in this round.
// The same one is told once a round. Whether the peer may speak for that seat is for the owner of
// the exchange to know.
type ManifestReceived struct{ Manifest Manifest }

// PartDone says that a part to fetch is in the store, verified.
type PartDone struct{ Part Part }

// PartFailed says that a part will not arrive: Err matches [ErrForged],
// [ErrNotOffered] or [ErrStoreFull], or says what else is wrong with its bytes.
// Nothing of it is kept. It may be fetched again.
type PartFailed struct {
	Part Part
	Err  error
	// Garbage says that the peer is to blame, nobody else: it has sent bytes that
	// are not what its own manifest promises. An honest one cannot, whoever made
	// the part, for it hands out only what it has verified.
	Garbage bool
}

// ErrNotOffered says that the peer does not offer a part, or no longer does.
var ErrNotOffered = errors.New("the peer does not offer it")

func (ManifestReceived) event() {}
func (PartDone) event()         {}
func (PartFailed) event()       {}

// Progress counts packed bytes.
type Progress struct{ Done, Total int64 }

// add counts p in.
func (p *Progress) add(done, total int64) { p.Done += done; p.Total += total }

// NewExchange returns an exchange with a peer whose parts come from and go to
// store.
func NewExchange(store *Store, config ExchangeConfig) *Exchange {
	x := &Exchange{
		store: store, config: config,
		parts: make(map[Part]bool), high: make(map[Part]int64),
		offers: make(map[ds.Seat]Manifest), lastOffers: make(map[ds.Seat]Manifest),
		offered: make(map[ds.Seat]Manifest), lastOffered: make(map[ds.Seat]Manifest), early: make(map[ds.Seat]offer),
	}
	return x
}

// Receive takes a message of the peer's that arrived now.
// The message is not kept. An error means that the peer broke the protocol, and
// names the message and the field: end the connection.
func (x *Exchange) Receive(now time.Time, message []byte) error {
	if len(message) == 0 {
		return errors.New("empty message")
	}
	k, known := kinds[message[0]]
	if !known {
		return fmt.Errorf("message %#x: not known", message[0])
	}
	if err := k.take(x, wire.Reader(message[1:])); err != nil {
		return fmt.Errorf("%s: %w", k.name, err)
	}
	if len(x.talk) > maxTalk {
		return errors.New("too many requests at a time")
	}
	return nil
}

// kinds has the name of each kind of message, for errors, and what takes it.
var kinds = map[byte]struct {
	name string
	take func(x *Exchange, c *wire.Coder) error
}{
	kindManifest: {"manifest", taking((*Exchange).handleManifest)},
	kindWant:     {"want", taking((*Exchange).handleWant)},
	kindChunk:    {"chunk", taking((*Exchange).handleChunk)},
	kindRefuse:   {"refuse", taking((*Exchange).handleRefuse)},
	kindStop:     {"stop", taking((*Exchange).handleStop)},
	kindTrial:    {"trial", taking((*Exchange).handleTrial)},
}

// taking reads the fields of a message, which must fill it, and has it taken.
func taking[T any, P interface {
	*T
	fields
}](take func(x *Exchange, m P) error,
) func(*Exchange, *wire.Coder) error {
	return func(x *Exchange, c *wire.Coder) error {
		m := P(new(T))
		if m.code(c); c.End() != nil {
			return c.Err()
		}
		return take(x, m)
	}
}

// Outgoing returns the messages to send now, in this order, on a reliable and
// ordered channel, by how many bytes there the peer has not confirmed, and how many of those have not gone yet.
func (x *Exchange) Outgoing(now time.Time, unconfirmed, unsent int64) [][]byte {
	x.collect()
	x.confirm(unconfirmed)
	flying := unconfirmed - unsent
	out := x.talk
	x.talk = nil
	for _, m := range out {
		x.given += int64(len(m))
		unsent += int64(len(m))
	}
	return x.appendChunks(now, flying, unsent, out)
}

// lookAgain is the time after which the link has taken some of its backlog.
const lookAgain = 3 * time.Millisecond

// NextWake returns the time at which Outgoing should be called again, unless another call
// changes that; the zero time when nothing is to be expected.
func (x *Exchange) NextWake(now time.Time) time.Time {
	switch {
	case len(x.talk) > 0:
		return now
	case x.next() != nil:
		return later(x.due, now.Add(lookAgain))
	case len(x.flight) > 0:
		return now.Add(5 * lookAgain)
	}
	return time.Time{}
}

// Events returns the events since the last call.
func (x *Exchange) Events() []Event {
	x.collect()
	e := x.events
	x.events = nil
	return e
}

// Available says that the store has got something: what the peer wants of it is
// sent from now on, and what we fetch and now have is done.
func (x *Exchange) Available() {
	x.settleServing()
	x.settleFetching()
}

// Reset is for a new connection to the same peer, which has to do the same.
// Offers are made again, and parts go on where they were.
func (x *Exchange) Reset() {
	x.talk = nil
	x.resetServing()
	for seat := range ds.Seats {
		if m, ok := x.offers[seat]; ok {
			x.say(kindManifest, &offer{x.round, m})
		}
	}
	for machine := range ds.Seats {
		if m, ok := x.trials[machine]; ok {
			x.say(kindTrial, &trial{m})
		}
	}
	x.resetFetching()
}
