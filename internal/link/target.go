package link

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net"
	"net/netip"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
)

// Target returns a target for Dial: addresses of one machine, and the key that it must prove unless
// that is zero.
func Target(key seal.Public, addrs ...string) string {
	list := strings.Join(addrs, ",")
	if key.IsZero() {
		return list
	}
	return base64.RawURLEncoding.EncodeToString(key[:]) + "@" + list
}

// Told is a target whose addresses others have told: they bring no relay that is not used yet.
func Told(key seal.Public, addrs ...string) string {
	if key.IsZero() {
		return Target(key, addrs...)
	}
	return toldMark + Target(key, addrs...)
}

const toldMark = "~"

// player begins the name of a peer relay in the text of an address.
const player = "player="

// Number returns the number by which a peer relay knows a machine.
func Number(key seal.Public) relay.Mailbox { return relay.Mailbox(key[:]) }

// Through is the address of a machine to which another one of the room carries datagrams: its
// peer relay. A link uses it while it is connected to that one.
func Through(by, to seal.Public) string { return ThroughNumber(Number(by), Number(to)) }

// ThroughNumber is the same for machines of which the numbers are known.
func ThroughNumber(by, to relay.Mailbox) string {
	return relay.Place(player+hex.EncodeToString(by[:]), to)
}

// FindThrough is the way back from Through.
func FindThrough(addr string) (by, to relay.Mailbox, ok bool) {
	name, to, found := relay.FindPlace(addr)
	digits, found2 := strings.CutPrefix(name, player)
	b, err := hex.DecodeString(digits)
	if !found || !found2 || err != nil || len(b) != len(by) {
		return by, to, false
	}
	return relay.Mailbox(b), to, true
}

// Shown is a target as players read it.
func Shown(target string) string {
	list := strings.Split(target[strings.LastIndexByte(target, '@')+1:], ",")
	for i, addr := range list {
		list[i] = relay.ShownPlace(addr)
		if _, _, through := FindThrough(addr); through {
			list[i] = "another player's machine"
		}
	}
	return strings.Join(list, " or ")
}

// SplitTarget is the way back. invited tells whether the addresses may bring relays.
func SplitTarget(target string) (key seal.Public, addrs []string, invited bool, err error) {
	target, told := strings.CutPrefix(target, toldMark)
	text, list, found := strings.Cut(target, "@")
	if !found {
		return key, strings.Split(target, ","), false, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) != len(key) {
		return key, nil, false, errors.New("the text before @ is not a key")
	}
	return seal.Public(raw), strings.Split(list, ","), !told, nil
}

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
