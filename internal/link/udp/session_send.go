package udp

import (
	"math"
	"time"

	"github.com/nettplay/nettplay/internal/link/stream"
	"github.com/nettplay/nettplay/internal/seal"
)

// transmit seals what stands in b behind headRoom free bytes, and sends it to the peer, in two pieces where it is more
// than the path carries.
func (s *session) transmit(k kind, b []byte) {
	if len(b)-headRoom+sealedAround > s.sizing.path.Size() {
		s.transmitPieces(k, b)
		return
	}
	s.transmitWhole(k, b)
}

// transmitWhole sends it in one datagram. One that the system refuses is lost, like one that the network
// loses.
func (s *session) transmitWhole(k kind, b []byte) {
	b, ok := s.seal(k, b)
	if !ok {
		return
	}
	s.counters.sent.Add(1)
	s.counters.sentBytes.Add(int64(len(b)))
	s.sizing.path.Sent(len(b), time.Now())
	_ = s.link.write(b, s.address())
}

// send sends a datagram that is not ENet's.
func (s *session) send(k kind, body []byte) {
	s.transmit(k, append(make([]byte, headRoom, headRoom+len(body)+seal.Overhead), body...))
}

// newPing is a ping that goes now.
func (s *session) newPing(now time.Time) []byte {
	count := uint32(s.counters.sent.Load()) + 1
	s.mu.Lock()
	seq := s.meter.Ping(now, count)
	s.mu.Unlock()
	return s.echo(echo{seq: seq, count: count})
}

// newPong answers a ping now.
func (s *session) newPong(p pinged, now time.Time) []byte {
	held := min(max(now.Sub(p.at)/heldUnit, 0), math.MaxUint16)
	return s.echo(echo{seq: p.seq, count: p.count, held: uint16(held)})
}

// echo is the body of a ping or a pong, which tells the peer our progress.
func (s *session) echo(e echo) []byte {
	if s.carriers.wanting {
		e.flags |= flagReopen
	}
	e.progress = s.tellProgress()
	return e.append(make([]byte, 0, 64))
}

// progress returns that of our streams.
func (s *session) progress() (p [stream.Count]stream.Progress) {
	for i := range s.streams {
		p[i] = s.streams[i].Progress()
	}
	return p
}

// tellProgress is the same, of which the peer is told now.
func (s *session) tellProgress() [stream.Count]stream.Progress {
	s.told, s.untold = s.progress(), time.Time{}
	return s.told
}
