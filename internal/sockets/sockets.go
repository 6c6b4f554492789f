// Package sockets has what systems do each in their own way about a program's sockets: by which of its addresses this machine
// sends, how a socket keeps to one that lasts, and what the errors mean (errors_unix.go, errors_windows.go).
//
// A machine has many IPv6 addresses at once. What friends are told, what the router's firewall lets in, and what
// datagrams leave by must be the same one: a firewall on the way lets nothing in from another.
package sockets

import (
	"net"
	"net/netip"
	"syscall"
)

// On the internet; nothing is sent to them.
const (
	far4 = "8.8.8.8:53"
	far6 = "[2001:4860:4860::8888]:53"
)

// Address4 and Address6 are the addresses by which a socket with [Lasting] sends to the internet, not valid where there is no way
// there. That of IPv6 may be one of this network alone. The system only looks up the way.
func Address4() netip.Addr { return address("udp4", far4) }
func Address6() netip.Addr { return address("udp6", far6) }

func address(network, to string) (a netip.Addr) {
	d := net.Dialer{Control: func(_, _ string, c syscall.RawConn) error { lasting(c); return nil }}
	conn, err := d.Dial(network, to)
	if err != nil {
		return a
	}
	defer conn.Close()
	return conn.LocalAddr().(*net.UDPAddr).AddrPort().Addr().Unmap()
}

// Lasting has datagrams of a socket that is bound to all addresses leave by an IPv6 address that this machine keeps, instead of one
// that it has for a day, for privacy (RFC 8981): at its end, the firewall of every friend would drop what we send. Only
// Linux can be told so; other systems choose as they do for other programs.
func Lasting(conn *net.UDPConn) {
	if raw, err := conn.SyscallConn(); err == nil {
		lasting(raw)
	}
}
