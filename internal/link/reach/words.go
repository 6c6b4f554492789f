package reach

import (
	"errors"
	"fmt"
	"net"

	"github.com/nettplay/nettplay/internal/link"
)

// Words are a connection that was not made, in a player's words.
func Words(err error) error {
	dial, ok := errors.AsType[*link.DialError](err)
	if !ok {
		return err
	}
	words := dial.Why.String()
	dns, named := errors.AsType[*net.DNSError](err)
	switch {
	case named && dns.IsNotFound:
		words = fmt.Sprintf("there is no machine called %q", dns.Name)
	case dial.Err != nil && (dial.Why == link.Unresolved || dial.Why == link.Rejected):
		words = fmt.Sprintf("%v: %v", dial.Why, dial.Err)
	}
	return fmt.Errorf("could not connect to %s: %s", dial.Addr, words)
}

// Hint returns advice for the player, "" for none.
func Hint(err error) string {
	dial, ok := errors.AsType[*link.DialError](err)
	if !ok {
		return ""
	}
	switch dial.Why {
	case link.Unresolved:
		return "Check the address for typing mistakes: it is the game host's IP address or name, and :PORT if it is not the usual one."
	case link.Refused:
		return "Is the room open? The game host must have started nettplay with that port."
	case link.Unsteady:
		return "The game host's machine was heard, so the address is right. The connection may lose much, or many try to connect. Try again; if it happens often, use a cable instead of a wireless network, or another internet connection."
	case link.Deaf:
		return "This network seems to let no UDP through. Ask for a room with a relay, or try another network, such as that of a phone."
	case link.NoAnswer, link.Unreachable:
		return "Is the room still open? From outside the game host's network you need its invitation: ask your friend for a new one. If you have that, the routers keep you apart: send your friend the answer that nettplay shows, or ask for a room with a relay (docs/hosting.md)."
	}
	return ""
}
