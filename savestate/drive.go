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
