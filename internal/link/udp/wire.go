package udp

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"slices"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/conn"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/wire"
)

// The datagrams between two ENet links, version 5. All numbers are big endian,
// "uv" is an unsigned varint. The first byte is the kind.
//
// Before there is a session. Each ends with a tag of 16 bytes that only machines with the
// room's secret can make; what has none is not answered. An answer is never longer than
// what it answers, so nobody can be flooded through us by forging a sender's address.
//
//	knock      A0 version:1 nonce:8 zeros                     64 bytes, dialer: may I?
//	challenge  A1 version:1 nonce:8 cookie:20                 show that you get my answers
//	open       A2 version:1 nonce:8 cookie:20 noise:48 zeros  256 bytes, dialer: I do
//	accept     A3 version:1 nonce:8 session:8 noise:96        then this is our session
//	refuse     A4 version:1 nonce:8 code:1 words              no, because
//	finish     A5 version:1 session:8 noise:64                dialer, until it hears something
//	ask        A6 version:1 session:8                         silent peer, do you know it still?
//	gone       A7 version:1 session:8                         I know no such session
//	still      A8 version:1 nonce:8 tag:16 zeros              64 bytes, dialer: is my secret still your room's?
//
// "still" is for a machine that does not answer: who dials with an invitation of an earlier room of its. Its last tag, and
// that of the refusal that answers it, are made with the machine's key, which each invitation tells. The tag within is the
// secret's, of the bytes before it; where it is right there is no answer.
//
// The three "noise" are the handshake of package seal. Within a session all is sealed:
//
//	sealed     B0 session:8 counter:6 (kind:1 body) tag:16
//
// and kind and body are one of
//
//	carrier    C0 ENet datagram                package conn's datagrams, as unsequenced packets
//	word       C1 datagram of package conn's   the last word where there is no ENet connection
//	check      C7 seq:4                        does this pair lead to you?
//	checked    C9 seq:4                        it does; by the path that it came by
//	candidates CA number:1 seen:1 count:1 (ip:16 port:2)*   addresses that I may have
//	carry      CB machine:12 datagram          bring this to that machine of the room
//	carried    CC machine:12 datagram          this comes from that machine
//	seen       CD ip:16 port:2                 I see you there

const wireVersion = 5

type kind byte

const (
	kindKnock     kind = 0xA0
	kindChallenge kind = 0xA1
	kindOpen      kind = 0xA2
	kindAccept    kind = 0xA3
	kindRefuse    kind = 0xA4
	kindFinish    kind = 0xA5
	kindAsk       kind = 0xA6
	kindGone      kind = 0xA7
	kindStill     kind = 0xA8

	kindSealed kind = 0xB0

	kindCarrier kind = 0xC0
	kindWord    kind = 0xC1
	kindCheck   kind = 0xC7
	kindChecked kind = 0xC9

	kindCandidates kind = 0xCA
	kindCarry      kind = 0xCB
	kindCarried    kind = 0xCC
	kindSeen       kind = 0xCD
)

const (
	knockSize     = 64
	openSize      = 256
	greetHeader   = 1 + 1 + 8
	cookieSize    = 20
	sessionHeader = 1 + 8

	// headRoom is the size of what stands before the body of a sealed datagram.
	headRoom = sessionHeader + seal.BodyOffset + 1

	// sealedAround is by how many bytes a sealed datagram is longer than its body.
	sealedAround = sessionHeader + 1 + seal.Overhead

	// maxDatagram is the most we send or read: where a path was found to carry it, see [conn.Conn.Size].
	maxDatagram = conn.MaxDatagram + enetAround + sealedAround

	// maxCarrying is the same with another one inside.
	maxCarrying = carryHeader + maxDatagram + sealedAround
)

