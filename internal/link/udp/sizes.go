package udp

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/paths"
	"github.com/nettplay/nettplay/internal/link/stream"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
)

// Networks differ in how large a datagram they carry, and most of those that carry less drop what is larger without a
// word. Each side finds out by itself what its datagrams may be (paths.Size). Messages are cut so that a segment
// fits, and what was cut for a better path, or ENet has put into one datagram, goes in two pieces.

// sizing is how large the datagrams of a session may be. The session's goroutine owns it.
type sizing struct {
	path  paths.Size
	fits  int    // what messages are cut for; written under out's lock
	piece uint32 // number of the last datagram that went in pieces
}

// around is by how many bytes a datagram to an address grows on its way.
func around(to netip.AddrPort) int {
	switch {
	case isBetween(to): // and that machine may be behind a relay
		return allAround - sealedAround
	case relay.IsRelayed(to):
		return relay.HeaderSize
	}
	return 0
}

// beginSizes is for a new path.
func (s *session) beginSizes() {
	grows := around(s.address())
	s.sizing.path.Begin(link.PathLeast-grows, link.PathBase-grows, maxDatagram)
	s.fit()
}

// fit has messages cut for what the path carries.
func (s *session) fit() {
	fits := s.sizing.path.Size() - sealedAround
	if fits == s.sizing.fits {
		return
	}
	s.out.mu.Lock()
	defer s.out.mu.Unlock()
	s.sizing.fits = fits
	for i := range s.out.streams {
		s.out.streams[i].Fit(fits)
	}
}

// tendSize looks for what the path carries.
func (s *session) tendSize(now time.Time) {
	if s.phase == stream.Opening || s.phase == stream.Over {
		return
	}
	number, size, after := s.sizing.path.Due(s.carriers.rtt, now)
	s.fit()
	if size == 0 {
		return
	}
	b := make([]byte, headRoom+size-sealedAround, headRoom+size+seal.Overhead)
	binary.BigEndian.PutUint32(b[headRoom:], number)
	if b, ok := s.seal(kindSize, b); ok {
		s.counters.sentBytes.Add(int64(len(b)))
		_ = s.link.write(b, s.address())
	}
	if after {
		s.ping = now
		s.pingSoon(now)
	}
}

// listenSize acts on a probe of the peer's, and on its answer to ours.
func (s *session) listenSize(k kind, b []byte, now time.Time) {
	switch {
	case len(b) < 4:
	case k == kindSize:
		s.send(kindSized, b[:4])
	default:
		s.sizing.path.Answered(binary.BigEndian.Uint32(b), now)
		s.fit()
	}
}

const (
	pieceHeader = 4 + 1
	piecesKept  = 64 // halves that wait for their others
)

// transmitPieces sends what stands in b behind headRoom free bytes in two datagrams.
func (s *session) transmitPieces(k kind, b []byte) {
	b[headRoom-1] = byte(k)
	whole := b[headRoom-1:]
	half := (len(whole) + 1) / 2
	s.sizing.piece++
	for i, part := range [...][]byte{whole[:half], whole[half:]} {
		p := piece{s.sizing.piece, byte(i), part}
		s.transmitWhole(kindPiece, p.append(make([]byte, headRoom, headRoom+pieceHeader+len(part)+seal.Overhead)))
	}
}

// piece is half of a kind and its body.
type piece struct {
	number uint32
	part   byte // 0, 1
	bytes  []byte
}

func (p piece) append(b []byte) []byte {
	return append(append(binary.BigEndian.AppendUint32(b, p.number), p.part), p.bytes...)
}

// decodePiece reads a piece; its bytes are part of b.
func decodePiece(b []byte) (p piece, err error) {
	if len(b) <= pieceHeader || len(b) > pieceHeader+(1+stream.CarrierMTU+1)/2 {
		return p, fmt.Errorf("piece of %d bytes: %w", len(b), errLength)
	}
	if b[4] > 1 {
		return p, fmt.Errorf("piece: part %d", b[4])
	}
	return piece{binary.BigEndian.Uint32(b), b[4], b[pieceHeader:]}, nil
}

// pieces are those whose others have not come. The zero value is ready.
type pieces struct {
	list []piece
	next int // to be forgotten
}

// add takes a piece, and returns the two halves once both are there. They are valid until the next call.
func (l *pieces) add(p piece) (first, second []byte, ok bool) {
	for i := range l.list {
		x := &l.list[i]
		if x.number != p.number || len(x.bytes) == 0 {
			continue
		}
		if x.part == p.part {
			return nil, nil, false
		}
		first, second = x.bytes, p.bytes
		if p.part == 0 {
			first, second = second, first
		}
		x.bytes = x.bytes[:0]
		return first, second, true
	}
	if len(l.list) < piecesKept {
		l.list = append(l.list, piece{})
		l.next = len(l.list) - 1
	}
	x := &l.list[l.next]
	*x = piece{p.number, p.part, append(x.bytes[:0], p.bytes...)}
	l.next = (l.next + 1) % piecesKept
	return nil, nil, false
}

// join leaves a datagram that came in pieces for the session; on the reader's goroutine.
func (s *session) join(p *packet, now time.Time) {
	half, err := decodePiece(p.body())
	if err != nil {
		return // like what is damaged
	}
	first, second, ok := s.pieces.add(half)
	if !ok || len(first)+len(second) > 1+stream.CarrierMTU {
		return
	}
	q := s.link.packets.Get().(*packet)
	q.from, q.newest = p.from, p.newest
	q.n = headRoom - 1 + copy(q.buf[headRoom-1:], first)
	q.n += copy(q.buf[q.n:], second)
	kept := false
	switch q.kind() {
	case kindMain, kindBulk:
		kept = s.deliver(q, now)
	case kindTogether:
		s.deliverAll(q, now)
	}
	if !kept {
		s.link.packets.Put(q)
	}
}
