package udp

import (
	"context"
	"net"
	"net/netip"
	"syscall"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/sockets"
)

// absentWithin is the longest wait for an answer.
const absentWithin = 2 * time.Second

// Absent implements Link.
func (l *Link) Absent(ctx context.Context, addr string) bool {
	to, err := netip.ParseAddrPort(addr)
	if err != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, absentWithin)
	defer cancel()
	defer context.AfterFunc(l.life, cancel)()
	absent := make(chan link.DialError, 1)
	l.start(&l.dialing, func() {
		defer cancel()
		l.probe(ctx, to, absent)
	})
	<-ctx.Done()
	return len(absent) > 0 && (<-absent).Why == link.Refused
}

const probeEvery = 500 * time.Millisecond

// probeAll finds out soon whether the system knows of nobody there. The link's own socket speaks
// with many and so never hears of ICMP errors; a connected one does. Each probe
// knocks, and listens only for errors.
func (l *Link) probeAll(ctx context.Context, targets []netip.AddrPort) <-chan link.DialError {
	absent := make(chan link.DialError, len(targets))
	for _, t := range targets {
		if !relay.IsRelayed(t) { // the relay does not know
			l.start(&l.dialing, func() { l.probe(ctx, t, absent) })
		}
	}
	return absent
}

func (l *Link) probe(ctx context.Context, to netip.AddrPort, absent chan<- link.DialError) {
	local := &net.UDPAddr{IP: l.conn.LocalAddr().(*net.UDPAddr).IP}
	if local.IP.IsUnspecified() {
		local = nil // it need not be of the address's family
	}
	conn, err := net.DialUDP("udp", local, net.UDPAddrFromAddrPort(to))
	if err != nil {
		return // sending shows it, too
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	hearErrors(conn)
	knock := l.room().tagged(greeting{kind: kindKnock, version: wireVersion, nonce: random()})
	for ctx.Err() == nil {
		_, err := conn.Write(knock)
		if err == nil {
			_ = conn.SetReadDeadline(time.Now().Add(probeEvery))
			_, err = conn.Read(make([]byte, maxDatagram))
		}
		switch {
		case err == nil:
			return // somebody is there
		case sockets.Refused(err):
			absent <- link.DialError{Why: link.Refused, Err: syscall.ECONNREFUSED}
			return
		case sockets.Unreachable(err):
			absent <- link.DialError{Why: link.Unreachable, Err: err}
			return
		}
	}
}
