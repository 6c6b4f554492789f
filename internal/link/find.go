package link

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"

	"github.com/nettplay/nettplay/internal/relay"
)

// Where this machine can be reached, and which addresses of others may be dialled.

// Own lists the addresses of a machine whose link is bound to bound, as far as it knows
// itself, in the order of [Local]. A machine that joins a room on this computer can be reached on it.
func Own(bound, room string) []string {
	at, err := netip.ParseAddrPort(bound)
	if err != nil || !at.Addr().IsUnspecified() {
		return []string{bound}
	}
	var list []string
	if host, _, err := net.SplitHostPort(room); err == nil {
		if ip, err := netip.ParseAddr(host); err == nil && ip.IsLoopback() || host == "localhost" {
			list = append(list, netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), at.Port()).String())
		}
	}
	for _, ip := range Local() {
		list = append(list, netip.AddrPortFrom(ip, at.Port()).String())
	}
	return list
}

// Addresses are those of Own that are numbers, for nobody in particular.
func Addresses(l Link) (list []netip.AddrPort) {
	for _, text := range Own(l.Addr(), "") {
		if at, err := netip.ParseAddrPort(text); err == nil {
			list = append(list, at)
		}
	}
	return list
}

// Numeric returns those addresses that may be dialled of a list that others sent: a name
// would have to be looked up. The link sees to it that relays are those it uses already. On a
// link whose own address is a name, as in tests, all are names and may be dialled.
func Numeric(l Link, addrs []string) []string {
	if _, err := netip.ParseAddrPort(l.Addr()); err != nil {
		return addrs
	}
	var list []string
	for _, addr := range addrs {
		_, err := netip.ParseAddrPort(addr)
		if _, _, relayed := relay.FindPlace(addr); relayed || err == nil {
			list = append(list, addr)
		}
	}
	return list
}

// Finder finds a room's present game host, as one dials it, where the one of an invitation does not answer any
// more. It waits for some seconds at most.
type Finder func(ctx context.Context) (addr string, found bool)

// Moved asks where the room is after a connection to addr failed, and tells whether it is elsewhere. A nil Finder
// knows nothing.
func (f Finder) Moved(ctx context.Context, addr string, failed error) (to string, is bool) {
	dial, ok := errors.AsType[*DialError](failed)
	if f == nil || !ok {
		return "", false
	}
	switch dial.Why {
	case NoAnswer, Unsteady, Refused, Unreachable, Outdated, NoRoom:
	default:
		return "", false
	}
	to, found := f(ctx)
	return to, found && to != addr
}

// Relayed reports whether a machine, as [Link.Dial] takes it, has a mailbox at a relay.
func Relayed(target string) bool {
	_, addrs, _, _ := SplitTarget(target)
	return slices.ContainsFunc(addrs, func(addr string) bool {
		_, _, relayed := relay.FindPlace(addr)
		return relayed
	})
}
