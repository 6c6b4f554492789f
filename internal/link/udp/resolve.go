package udp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
)

// maxTargets is the limit of addresses of one machine that are tried, all at once.
const maxTargets = 12

// resolveOne finds the addresses of "host:port".
func resolveOne(ctx context.Context, addr string) (out []netip.AddrPort, err error) {
	host, service, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("want HOST:PORT: %w", err)
	}
	port, err := strconv.ParseUint(service, 10, 16)
	if err != nil || port == 0 {
		return nil, fmt.Errorf("port %q is not a number in 1..65535", service)
	}
	if host == "" {
		return nil, errors.New("want HOST:PORT: no host")
	}
	ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, err
	}
	for _, ip := range ips {
		out = append(out, netip.AddrPortFrom(ip.Unmap(), uint16(port)))
	}
	if len(out) == 0 {
		return nil, errors.New("the name has no address")
	}
	return out, nil
}

// unique are the first of a list, each once.
func unique(list []netip.AddrPort, most int) (out []netip.AddrPort) {
	for _, a := range list {
		if !slices.Contains(out, a) && len(out) < most {
			out = append(out, a)
		}
	}
	return out
}
