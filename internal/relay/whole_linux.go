package relay

import (
	"net"

	"golang.org/x/sys/unix"
)

// InOnePiece has neither this machine nor a router break the datagrams of a socket up, a player's or a relay's: many networks drop the
// parts, and a probe of what a path carries that came in parts would prove nothing. Nor is a datagram held back or broken up for
// what a router says of the path, which anybody can forge. A system that refuses breaks them up as before.
func InOnePiece(conn *net.UDPConn) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) {
		_ = unix.SetsockoptInt(int(fd), unix.IPPROTO_IP, unix.IP_MTU_DISCOVER, unix.IP_PMTUDISC_PROBE)
		_ = unix.SetsockoptInt(int(fd), unix.IPPROTO_IPV6, unix.IPV6_MTU_DISCOVER, unix.IPV6_PMTUDISC_PROBE)
	})
}
