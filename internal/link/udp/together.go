package udp

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/stream"
	"github.com/nettplay/nettplay/internal/seal"
)

// While inputs flow, a datagram goes to the peer sixty times a second. Pings, their answers,
// progress, and ENet's own acknowledgements and pings go with the next one: each alone would
// cost a datagram, and 60 bytes of headers.

const (
	togetherWait = 20 * time.Millisecond // for it, at most
	flowing      = 2 * togetherWait      // after an input the next one is expected
	mostTogether = 8                     // bodies in a datagram
	idleWaits    = 3                     // datagrams of ENet's own that wait
)

// together holds what waits for the next datagram.
type together struct {
	input  time.Time // when an input was last sent
	since  time.Time // when the first of what follows began to wait, zero when nothing waits
	ping   bool
	pong   *pinged
	idle   [][]byte // datagrams of ENet's own: kind and body
	buffer []byte   // headRoom bytes, and room for a datagram behind them
}

// pinged is a ping that is to be answered.
type pinged struct {
	seq, count uint32 // the ping's number, and what was received up to it
	at         time.Time
}

// flows reports whether a datagram with an input is expected soon.
func (t *together) flows(now time.Time) bool { return now.Sub(t.input) < flowing }

// wait notes that something waits.
func (t *together) wait(now time.Time) {
	if t.since.IsZero() {
		t.since = now
	}
}

// rest returns the time that what waits still may, at most d.
func (t *together) rest(now time.Time, d time.Duration) time.Duration {
	if t.since.IsZero() {
		return d
	}
	return min(d, t.since.Add(togetherWait).Sub(now))
}

// keep keeps a datagram of ENet's own, headRoom bytes and the body, until the next one goes. It is
// not ok where that one is not near, or enough wait.
func (t *together) keep(b []byte, now time.Time) bool {
	if !t.flows(now) || len(t.idle) == idleWaits || !isIdle(b[headRoom:]) {
		return false
	}
	t.idle = append(t.idle, append([]byte{byte(kindMain)}, b[headRoom:]...))
	t.wait(now)
	return true
}

// pingSoon has a ping go with the next datagram, or now if none is near.
func (s *session) pingSoon(now time.Time) {
	if !s.together.flows(now) {
		s.send(kindPing, s.newPing(now))
		return
	}
	s.together.ping = true
	s.together.wait(now)
}

// pongSoon answers a ping with the next datagram, or now if none is near.
func (s *session) pongSoon(p pinged, now time.Time) {
	if !s.together.flows(now) || s.together.pong != nil {
		s.send(kindPong, s.newPong(p, now))
		return
	}
	s.together.pong = &p
	s.together.wait(now)
}

// waiting takes what waits, and what else the peer should hear of, as kinds with their bodies.
func (s *session) waiting(now time.Time) (list [][]byte) {
	t := &s.together
	list, t.idle = append(list, t.idle...), t.idle[:0]
	if t.pong != nil {
		list = append(list, append([]byte{byte(kindPong)}, s.newPong(*t.pong, now)...))
	}
	if t.ping {
		list = append(list, append([]byte{byte(kindPing)}, s.newPing(now)...))
	}
	if s.progress() != s.told {
		list = append(list, stream.AppendProgress([]byte{byte(kindProgress)}, s.tellProgress()))
	}
	t.pong, t.ping, t.since = nil, false, time.Time{}
	return list
}

// transmitAll sends what ENet sends on the main carrier, headRoom bytes and the body, with all that
// waits.
func (s *session) transmitAll(b []byte, now time.Time) {
	var list [][]byte
	if len(b) <= headRoom+roomyMain { // else the rest comes with a shorter one, or alone
		list = s.waiting(now)
	}
	if len(list) == 0 {
		s.transmit(kindMain, b)
		return
	}
	b[headRoom-1] = byte(kindMain)
	s.sendTogether(append(list, b[headRoom-1:]))
}

// tellAlone sends what has waited for too long.
func (s *session) tellAlone(now time.Time) {
	if s.together.rest(now, time.Second) > 0 {
		return
	}
	switch list := s.waiting(now); len(list) {
	case 0:
	case 1:
		s.send(kind(list[0][0]), list[0][1:])
	default:
		s.sendTogether(list)
	}
}

// roomyMain is the limit, in bytes, of a main datagram that has others with it: with all that can wait, kinds and sizes
// they still pass every path in one piece.
const roomyMain = link.PathPayload - 3 - idleWaits*(idleSize+2) - 3*(echoSize+2)

// echoSize is the most bytes of an echo, or of progress: six numbers of ten bytes.
const echoSize = 11 + 6*binary.MaxVarintLen64

// sendTogether sends kinds with their bodies in one datagram.
func (s *session) sendTogether(list [][]byte) {
	t := &s.together
	if t.buffer == nil {
		t.buffer = make([]byte, headRoom, headRoom+stream.CarrierMTU+seal.Overhead)
	}
	s.transmit(kindTogether, appendTogether(t.buffer, list))
}

// appendTogether appends the body of a together datagram.
func appendTogether(b []byte, list [][]byte) []byte {
	for _, part := range list {
		b = binary.AppendUvarint(b, uint64(len(part)))
		b = append(b, part...)
	}
	return b
}

var errTogether = errors.New("together datagram")

// splitTogether reads the body of a together datagram: kinds with their bodies, which are part of b.
func splitTogether(b []byte) (list [][]byte, err error) {
	for len(b) > 0 {
		size, n := binary.Uvarint(b)
		if n <= 0 || size == 0 || size > uint64(len(b)-n) || n > 1 && b[n-1] == 0 {
			return nil, fmt.Errorf("%w: size of body %d: %w", errTogether, len(list), errLength)
		}
		part := b[n : n+int(size)]
		switch kind(part[0]) {
		case kindMain, kindPing, kindPong, kindProgress:
		default:
			return nil, fmt.Errorf("%w: body %d is of kind %#x: %w", errTogether, len(list), part[0], errKind)
		}
		if len(list) == mostTogether {
			return nil, fmt.Errorf("%w: more than %d bodies", errTogether, mostTogether)
		}
		list, b = append(list, part), b[n+int(size):]
	}
	return list, nil
}

// deliverAll leaves the datagrams that came together for the session.
func (s *session) deliverAll(p *packet, now time.Time) {
	list, err := splitTogether(p.body())
	if err != nil {
		return // like what is damaged
	}
	for _, part := range list {
		q := s.link.packets.Get().(*packet)
		q.from, q.newest = p.from, p.newest
		q.n = headRoom - 1 + copy(q.buf[headRoom-1:], part)
		if !s.deliver(q, now) {
			s.link.packets.Put(q)
		}
	}
}
