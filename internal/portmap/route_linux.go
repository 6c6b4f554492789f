package portmap

import (
	"bufio"
	"encoding/hex"
	"io"
	"net/netip"
	"os"
	"slices"
	"strings"
)

// gateway4 and gateway6 are the addresses of the router to which this machine sends what goes to the internet; not
// valid where there is none.
func gateway4() netip.Addr { return routerOf("/proc/net/route", 1<<16, route4) }
func gateway6() netip.Addr { return routerOf("/proc/net/ipv6_route", 1<<20, route6) }

// routerOf returns the router of one of Linux' tables of routes, of which it reads so many bytes;
// route reads a line.
func routerOf(path string, most int64, route func(fields []string) netip.Addr) (a netip.Addr) {
	f, err := os.Open(path)
	if err != nil {
		return a
	}
	defer f.Close()
	return defaultGateway(io.LimitReader(f, most), route)
}

// defaultGateway returns the first router's address in a table of routes.
func defaultGateway(table io.Reader, route func(fields []string) netip.Addr) netip.Addr {
	for lines := bufio.NewScanner(table); lines.Scan(); {
		if a := route(strings.Fields(lines.Text())); a.IsValid() && !a.IsUnspecified() {
			return a
		}
	}
	return netip.Addr{}
}

// route4 reads the router's address in a line of Linux' table of IPv4: interface, destination,
// gateway, ..., addresses in hexadecimal digits of this machine's byte order.
func route4(f []string) (a netip.Addr) {
	if len(f) < 3 || f[1] != "00000000" {
		return a
	}
	b, err := hex.DecodeString(f[2])
	if err != nil || len(b) != 4 {
		return a
	}
	slices.Reverse(b) // x86 and ARM are little endian
	return netip.AddrFrom4([4]byte(b))
}

// route6 reads the router's address in a line of Linux' table of IPv6: destination, its length,
// source, its length, next hop, ..., interface, in hexadecimal digits.
func route6(f []string) (a netip.Addr) {
	if len(f) < 10 || strings.Trim(f[0]+f[1], "0") != "" {
		return a
	}
	b, err := hex.DecodeString(f[4])
	if err != nil || len(b) != 16 {
		return a
	}
	if a = netip.AddrFrom16([16]byte(b)); a.IsLinkLocalUnicast() {
		a = a.WithZone(f[len(f)-1])
	}
	return a
}
