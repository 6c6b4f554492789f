package udp

import (
	"errors"
	"net"
	"net/netip"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/relay"
)

// read is the goroutine that reads the socket. It decides nothing about sessions.
func (l *Link) read() {
	for {
		p := l.packets.Get().(*packet)
		n, from, err := l.conn.ReadFromUDPAddrPort(p.buf[:])
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // some systems report what happened to an earlier send
			time.Sleep(time.Millisecond)
			l.packets.Put(p)
			continue
		}
		p.n = n
		from = netip.AddrPortFrom(from.Addr().Unmap(), from.Port())
		if !l.route(p, from, time.Now()) {
			l.packets.Put(p)
		}
	}
}

// route brings a datagram where it belongs and says whether it was kept. It opens what is
// sealed here, so that nothing forged takes a session's room. The readers of the socket and
// of the tunnels take turns.
func (l *Link) route(p *packet, from netip.AddrPort, now time.Time) bool {
	l.routing.Lock()
	defer l.routing.Unlock()
	if !l.elsewhere.Load() && !ds.IsLocal(from.Addr()) {
		l.elsewhere.Store(true)
	}
	if relay.IsFrame(p.bytes()) {
		var ok bool
		if from, ok = l.unwrap(p, from, now); !ok {
			return false
		}
	}
	if p.n > maxCarrying {
		return false
	}
	if isSTUN(p.bytes()) {
		l.stunned(p.bytes())
		return false
	}
	return l.receive(p, from, now)
}

// receive brings a greeting, or what is sealed, where it belongs. A datagram that was carried once is not
// carried again.
func (l *Link) receive(p *packet, from netip.AddrPort, now time.Time) bool {
	if isGreeting(p.bytes()) {
		return p.n <= maxDatagram && l.greet(p, from, now)
	}
	wire, ok := sealedSession(p.bytes())
	if !ok {
		return false
	}
	s := l.byNumber(wire)
	if s == nil {
		return false
	}
	if s.waits(p, from) {
		return true
	}
	if !s.open(p, from) {
		return false
	}
	switch k := p.kind(); {
	case k != kindCarry && k != kindCarried:
		s.deliver(p, now)
	case isBetween(from):
	case k == kindCarry:
		l.carry(s, p, now)
	default:
		at, ok := l.carried(s, p, now)
		return ok && l.receive(p, at, now)
	}
	return false
}

// receiveAgain takes a packet that has waited for the end of a handshake.
func (l *Link) receiveAgain(p *packet, from netip.AddrPort, now time.Time) {
	l.routing.Lock()
	defer l.routing.Unlock()
	if !l.receive(p, from, now) {
		l.packets.Put(p)
	}
}
