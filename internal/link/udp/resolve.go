package udp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
)

// maxTargets is the limit of addresses of one machine that are tried, all at once.
const maxTargets = 12

// resolve finds the addresses of a target. One that cannot be resolved does not matter
// while another can. invited tells whether they may bring a relay.
func (l *Link) resolve(ctx context.Context, addrs []string, invited bool) ([]netip.AddrPort, error) {
	var out []netip.AddrPort
	var errs []error
	for _, addr := range addrs {
		at, relayed, err := l.placeOf(addr, invited)
		list := []netip.AddrPort{at}
		if !relayed {
			list, err = resolveOne(ctx, addr)
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		out = unique(append(out, list...), maxTargets)
	}
	if len(out) == 0 {
		return nil, errors.Join(errs...)
	}
	return out, nil
}

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
