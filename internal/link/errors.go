package link

import (
	"errors"
	"fmt"

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
