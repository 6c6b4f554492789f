package link

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/nettplay/nettplay/internal/seal"
)

// maxTargets is how many addresses of one machine are tried, all at once.
const maxTargets = 8

// Target is what Dial takes: addresses of one machine, and the key that it must prove
// unless that is zero.
func Target(key seal.Public, addrs ...string) string {
	list := strings.Join(addrs, ",")
	if key.IsZero() {
		return list
	}
	return base64.RawURLEncoding.EncodeToString(key[:]) + "@" + list
}

// Shown is a target as players read it.
func Shown(target string) string {
	return strings.ReplaceAll(target[strings.LastIndexByte(target, '@')+1:], ",", " or ")
}

// splitTarget is the way back.
func splitTarget(target string) (key seal.Public, addrs []string, err error) {
	text, list, found := strings.Cut(target, "@")
	if !found {
		return key, strings.Split(target, ","), nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) != len(key) {
		return key, nil, errors.New("the key before @ is none")
	}
	return seal.Public(raw), strings.Split(list, ","), nil
}

// resolve finds the addresses of a target. One that cannot be resolved does not matter
// while another can.
func resolve(ctx context.Context, addrs []string) ([]netip.AddrPort, error) {
	var out []netip.AddrPort
	var errs []error
	for _, addr := range addrs {
		list, err := resolveOne(ctx, addr)
		if err != nil {
			errs = append(errs, err)
		}
		for _, t := range list {
			if len(out) < maxTargets && !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
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
