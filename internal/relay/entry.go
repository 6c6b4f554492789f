package relay

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Kind is a sort of thing that relays publish.
type Kind uint8

// The kinds.
const (
	KindCode   Kind = 1 // the sealed invitation that a short code stands for
	KindRoom   Kind = 2 // an open room, for everybody to read
	KindFriend Kind = 3 // what a player lets one friend know, sealed
)

// MaxInvitation, MaxListing and MaxSighting are the most bytes of an invitation, of an open
// room, and of what a friend is let know.
const (
	MaxInvitation = 498
	MaxListing    = 768
	MaxSighting   = 380
)

// MaxFriends is the greatest number of friends that a holder of a mailbox lets know.
const MaxFriends = 32

// bound limits the entries of a kind: the bytes of one. Bodies that are numbered begin with a number of
// 64 bits; a higher one is newer.
type bound struct {
	size     int
	numbered bool
}

var bounds = [...]bound{
	KindCode: {MaxInvitation, false}, KindRoom: {MaxListing, true}, KindFriend: {MaxSighting, true},
}

var (
	errLength  = errors.New("wrong length")
	errKind    = errors.New("unknown kind")
	errVersion = errors.New("another version")
)

// Entry is one thing that a relay publishes for a machine, under a key that nobody else has
// for this kind.
type Entry struct {
	Kind Kind
	Key  Locator
	Body []byte // nil: it is gone
}

// An entry between relays, version 1:
//
//	1 kind:1 key:12 body
const (
	entryVersion = 1
	entryHeader  = 2 + len(Locator{})
)

// MaxEntry is the limit of an encoded entry in bytes.
const MaxEntry = entryHeader + MaxListing

// Append encodes an entry for other relays.
func (e Entry) Append(b []byte) []byte {
	b = append(b, entryVersion, byte(e.Kind))
	return append(append(b, e.Key[:]...), e.Body...)
}

// DecodeEntry reads an entry of another relay. Its body is a part of b.
func DecodeEntry(b []byte) (e Entry, err error) {
	if len(b) < entryHeader {
		return e, fmt.Errorf("entry of %d bytes: %w", len(b), errLength)
	}
	if b[0] != entryVersion {
		return e, fmt.Errorf("entry of version %d: %w", b[0], errVersion)
	}
	e.Kind, e.Key = Kind(b[1]), Locator(b[2:])
	if rest := b[entryHeader:]; len(rest) > 0 {
		e.Body = rest
	}
	return e, e.check()
}

// check checks kind and length.
func (e Entry) check() error {
	if e.Kind == 0 || int(e.Kind) >= len(bounds) {
		return fmt.Errorf("entry of kind %d: %w", e.Kind, errKind)
	}
	of := bounds[e.Kind]
	if len(e.Body) > of.size || of.numbered && e.Body != nil && len(e.Body) < numberSize {
		return fmt.Errorf("entry of kind %d with %d bytes: %w", e.Kind, len(e.Body), errLength)
	}
	return nil
}

const numberSize = 8

// number returns the one by which an entry is newer than another one of its key; 0 for kinds without numbers.
func (e Entry) number() uint64 {
	if !bounds[e.Kind].numbered || len(e.Body) < numberSize {
		return 0
	}
	return binary.BigEndian.Uint64(e.Body)
}
