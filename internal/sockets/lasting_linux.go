package sockets

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// preferPublic is IPV6_PREFER_SRC_PUBLIC (RFC 5014), of linux/in6.h.
const preferPublic = 2

// lasting does nothing to a socket of IPv4 alone.
func lasting(raw syscall.RawConn) {
	_ = raw.Control(func(fd uintptr) {
		_ = unix.SetsockoptInt(int(fd), unix.IPPROTO_IPV6, unix.IPV6_ADDR_PREFERENCES, preferPublic)
	})
}