// All that may stand around an ENet datagram is what package link leaves room for, and the largest input, and on the
// worst path half of it, need no more.
const (
	allAround = 2*sealedAround + carryHeader + relay.HeaderSize

	_ = uint(link.PathBase - allAround - link.PathPayload)
	_ = uint(link.PathPayload + allAround - link.PathBase)
	_ = uint(link.PathPayload - enetAround - conn.InputHeader - link.MaxInput)
	_ = uint(link.PathLeast - allAround - enetAround - conn.HalfHeader - (link.MaxInput+1)/2)
	_ = uint(relay.MaxDatagram - maxDatagram - allAround)
)

// refusal is the code of a refuse datagram.
type refusal byte

const (
	refuseVersion refusal = 1
	refuseFull    refusal = 2
	refuseSelf    refusal = 3
	refuseSecret  refusal = 4
)

var refusals = [...]string{
	refuseVersion: "it speaks another version of the protocol",
	refuseFull:    "it takes no more connections",
	refuseSelf:    "the address is this program's own",
	refuseSecret:  "the invitation is outdated",
}

func (r refusal) String() string { return phrase.Named(refusals[:], r, "it gave no reason") }

var (
	errLength = errors.New("wrong length")
	errKind   = errors.New("unknown kind")
)

// greeting is a decoded datagram of the time before a session.
type greeting struct {
	kind    kind
	version byte
	nonce   uint64
	cookie  [cookieSize]byte   // challenge, open
	noise   []byte             // open, accept, finish
	session uint64             // accept
	code    refusal            // refuse
	words   string             // refuse
	tag     [seal.TagSize]byte // still
}

// padded are the lengths of greetings with zeros at the end.
var padded = map[kind]int{kindKnock: knockSize, kindOpen: openSize, kindStill: knockSize}

func (g greeting) append(b []byte) []byte {
	c := wire.Writer(append(b, byte(g.kind), g.version))
	wire.Big(c, "nonce", &g.nonce, 8)
	g.fields(c)
	b = c.Bytes()
	return append(b, make([]byte, max(0, padded[g.kind]-len(b)))...)
}

// isGreeting tells the two halves of the protocol apart.
func isGreeting(b []byte) bool { return len(b) > 0 && b[0]&0xF0 == 0xA0 }

// decodeGreeting reads a greeting. Of one with another version only kind,
// version and nonce are set, for nothing else can be known about it.
func decodeGreeting(b []byte) (greeting, error) {
	if len(b) < greetHeader {
		return greeting{}, fmt.Errorf("greeting of %d bytes: %w", len(b), errLength)
	}
	g := greeting{kind: kind(b[0]), version: b[1], nonce: binary.BigEndian.Uint64(b[2:])}
	if g.kind < kindKnock || g.kind > kindStill {
		return greeting{}, fmt.Errorf("greeting %#x: %w", b[0], errKind)
	}
	if g.version != wireVersion {
		return g, nil
	}
	c := wire.Reader(b[greetHeader:])
	g.fields(c)
	if size, ok := padded[g.kind]; ok {
		if len(b) != size || len(bytes.Trim(c.Bytes(), "\x00")) > 0 {
			c.Fail("padding", "not zeros up to %d bytes", size)
		}
		c.Skip()
	}
	if err := c.End(); err != nil {
		return greeting{}, fmt.Errorf("greeting %#x of %d bytes: %w", b[0], len(b), err)
	}
	return g, nil
}

// fields are those after the nonce.
func (g *greeting) fields(c *wire.Coder) {
	switch g.kind {
	case kindChallenge:
		c.Fixed("cookie", g.cookie[:])
	case kindOpen:
		c.Fixed("cookie", g.cookie[:])
		c.Part("noise", &g.noise, seal.Overhead1)
	case kindAccept:
		wire.Big(c, "session", &g.session, 8)
		c.Part("noise", &g.noise, seal.Overhead2)
	case kindFinish:
		c.Part("noise", &g.noise, seal.Overhead3)
	case kindStill:
		c.Fixed("tag", g.tag[:])
	case kindRefuse:
		words := []byte(phrase.Cut(g.words, link.MaxReason))
		wire.Big(c, "code", &g.code, 1)
		c.Rest("words", &words, 0, link.MaxReason)
		g.words = string(words)
	}
}

