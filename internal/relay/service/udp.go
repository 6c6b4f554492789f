package service

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"time"

	"golang.org/x/net/ipv4"
	"golang.org/x/net/ipv6"

	"github.com/nettplay/nettplay/internal/relay"
)

// atOnce is the greatest number of datagrams that one call of the system reads or writes.
const atOnce = 32

// batches reads and writes several datagrams at once; Linux can, elsewhere it is one.
type batches interface {
	ReadBatch(list []ipv4.Message, flags int) (int, error)
	WriteBatch(list []ipv4.Message, flags int) (int, error)
}

// socket is the UDP socket with what it works with. One goroutine owns it.
type socket struct {
	conn  batches
	in    [atOnce]ipv4.Message
	out   []ipv4.Message
	to    [atOnce]net.UDPAddr
	parts [atOnce][1][]byte
}

func newSocket(conn *net.UDPConn) *socket {
	k := &socket{conn: ipv6.NewPacketConn(conn), out: make([]ipv4.Message, 0, atOnce)}
	if conn.LocalAddr().(*net.UDPAddr).IP.To4() != nil {
		k.conn = ipv4.NewPacketConn(conn)
	}
	for i := range k.in {
		k.in[i].Buffers = [][]byte{make([]byte, relay.MaxDatagram+1)}
	}
	return k
}

// serveUDP serves the socket until ctx ends, and closes it.
func (s *service) serveUDP(ctx context.Context) error {
	conn := s.cfg.UDP
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	// As much as the system grants: a burst must survive until we are scheduled.
	_, _ = conn.SetReadBuffer(8<<20), conn.SetWriteBuffer(4<<20)
	relay.InOnePiece(conn)
	k := newSocket(conn)
	for {
		n, err := k.conn.ReadBatch(k.in[:], 0)
		if errors.Is(err, net.ErrClosed) {
			return err
		}
		if err != nil { // some systems report what happened to an earlier send
			time.Sleep(time.Millisecond)
			continue
		}
		s.receiveAll(k, k.in[:n])
		k.flush()
	}
}

// receiveAll has the relay act on datagrams. The answers share their memory.
func (s *service) receiveAll(k *socket, list []ipv4.Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Since(s.began)
	for _, m := range list {
		from := m.Addr.(*net.UDPAddr).AddrPort()
		out, to := s.server.Receive(m.Buffers[0][:m.N], netip.AddrPortFrom(from.Addr().Unmap(), from.Port()), now)
		if through := s.tunnels[to]; out != nil && through != nil {
			through.Send(out)
		} else if out != nil && to.Addr().Zone() != tunnelZone {
			k.put(out, to)
		}
	}
}

// put has a datagram written by the next flush.
func (k *socket) put(b []byte, to netip.AddrPort) {
	i := len(k.out)
	k.to[i] = net.UDPAddr{IP: append(k.to[i].IP[:0], to.Addr().AsSlice()...), Port: int(to.Port()), Zone: to.Addr().Zone()}
	k.parts[i][0] = b
	k.out = append(k.out, ipv4.Message{Buffers: k.parts[i][:], Addr: &k.to[i]})
}

// flush writes what was put. A datagram that the system refuses is lost.
func (k *socket) flush() {
	for left := k.out; len(left) > 0; {
		n, err := k.conn.WriteBatch(left, 0)
		if err != nil {
			n = max(n, 1)
		}
		left = left[n:]
	}
	k.out = k.out[:0]
}
