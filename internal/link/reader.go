package link

import (
	"errors"
	"net"
	"net/netip"
	"syscall"
	"time"
)

// read is the goroutine that reads the socket. It decides nothing about sessions.
func (l *ENet) read() {
	defer l.reading.Done()
	for {
		p := l.packets.Get().(*packet)
		n, from, err := l.conn.ReadFromUDPAddrPort(p.buf[:])
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // some systems report what happened to an earlier send
			time.Sleep(time.Millisecond)
			l.reuse(p)
			continue
		}
		p.n = n
		from = netip.AddrPortFrom(from.Addr().Unmap(), from.Port())
		if !l.route(p, from, time.Now()) {
			l.reuse(p)
		}
	}
}

// unread says whether datagrams have come that the reader has not got to.
func (l *ENet) unread() (some bool) {
	raw, err := l.conn.SyscallConn()
	if err != nil {
		return false
	}
	_ = raw.Control(func(fd uintptr) {
		_, _, err := syscall.Recvfrom(int(fd), make([]byte, 1), syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		some = err == nil
	})
	return some
}

func (l *ENet) reuse(p *packet) { l.packets.Put(p) }

// route brings a datagram where it belongs and says whether it was kept.
func (l *ENet) route(p *packet, from netip.AddrPort, now time.Time) bool {
	if p.n > maxDatagram {
		return false
	}
	if isGreeting(p.bytes()) {
		l.greet(p.bytes(), from, now)
		return false
	}
	k, session, _, err := splitSession(p.bytes())
	if err != nil {
		return false
	}
	l.mu.RLock()
	s := l.byWire[wireKey{from, session}]
	l.mu.RUnlock()
	if s == nil {
		l.stranger(k, session, from, now)
		return false
	}
	s.counters.received.Add(1)
	s.counters.receivedBytes.Add(int64(p.n))
	if !s.in.put(k, p, now) {
		return false
	}
	s.poke()
	return true
}
