package relay

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/wire"
)

// The datagrams between a machine and a relay. The first byte is the kind, the second the version. All numbers
// are big endian.
//
//	claim    D0 1 mailbox:12 owner:16 cookie:16 token:8 zeros   64 bytes: this mailbox is mine
//	prove    D1 1 mailbox:12 cookie:16                  then show that you get my answers
//	held     D2 1 mailbox:12 seconds:2 ip:16 port:2     it is yours for so long; I see you there
//	refused  D3 1 mailbox:12 why:1                      it is not
//	post     D4 1 mailbox:12 datagram                   carry this there
//	brought  D5 1 mailbox:12 datagram                   this comes from there
//	nobody   D6 1 mailbox:12                            nobody holds that mailbox (to a post that is long enough with its sender's token)
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
//
// Of version 2 they have a token:8 behind the first field, and those with a length in bytes are as much longer: the token
// of the holder's claim, which who forges an address does not see. A relay takes a holder's questions, and a machine takes a
// relay's answers, with that alone, once they know that the other has it: a claim without one, zeros, is an older program's, and a
// relay that answers without one is an older relay. Claims, and what has no answer (post, brought, unknown), are of version 1.
// The list of the relay's siblings is under the locator of zeros (siblings.go).
const (
	plainVersion = 1
	tokenVersion = 2

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
	askSize   = HeaderSize + MaxInvitation // 512: no answer is longer

	browseSize = 1200 // of browse and seek: no answer is longer, and no network breaks it up, nor with a token
	pageHeader = HeaderSize + 3*8 + 1
	maxSeek    = 3
)

// HeaderSize is by how many bytes a datagram grows on its way to a relay and from it.
const HeaderSize = 2 + len(Mailbox{})

// MaxDatagram is the longest that a relay carries, with its header.
const MaxDatagram = 1472

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
	whyUnlisted why = 9
)

var whys = [...]string{
	whyVersion:  "it speaks another version of the protocol: update nettplay",
	whyTaken:    "another program holds this machine's place in the room",
	whyFull:     "it has no room for more players",
	whyCode:     "somebody else has published this room's short code",
	whyLeaving:  "it is about to stop",
	whyListed:   "somebody else is listed there",
	whyListings: "it lists no more of this network",
	whyListing:  "it does not list that: update nettplay",
	whyUnlisted: "it lists no open rooms",
}

func (w why) String() string { return phrase.Named(whys[:], w, "it gave no reason") }

// proof is a cookie: it shows that its sender gets what is sent to its address.
type proof [16]byte

// Owner shows that a claim comes from the holder of a mailbox. Nobody but the holder and
// the relay knows it.
type Owner [16]byte

// token shows that a question is the holder's, and an answer the relay's. The holder draws it; zero is none.
type token [8]byte

// message is a decoded datagram.
type message struct {
	kind    byte
	mailbox Mailbox        // all: what it is about, who it goes to, who it is from; or a Locator
	token   token          // claim, and all of version 2
	owner   Owner          // claim
	cookie  proof          // claim, prove
	life    time.Duration  // held, whole seconds
	seen    netip.AddrPort // held
	why     why            // refused
	body    []byte         // post, brought, publish, found
	entries []Entry        // put and kept, one; seek and sought
	page    page           // browse, page
}

// version is that in which a message is written.
func (m message) version() byte {
	if m.token == (token{}) || isPlain(m.kind) {
		return plainVersion
	}
	return tokenVersion
}

// isPlain reports whether a kind is of the version without a token.
func isPlain(kind byte) bool {
	return kind == kindClaim || kind == kindPost || kind == kindBrought || kind == kindUnknown
}

func (m message) append(b []byte) []byte {
	start, version := len(b), m.version()
	c := wire.Writer(append(b, m.kind, version))
	m.fields(c, version)
	b = c.Bytes()
	size, _ := paddedTo(m.kind, version)
	return append(b, make([]byte, max(0, size-len(b)+start))...)
}

// padded are the lengths of the kinds with zeros at the end.
var padded = map[byte]int{kindClaim: claimSize, kindAsk: askSize, kindBrowse: browseSize, kindSeek: browseSize}

// paddedTo is the length of a kind with zeros at the end. It is not ok for another one.
func paddedTo(kind, version byte) (size int, ok bool) {
	size, ok = padded[kind]
	if ok && version == tokenVersion {
		size += len(token{})
	}
	return size, ok
}

