package link

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nettplay/nettplay/internal/phrase"
)

// Errors of Send and Listen, to be matched with errors.Is.
var (
	ErrUnknownPeer = errors.New("no such peer is connected")
	ErrTooLarge    = errors.New("message is too large for its channel")
	ErrBacklog     = errors.New("too much is waiting to be sent")
	ErrClosed      = errors.New("link is closed")
	ErrPortInUse   = errors.New("port is in use by another program")
	ErrBadChannel  = errors.New("no such channel")
)

// CheckMessage says whether data can be a message on ch.
func CheckMessage(ch Channel, data []byte) error {
	if ch > Input {
		return fmt.Errorf("send on channel %d: %w", ch, ErrBadChannel)
	}
	if len(data) > MaxMessage(ch) {
		return fmt.Errorf("send %d bytes on %s, of at most %d: %w", len(data), ch, MaxMessage(ch), ErrTooLarge)
	}
	return nil
}

// DialFailure is the kind of thing that kept Dial from connecting.
type DialFailure uint8

// The ways a Dial can fail.
const (
	Unresolved  DialFailure = iota + 1 // the address is malformed, or its name is not known
	Unreachable                        // the network has no way there
	Refused                            // the machine is there, but nobody listens on that port
	NoAnswer                           // nothing came back in time
	Unsteady                           // the other side was heard, but no connection came about in time
	Rejected                           // the other side answered, and said no; Err says why
	Aborted                            // the context ended, or the link was closed
	Deaf                               // nothing comes in from the internet, also not from servers that were asked
	Outdated                           // the machine is there, and its room has another secret than ours
	NoRoom                             // its relays know no such room
)

var failures = [...]string{
	Unresolved:  "address is not usable",
	Unreachable: "network is unreachable",
	Refused:     "nobody listens there",
	NoAnswer:    "no answer",
	Unsteady:    "there is an answer, but no connection comes about",
	Rejected:    "turned away",
	Aborted:     "given up",
	Deaf:        "nothing comes in from the internet",
	Outdated:    "the invitation is outdated",
	NoRoom:      "the relay knows no such room",
}

func (f DialFailure) String() string { return phrase.Named(failures[:], f, "failed") }

// DialError says why Dial could not connect to Addr.
type DialError struct {
	Addr string
	Why  DialFailure
	Err  error // details, may be nil
}

func (e *DialError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("dial %s: %s", e.Addr, e.Why)
	}
	return fmt.Sprintf("dial %s: %s: %v", e.Addr, e.Why, e.Err)
}

// Unwrap gives the details.
func (e *DialError) Unwrap() error { return e.Err }

// By says which side ended a connection.
type By uint8

// The sides.
const (
	ByLocal   By = iota + 1 // this side, by Disconnect or because the peer broke the protocol
	ByRemote                // the other side
	ByTimeout               // nobody: it fell silent
	ByLoss                  // nobody: the other side has lost the connection, for silence or with its memory of it
)

var sides = [...]string{
	ByLocal:   "this side",
	ByRemote:  "the other side",
	ByTimeout: "a time-out",
	ByLoss:    "the other side has lost it",
}

func (b By) String() string { return phrase.Named(sides[:], b, "nobody") }

// Reason says why a peer was disconnected. Text is a few words for people, at
// most MaxReason bytes of valid UTF-8 in one line; when By is ByRemote or ByLoss they
// may be the other side's and say anything.
type Reason struct {
	By   By
	Text string
}

func (r Reason) String() string {
	if r.Text == "" {
		return "ended by " + r.By.String()
	}
	if r.By == ByRemote || r.By == ByLoss {
		return r.By.String() + ": " + r.Text // so the words are not ours
	}
	return r.Text
}

// Words makes s fit to be sent, shown and logged: valid UTF-8 without control
// or formatting characters, at most max bytes.
func Words(s string, max int) string {
	s = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) ||
			unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) {
			return ' '
		}
		return r
	}, phrase.Cut(s, 4*max))
	return strings.TrimSpace(phrase.Cut(s, max))
}

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
		return "The game host's computer was heard, so the address is right. The connection may be losing a lot, or many may be trying to connect. Try again; if it happens often, use a cable instead of a wireless network, or another internet connection."
	case Deaf:
		return "This network seems to block UDP. Ask for a room with a relay, or try another network, such as a phone's."
	case NoAnswer, Unreachable:
		return "Is the room still open? From outside the game host's network you need its invitation: ask your friend for a new one. If you have that, the routers keep you apart: send your friend the answer that nettplay shows, or ask for a room with a relay (docs/hosting.md)."
	}
	return ""
}
