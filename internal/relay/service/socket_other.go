//go:build !linux

package service

import (
	"net"
	"net/netip"

	"github.com/nettplay/nettplay/internal/relay"
)

// atOnce is the greatest number of datagrams that are read at once: those systems have no such call.
const atOnce = 1

// socket is the UDP socket. One goroutine reads, puts and flushes; any may send.
type socket struct {
	conn *net.UDPConn
	b    [relay.MaxDatagram + 1]byte
	n    int
	from netip.AddrPort
}

// newSocket takes over conn.
func newSocket(conn *net.UDPConn) (*socket, error) {
	prepare(conn)
	return &socket{conn: conn}, nil
}

// read waits for a datagram. It returns net.ErrClosed after interrupt.
func (k *socket) read() (_ int, err error) {
	k.n, k.from, err = k.conn.ReadFromUDPAddrPort(k.b[:])
	return 1, err
}

// datagram is the one that was read last.
func (k *socket) datagram(int) ([]byte, netip.AddrPort) {
	return k.b[:k.n], netip.AddrPortFrom(k.from.Addr().Unmap(), k.from.Port())
}

func (k *socket) put(b []byte, to netip.AddrPort) { k.send(b, to) }

func (k *socket) flush() {}

// send writes a datagram. One that the system refuses is lost.
func (k *socket) send(b []byte, to netip.AddrPort) { _, _ = k.conn.WriteToUDPAddrPort(b, to) }

// interrupt ends read, now and from then on.
func (k *socket) interrupt() { _ = k.conn.Close() }

func (k *socket) close() { _ = k.conn.Close() }
