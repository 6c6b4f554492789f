package udp

import (
	"net/netip"
	"unsafe"

	"golang.org/x/sys/unix"
)

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
