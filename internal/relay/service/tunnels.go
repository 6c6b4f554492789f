package service

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/nettplay/nettplay/internal/relay"
)

const (
	headerTime = 5 * time.Second
	headerSize = 8 << 10
	queuesMost = 64 << 20  // bytes that wait for all machines with a tunnel
	tunnelZone = "/tunnel" // of the addresses of tunnels, which a machine may have at UDP, too; no network card has the name
)

// quiet is where the HTTP server's complaints about strangers go: they name addresses.
var quiet = log.New(io.Discard, "", 0)

// enters counts a connection from an address, unless there are too many in all or from one network.
func (s *service) enters(from netip.Addr) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.guests >= s.cfg.Limits.Mailboxes || !s.crowd.Fits(from, s.cfg.Limits.PerHost) {
		return false
	}
	s.guests++
	s.crowd.Add(from, 1)
	return true
}

func (s *service) left(from netip.Addr) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.guests--
	s.crowd.Add(from, -1)
}

// bounded is a listener that hangs up on those that are too many. Connections from a proxy
// are counted when it has named the machine behind it.
type bounded struct {
	net.Listener
	s *service
}

func (l bounded) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		from := addrOf(c.RemoteAddr().String()).Addr()
		if l.s.byProxy(from) {
			return c, nil
		}
		if l.s.enters(from) {
			return &counted{Conn: c, leave: sync.OnceFunc(func() { l.s.left(from) })}, nil
		}
		_ = c.Close()
	}
}

// counted is a connection that is counted until it is closed.
type counted struct {
	net.Conn
	leave func()
}

func (c *counted) Close() error {
	c.leave()
	return c.Conn.Close()
}

// byProxy reports whether an address is that of the proxy.
func (s *service) byProxy(from netip.Addr) bool { return s.cfg.Proxied && from.IsLoopback() }

func addrOf(text string) netip.AddrPort {
	at, _ := netip.ParseAddrPort(text) // those of connections are addresses
	return netip.AddrPortFrom(at.Addr().Unmap(), at.Port())
}

// tunnel serves one machine until it goes, or ctx ends.
func (s *service) tunnel(ctx context.Context, w http.ResponseWriter, r *http.Request) {
	from := addrOf(r.RemoteAddr)
	if s.byProxy(from.Addr()) {
		named := r.Header.Get("X-Forwarded-For")
		at, err := netip.ParseAddr(strings.TrimSpace(named[strings.LastIndexByte(named, ',')+1:]))
		if err != nil {
			http.Error(w, "the proxy does not say who you are", http.StatusBadGateway)
			return
		}
		from = netip.AddrPortFrom(at.Unmap(), from.Port())
		if !s.enters(from.Addr()) {
			http.Error(w, "too many machines", http.StatusServiceUnavailable)
			return
		}
		defer s.left(from.Addr())
	}
	conn, err := relay.AcceptTunnel(w, r, &s.queues)
	if err != nil {
		return
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	s.carry(conn, netip.AddrPortFrom(netip.AddrFrom16(from.Addr().As16()).WithZone(tunnelZone), from.Port()))
}

// carry brings what comes through a tunnel to the relay.
func (s *service) carry(conn *relay.Tunnel, from netip.AddrPort) {
	s.mu.Lock()
	s.tunnels[from] = conn
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.tunnels[from] == conn {
			delete(s.tunnels, from)
		}
	}()
	for {
		b, err := conn.Receive()
		if err != nil {
			return
		}
		s.receive(b, from)
	}
}

// receive has the relay act on a datagram, and sends its answer. It changes b.
func (s *service) receive(b []byte, from netip.AddrPort) {
	s.mu.Lock()
	out, to := s.server.Receive(b, from, time.Since(s.began))
	s.mu.Unlock()
	if out != nil {
		s.send(out, to)
	}
}

// send sends by UDP, or through the tunnel that has the address.
func (s *service) send(b []byte, to netip.AddrPort) {
	s.mu.Lock()
	through := s.tunnels[to]
	s.mu.Unlock()
	switch {
	case through != nil:
		through.Send(b)
	case to.Addr().Zone() != tunnelZone:
		s.udp.send(b, to)
	}
}
