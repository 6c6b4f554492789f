package udp

import (
	"net"

	"golang.org/x/sys/unix"
)

// inOnePiece has neither this machine nor a router break datagrams up: many networks drop the parts, and a probe that
// came in parts would prove nothing. Nor is a datagram held back for what a router says of the path. A system that
// refuses breaks them up as before.
func inOnePiece(conn *net.UDPConn) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) {
		_ = unix.SetsockoptInt(int(fd), unix.IPPROTO_IP, unix.IP_MTU_DISCOVER, unix.IP_PMTUDISC_PROBE)
		_ = unix.SetsockoptInt(int(fd), unix.IPPROTO_IPV6, unix.IPV6_MTU_DISCOVER, unix.IPV6_PMTUDISC_PROBE)
	})
}
