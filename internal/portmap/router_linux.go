package portmap

import (
	"io"
	"net"
	"net/netip"
	"os"
)

// routerOf4 is the router of IPv4, nil for none.
func routerOf4() net.IP {
	f, err := os.Open("/proc/net/route")
	if err != nil {
		return nil
	}
	defer f.Close()
	return defaultGateway(io.LimitReader(f, 1<<16))
}

// routerOf6 is the router of IPv6, if there is one.
func routerOf6() (a netip.Addr, ok bool) {
	f, err := os.Open("/proc/net/ipv6_route")
	if err != nil {
		return a, false
	}
	defer f.Close()
	return defaultGateway6(io.LimitReader(f, 1<<20))
}
