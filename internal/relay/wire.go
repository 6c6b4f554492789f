package relay

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"time"
)

// The datagrams between a machine and a relay, version 1. The first byte is the kind, the
// second the version. All numbers are big endian.
//
//	claim    D0 1 mailbox:12 owner:16 cookie:16 zeros   64 bytes: this mailbox is mine
//	prove    D1 1 mailbox:12 cookie:16                  then show that you get my answers
//	held     D2 1 mailbox:12 seconds:2 ip:16 port:2     it is yours for so long; I see you there
//	refused  D3 1 mailbox:12 why:1                      it is not
//	post     D4 1 mailbox:12 datagram                   carry this there
//	brought  D5 1 mailbox:12 datagram                   this comes from there
//	nobody   D6 1 mailbox:12                            nobody holds that mailbox
//	unknown  D7 1 mailbox:12                            you hold none: claim yours again
//	publish  D8 1 locator:12 invitation                 give this to those who ask for it
//	public   D9 1 locator:12                            I do, while you hold your mailbox
//	ask      DA 1 locator:12 zeros                      512 bytes: what is there?
//	found    DB 1 locator:12 invitation                 this; or nobody
//	leaving  DC 1 mailbox:12                            I end soon: go to another relay
//	put      DD 1 key:12 kind:1 body                    publish this (entry.go); no body: no more
//	kept     DE 1 key:12 kind:1 number:8                I do, while you hold your mailbox; no number: it is gone
//	browse   DF 1 tag:12 epoch:8 next:8 whole:8 zeros   1200 bytes: which open rooms changed? (rooms.go)
//	page     E0 1 tag:12 epoch:8 next:8 whole:8 flags:1 (key:12 size:2 listing)*    these; no listing: it is gone
//	seek     E1 1 tag:12 count:1 key:12* zeros          1200 bytes: what do these friends, 3 at most, let me know?
//	sought   E2 1 tag:12 (key:12 size:2 body)*          this
//
// The holder of a mailbox claims it again before its time is over, without a cookie. A machine that
// shows the owner's number may come from a new address, as one does whose router forgot it.
// The list of the relay's siblings is under the locator of zeros (siblings.go).
const (
	wireVersion = 1

	kindClaim   = 0xD0
	kindProve   = 0xD1
	kindHeld    = 0xD2
	kindRefused = 0xD3
	kindPost    = 0xD4
	kindBrought = 0xD5
	kindNobody  = 0xD6
	kindUnknown = 0xD7
	kindPublish = 0xD8
	kindPublic  = 0xD9
	kindAsk     = 0xDA
	kindFound   = 0xDB
	kindLeaving = 0xDC
	kindPut     = 0xDD
	kindKept    = 0xDE
	kindBrowse  = 0xDF
	kindPage    = 0xE0
	kindSeek    = 0xE1
	kindSought  = 0xE2

	claimSize = 64
	seenSize  = 16 + 2
	askSize   = 512 // no answer is longer

	browseSize = 1200 // of browse and seek: no answer is longer, and no network breaks it up
	pageHeader = HeaderSize + 3*8 + 1
	maxSeek    = 3
	flagMore   = 1
	flagReset  = 2
)

// HeaderSize is by how many bytes a datagram grows on its way to a relay and from it.
const HeaderSize = 2 + len(Mailbox{})

// MaxDatagram is the longest that a relay carries, with its header.
const MaxDatagram = 1472

// MaxInvitation is how many bytes can be published.
const MaxInvitation = askSize - HeaderSize

// why is the reason of a refusal.
type why byte

const (
	whyVersion why = 1
	whyTaken   why = 2
	whyFull    why = 3
	whyCode    why = 4
	whyLeaving why = 5

	whyListed   why = 6
	whyListings why = 7
	whyListing  why = 8
)

func (w why) String() string {
	switch w {
	case whyVersion:
		return "it speaks another version of the protocol: update nettplay"
	case whyTaken:
		return "another program holds this machine's place in the room"
	case whyFull:
		return "it has no room for more players"
	case whyCode:
		return "somebody else has published this room's short code"
	case whyLeaving:
		return "it is about to stop"
	case whyListed:
		return "somebody else is listed there"
	case whyListings:
		return "it lists no more of this network"
	case whyListing:
		return "it does not list that: update nettplay"
	}
	return "it gave no reason"
}