// decode reads a datagram. Its body is a part of b. Of one of another version only
// kind and mailbox are set.
func decode(b []byte) (m message, err error) {
	if len(b) < HeaderSize || len(b) > MaxDatagram {
		return m, fmt.Errorf("datagram of %d bytes: %w", len(b), errLength)
	}
	m.kind, m.mailbox = b[0], Mailbox(b[2:])
	version := b[1]
	if version != plainVersion && (version != tokenVersion || isPlain(m.kind)) {
		return m, fmt.Errorf("version %d: %w", version, errVersion)
	}
	c := wire.Reader(b[2:])
	m.fields(c, version)
	if version == tokenVersion && m.token == (token{}) {
		c.Fail("token", "none")
	}
	if size, ok := paddedTo(m.kind, version); ok {
		if len(b) != size {
			c.Set(errLength)
		}
		c.Skip()
	}
	if err := c.End(); err != nil {
		return m, fmt.Errorf("datagram %#x of %d bytes: %w", m.kind, len(b), err)
	}
	return m, nil
}

// fields are those after kind and version.
func (m *message) fields(c *wire.Coder, version byte) {
	c.Fixed("mailbox", m.mailbox[:])
	if version == tokenVersion {
		c.Fixed("token", m.token[:])
	}
	switch m.kind {
	case kindClaim:
		c.Fixed("owner", m.owner[:])
		c.Fixed("cookie", m.cookie[:])
		c.Fixed("token", m.token[:])
	case kindProve:
		c.Fixed("cookie", m.cookie[:])
	case kindHeld:
		seconds := m.life / time.Second
		wire.Big(c, "life", &seconds, 2)
		m.life = seconds * time.Second
		c.AddrPort("seen", &m.seen)
	case kindRefused:
		wire.Big(c, "why", &m.why, 1)
	case kindPost, kindBrought:
		c.Rest("datagram", &m.body, 1, MaxDatagram-HeaderSize)
	case kindPublish, kindFound:
		c.Rest("invitation", &m.body, 1, MaxInvitation)
	case kindNobody, kindUnknown, kindPublic, kindAsk, kindLeaving:
	default:
		m.indexFields(c)
	}
}

// indexFields are those after the header of a datagram about the index. Bodies that are read are parts
// of it.
func (m *message) indexFields(c *wire.Coder) {
	switch m.kind {
	case kindPut, kindKept:
		if c.Reading() {
			m.entries = []Entry{{Key: Locator(m.mailbox)}}
		}
		e := &m.entries[0]
		wire.Big(c, "kind", &e.Kind, 1)
		size := len(e.Body)
		if c.Reading() {
			size = len(c.Bytes())
		}
		e.bodyField(c, size)
		if m.kind == kindKept && e.Body != nil && len(e.Body) != numberSize {
			c.Fail("number", "%d bytes", len(e.Body))
		}
	case kindBrowse, kindPage:
		for _, n := range [...]*uint64{&m.page.epoch, &m.page.next, &m.page.whole} {
			wire.Big(c, "page", n, 8)
		}
		if m.kind == kindPage {
			c.Flags("flags", &m.page.more, &m.page.reset)
			entryFields(c, KindRoom, &m.page.rooms)
		}
	case kindSeek:
		wire.List(c, "friends", &m.entries, maxSeek, func(c *wire.Coder, e *Entry) {
			e.Kind = KindFriend
			c.Fixed("key", e.Key[:])
		})
	case kindSought:
		entryFields(c, KindFriend, &m.entries)
	default:
		c.Set(errKind)
	}
}

// entryFields are entries of a kind, to the end of the datagram.
func entryFields(c *wire.Coder, of Kind, list *[]Entry) {
	for i := 0; c.Err() == nil; i++ {
		switch {
		case c.Reading() && len(c.Bytes()) > 0:
			*list = append(*list, Entry{Kind: of})
		case c.Reading() || i == len(*list):
			return
		}
		e := &(*list)[i]
		c.Fixed("key", e.Key[:])
		size := len(e.Body)
		wire.Big(c, "size", &size, 2)
		e.bodyField(c, size)
	}
}

// bodyField is the body, which has so many bytes when it is read: none of an entry that is gone.
func (e *Entry) bodyField(c *wire.Coder, size int) {
	if size > 0 {
		c.Part("body", &e.Body, size)
	}
	if c.Reading() {
		c.Set(e.check())
	}
}
