package savestate

import (
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// ExchangeConfig holds the settings of an [Exchange]. The zero value is fine.
type ExchangeConfig struct {
	// Rate is the most bytes of parts to send a second, 0 for as many as the
	// line carries.
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
// ([Exchange.Round]) and over connections that are replaced ([Exchange.Reset]). It
// is pure: times come in as arguments, and what Outgoing and Probes
// return is for the owner to send. Its methods may be called by one goroutine at
// a time; the [Store] it fills may be shared.
//
// The owner calls Outgoing and Probes after each Receive and other call, and at
// NextWake. Coming late costs throughput. Call Receive with the time when the
// message arrived, as exactly as possible: the line is measured by it.
type Exchange struct {
	store  *Store
	config ExchangeConfig
	clock  clock
	remote remote
	talk   [][]byte // control messages to send
	events []Event
	moved  int64 // see Moved

	parts map[Part]bool  // that the peer may fetch
	high  map[Part]int64 // up to where it has had them

	rounds
	serving
	fetching
	probing
}

// NewExchange returns an exchange with a peer whose parts come from and go to
// store.
func NewExchange(store *Store, config ExchangeConfig) *Exchange {
	x := &Exchange{
		store: store, config: config,
		parts: make(map[Part]bool), high: make(map[Part]int64), rounds: newRounds(),
	}
	x.serving.pacer = newPacer(config.Rate)
	return x
}

// Offer tells the peer of a manifest, and lets it fetch the parts. It takes the
// place of the one offered before for the same seat. The store need not hold the
// parts yet; see [Exchange.Available]. An invalid manifest is an error.
func (x *Exchange) Offer(m Manifest) error {
	if err := m.Validate(); err != nil {
		return fmt.Errorf("offer: %w", err)
	}
	x.offers[m.Seat] = m
	x.reoffer()
	x.lookForServing() // what the peer waits for since an earlier round may be here by now
	x.say(kindManifest, &offer{x.round, m})
	return nil
}

// reoffer draws up what may be fetched, and refuses what waits for anything else.
func (x *Exchange) reoffer() {
	clear(x.parts)
	for _, offers := range []map[ds.Seat]Manifest{x.offers, x.lastOffers} {
		for _, m := range offers {
			for _, p := range m.Parts {
				x.parts[p] = true
			}
		}
	}
	maps.DeleteFunc(x.high, func(p Part, _ int64) bool { return !x.parts[p] })
	x.refuseWithdrawn()
}

// Moved returns the bytes of parts that have come here and to the peer, ever: what the peer fetches
// again does not count again. No peer can claim more than it was sent.
func (x *Exchange) Moved() int64 { return x.moved }

func (x *Exchange) say(kind byte, f fields) { x.talk = append(x.talk, encode(kind, f)) }

func (x *Exchange) tell(e Event) { x.events = append(x.events, e) }

// Receive takes a message of the peer's that arrived now, on whatever channel.
// The message is not kept. An error means that the peer broke the protocol, and
// names the message and the field: end the connection.
func (x *Exchange) Receive(now time.Time, message []byte) error {
	at := x.clock.read(now)
	if len(message) == 0 {
		return errors.New("empty message")
	}
	k, known := kinds[message[0]]
	if !known {
		return fmt.Errorf("message %#x: not known", message[0])
	}
	if err := k.take(x, at, wire.Reader(message[1:])); err != nil {
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
	take func(x *Exchange, now time.Duration, c *wire.Coder) error
}{
	kindManifest: {"manifest", taking((*Exchange).takeManifest)},
	kindWant:     {"want", taking((*Exchange).takeWant)},
	kindChunk:    {"chunk", taking((*Exchange).takeChunk)},
	kindAck:      {"ack", taking((*Exchange).takeAcks)},
	kindRefuse:   {"refuse", taking((*Exchange).takeRefuse)},
	kindStop:     {"stop", taking((*Exchange).takeStop)},
	kindProbe:    {"probe", taking((*Exchange).takeProbe)},
	kindEcho:     {"echo", taking((*Exchange).takeEcho)},
}

// taking reads the fields of a message, which must fill it, and has it taken.
func taking[T any, P interface {
	*T
	fields
}](take func(x *Exchange, now time.Duration, m P) error,
) func(*Exchange, time.Duration, *wire.Coder) error {
	return func(x *Exchange, now time.Duration, c *wire.Coder) error {
		m := P(new(T))
		if m.code(c); c.End() != nil {
			return c.Err()
		}
		return take(x, now, m)
	}
}

// Outgoing returns the messages to send now, in this order, on a reliable and
// ordered channel.
func (x *Exchange) Outgoing(now time.Time) [][]byte {
	at := x.clock.read(now)
	x.collect()
	out := x.talk
	x.talk = nil
	return x.appendAcks(at, x.appendChunks(at, out))
}

// NextWake returns the time at which Outgoing or Probes will next have something to send, unless
// another call changes that; the zero time when nothing is to be expected.
func (x *Exchange) NextWake(now time.Time) time.Time {
	at := x.clock.read(now)
	if len(x.talk) > 0 || len(x.echoes) > 0 {
		return now
	}
	var wake earliest
	wake.add(x.ackBy, len(x.acks) > 0)
	wake.add(x.wakeChunks(at))
	wake.add(x.wakeProbe(at))
	if !wake.known {
		return time.Time{}
	}
	return now.Add(max(0, wake.at-at))
}

// earliest is the first of several moments.
type earliest struct {
	at    time.Duration
	known bool
}

func (e *earliest) add(at time.Duration, ok bool) {
	if ok && (!e.known || at < e.at) {
		*e = earliest{at, true}
	}
}

// Events returns what has happened since the last call.
func (x *Exchange) Events() []Event {
	x.collect()
	e := x.events
	x.events = nil
	return e
}

// Available says that the store has got something: what the peer wants of it is
// sent from now on, and what we fetch and now have is done.
func (x *Exchange) Available() {
	x.lookForServing()
	x.lookForFetching()
}

// Reset is for a new connection to the same peer, which has to do the same.
// Offers are made again, and parts go on where they were.
func (x *Exchange) Reset() {
	x.talk, x.acks, x.echoes = nil, nil, nil
	x.remote = remote{}
	x.probing = probing{}
	x.resetServing()
	for seat := range ds.Seats {
		if m, ok := x.offers[seat]; ok {
			x.say(kindManifest, &offer{x.round, m})
		}
	}
	x.resetFetching()
}
