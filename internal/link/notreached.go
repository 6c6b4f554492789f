package link

import (
	"errors"
	"fmt"
	"net"
)

// NotReached are a connection that was not made, in a player's words.
func NotReached(err error) error {
	dial, ok := errors.AsType[*DialError](err)
	if !ok {
		return err
	}
	words := dial.Why.String()
	if dial.Why == Refused {
		words = "no room is open there"
	}
	dns, named := errors.AsType[*net.DNSError](err)
	switch {
	case named && dns.IsNotFound:
		words = fmt.Sprintf("there is no machine called %q", dns.Name)
	case dial.Err != nil && (dial.Why == Unresolved || dial.Why == Rejected):
		words = fmt.Sprintf("%v: %v", dial.Why, dial.Err)
	}
	return &notReached{fmt.Sprintf("could not connect to %s: %s", dial.Addr, words), dial}
}

// notReached is a [DialError] in a player's words.
type notReached struct {
	words string
	dial  *DialError
}

func (e *notReached) Error() string { return e.words }

func (e *notReached) Unwrap() error { return e.dial }

// NobodyThere reports whether an error tells that the machine answered, and nobody has a room open at the port:
// the room that was there is closed.
func NobodyThere(err error) bool {
	dial, ok := errors.AsType[*DialError](err)
	return ok && dial.Why == Refused
}

// Hint returns advice for the player, "" for none.
func Hint(err error) string {
	dial, ok := errors.AsType[*DialError](err)
	if !ok {
		return ""
	}
	switch dial.Why {
	case Unresolved:
		return "Check the address for typing mistakes: it is the game host's IP address or name, and :PORT if it is not the usual one."
	case Refused:
		return "Is the room open, and the port right? Ask the game host for a new invitation."
	case Outdated:
		return "The game host has another room open now. Ask for a new invitation."
	case NoRoom:
		return "The room is closed, or the game host has another one open now, or no connection to the relay. Ask for a new invitation."
	case Unsteady:
		return "The game host's machine was heard, so the address is right. The connection may be losing a lot, or many may be trying to connect. Try again; if it happens often, use a cable instead of a wireless network, or another internet connection."
	case Deaf:
		return "This network seems to block UDP. Ask for a room with a relay, or try another network, such as a phone's."
	case NoAnswer, Unreachable:
		return "Is the room still open? From outside the game host's network you need its invitation: ask your friend for a new one. If you have that, the routers keep you apart: send your friend the answer that nettplay shows, or ask for a room with a relay (docs/hosting.md)."
	}
	return ""
}