// sessionPrefix starts every datagram of a session.
func sessionPrefix(b []byte, session uint64) []byte {
	return binary.BigEndian.AppendUint64(append(b, byte(kindSealed)), session)
}

// sealedSession reads the session of a sealed datagram.
func sealedSession(b []byte) (session uint64, ok bool) {
	if len(b) < headRoom || kind(b[0]) != kindSealed {
		return 0, false
	}
	return binary.BigEndian.Uint64(b[1:]), true
}

const (
	checkSize     = 4
	maxCandidates = 8
	candidateSize = 16 + 2
)

func appendCheck(b []byte, seq uint32) []byte { return binary.BigEndian.AppendUint32(b, seq) }

func decodeCheck(b []byte) (seq uint32, err error) {
	if len(b) != checkSize {
		return 0, fmt.Errorf("check of %d bytes: %w", len(b), errLength)
	}
	return binary.BigEndian.Uint32(b), nil
}

// candidates is a list of addresses. Lists are numbered from 1; seen is the number of the
// last one that the peer has sent, 0 for none.
type candidates struct {
	number, seen byte
	list         []netip.AddrPort
}

func (l candidates) append(b []byte) []byte {
	c := wire.Writer(b)
	l.fields(c)
	return c.Bytes()
}

func decodeCandidates(b []byte) (l candidates, err error) {
	c := wire.Reader(b)
	l.fields(c)
	l.list = slices.DeleteFunc(l.list, func(a netip.AddrPort) bool { return !possible(a) })
	return l, c.End()
}

func (l *candidates) fields(c *wire.Coder) {
	wire.Big(c, "number", &l.number, 1)
	wire.Big(c, "seen", &l.seen, 1)
	wire.List(c, "candidates", &l.list, maxCandidates, func(c *wire.Coder, at *netip.AddrPort) { c.AddrPort("candidate", at) })
}

// possible reports whether somebody can have an address.
func possible(a netip.AddrPort) bool {
	return a.Port() != 0 && !a.Addr().IsUnspecified() && !a.Addr().IsMulticast()
}

func appendAddr(b []byte, a netip.AddrPort) []byte {
	c := wire.Writer(b)
	c.AddrPort("seen", &a)
	return c.Bytes()
}

func decodeSeen(b []byte) (a netip.AddrPort, err error) {
	c := wire.Reader(b)
	if c.AddrPort("seen", &a); !possible(a) || relay.IsRelayed(a) {
		c.Fail("seen", "%v, where nobody can be", a)
	}
	return a, c.End()
}

// carryHeader is the size of the header before a datagram that is carried.
const carryHeader = len(relay.Mailbox{})

// decodeCarry reads whose datagram it is, and the datagram.
func decodeCarry(b []byte) (box relay.Mailbox, datagram []byte, err error) {
	if len(b) <= carryHeader || len(b) > carryHeader+maxDatagram {
		return box, nil, fmt.Errorf("datagram of %d bytes to carry: %w", len(b), errLength)
	}
	return relay.Mailbox(b), b[carryHeader:], nil
}

// packet is a datagram from the network in a reused buffer. One byte more than
// is allowed shows what was too long. Once opened it is kind and body, at the place where
// they were sealed.
type packet struct {
	n      int
	from   netip.AddrPort
	newest bool // none that was sent later has come before
	buf    [maxCarrying + relay.HeaderSize + 1]byte
}

func (p *packet) bytes() []byte { return p.buf[:p.n] }

// kind and body are of a packet that was opened.
func (p *packet) kind() kind   { return kind(p.buf[headRoom-1]) }
func (p *packet) body() []byte { return p.buf[headRoom:p.n] }
