package udp

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/nettplay/nettplay/internal/link"
)

// bind opens the socket. Where there is no IPv6, it speaks IPv4 only.
func bind(cfg Config) (*net.UDPConn, error) {
	if cfg.Bind == "" {
		if c, err := net.ListenUDP("udp", &net.UDPAddr{Port: cfg.Port}); err == nil {
			return c, nil
		}
		cfg.Bind = netip.IPv4Unspecified().String()
	}
	ip, err := netip.ParseAddr(cfg.Bind)
	if err != nil {
		return nil, fmt.Errorf("listen on %q: not an address", cfg.Bind)
	}
	at := netip.AddrPortFrom(ip, uint16(cfg.Port))
	c, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(at))
	if errors.Is(err, syscall.EADDRINUSE) {
		err = link.ErrPortInUse
	}
	if err != nil {
		return nil, fmt.Errorf("listen on UDP %s: %w", at, err)
	}
	return c, nil
}

// unread reports whether datagrams have come that the reader has not got to.
func (l *Link) unread() (some bool) {
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

// openerHops is the reach of an opener: through the routers of one's own home, also where one stands
// behind another, and not to the other machine's.
const openerHops = 3

// open sends a datagram that is meant for one's own router alone.
func (l *Link) open(b []byte, to netip.AddrPort) {
	level, kind := unix.IPPROTO_IP, unix.IP_TTL
	if to.Addr().Is6() {
		level, kind = unix.IPPROTO_IPV6, unix.IPV6_HOPLIMIT
	}
	oob := make([]byte, unix.CmsgSpace(4))
	h := (*unix.Cmsghdr)(unsafe.Pointer(&oob[0]))
	h.Level, h.Type = int32(level), int32(kind)
	h.SetLen(unix.CmsgLen(4))
	oob[unix.CmsgLen(0)] = openerHops // an int32 in the machine's order; the rest is zero
	_, _, _ = l.conn.WriteMsgUDPAddrPort(b, oob, to)
}
