package savestate

import (
	"errors"
	"fmt"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

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
	kindTrial:    {"trial", taking((*Exchange).takeTrial)},
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
	for machine := range ds.Seats {
		if m, ok := x.trials[machine]; ok {
			x.say(kindTrial, &trial{m})
		}
	}
	x.resetFetching()
}
