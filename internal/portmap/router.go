package portmap

import (
	"bufio"
	"io"
	"net/netip"
	"os"
	"strings"
)

// routerOf returns the router of one of Linux' tables of routes, of which it reads so many bytes;
// route reads a line. Elsewhere there is no such file, and the address is not valid: then UPnP
// alone, which searches by itself, can open a way.
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
