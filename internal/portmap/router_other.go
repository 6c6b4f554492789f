//go:build !linux

package portmap

import (
	"net"
	"net/netip"
)

// Only Linux is asked for its routes. Elsewhere no router is found by NAT-PMP or PCP, and UPnP
// alone, which searches by itself, can open a way.
func routerOf4() net.IP             { return nil }
func routerOf6() (netip.Addr, bool) { return netip.Addr{}, false }