// proof is a cookie: it shows that its sender gets what is sent to its address.
type proof [16]byte

// Owner shows that a claim comes from the holder of a mailbox. Nobody but the holder and
// the relay knows it.
type Owner [16]byte

var (
	errLength  = errors.New("wrong length")
	errKind    = errors.New("unknown kind")
	errVersion = errors.New("another version")
)

// message is a decoded datagram.
type message struct {
	kind    byte
	mailbox Mailbox        // all: what it is about, who it goes to, who it is from; or a Locator
	owner   Owner          // claim
	cookie  proof          // claim, prove
	life    time.Duration  // held, whole seconds
	seen    netip.AddrPort // held
	why     why            // refused
	body    []byte         // post, brought, publish, found
	entries []Entry        // put and kept, one; seek and sought
	page    page           // browse, page
}

func (m message) append(b []byte) []byte {
	start := len(b)
	b = append(b, m.kind, wireVersion)
	b = append(b, m.mailbox[:]...)
	switch m.kind {
	case kindClaim:
		b = append(b, m.owner[:]...)
		b = append(b, m.cookie[:]...)
		b = append(b, make([]byte, start+claimSize-len(b))...)
	case kindProve:
		b = append(b, m.cookie[:]...)
	case kindHeld:
		b = binary.BigEndian.AppendUint16(b, uint16(m.life/time.Second))
		ip := m.seen.Addr().As16()
		b = binary.BigEndian.AppendUint16(append(b, ip[:]...), m.seen.Port())
	case kindRefused:
		b = append(b, byte(m.why))
	case kindPost, kindBrought, kindPublish, kindFound:
		b = append(b, m.body...)
	case kindAsk:
		b = append(b, make([]byte, start+askSize-len(b))...)
	case kindPut, kindKept, kindBrowse, kindPage, kindSeek, kindSought:
		return m.appendIndex(b, start)
	}
	return b
}

// sizes are the lengths of the kinds whose length is fixed.
var sizes = map[byte]int{
	kindClaim: claimSize, kindProve: HeaderSize + len(proof{}), kindHeld: HeaderSize + 2 + seenSize,
	kindRefused: HeaderSize + 1, kindNobody: HeaderSize, kindUnknown: HeaderSize, kindPublic: HeaderSize, kindLeaving: HeaderSize, kindAsk: askSize,
	kindBrowse: browseSize, kindSeek: browseSize,
}

// decode reads a datagram. Its body is a part of b. Of one of another version only
// kind and mailbox are set.
func decode(b []byte) (m message, err error) {
	if len(b) < HeaderSize || len(b) > MaxDatagram {
		return m, fmt.Errorf("datagram of %d bytes: %w", len(b), errLength)
	}
	m.kind, m.mailbox = b[0], Mailbox(b[2:])
	if b[1] != wireVersion {
		return m, fmt.Errorf("version %d: %w", b[1], errVersion)
	}
	rest := b[HeaderSize:]
	size, fixed := sizes[m.kind]
	switch {
	case fixed && len(b) != size, !fixed && len(rest) == 0 && m.kind != kindSought:
		return m, fmt.Errorf("datagram %#x of %d bytes: %w", m.kind, len(b), errLength)
	case m.kind == kindClaim:
		m.owner, m.cookie = Owner(rest), proof(rest[len(Owner{}):])
	case m.kind == kindProve:
		m.cookie = proof(rest)
	case m.kind == kindHeld:
		m.life = time.Duration(binary.BigEndian.Uint16(rest)) * time.Second
		m.seen = netip.AddrPortFrom(netip.AddrFrom16([16]byte(rest[2:])).Unmap(), binary.BigEndian.Uint16(rest[18:]))
	case m.kind == kindRefused:
		m.why = why(rest[0])
	case m.kind == kindPost, m.kind == kindBrought:
		m.body = rest
	case m.kind >= kindPut && m.kind <= kindSought:
		return m, m.decodeIndex(rest)
	case m.kind == kindPublish, m.kind == kindFound:
		if len(rest) > MaxInvitation {
			return m, fmt.Errorf("invitation of %d bytes: %w", len(rest), errLength)
		}
		m.body = rest
	case !fixed:
		return m, fmt.Errorf("datagram %#x: %w", m.kind, errKind)
	}
	return m, nil
}
