package portmap

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
)

// Mapping is a port of the router that leads to this machine.
type Mapping struct {
	Outside netip.AddrPort // as the router says; not always the internet's view
	By      string         // "UPnP" or "NAT-PMP"; for a pinhole "PCP" or "UPnP"
}

// Behind reports whether the router's own address is not the internet's: it is behind another
// router, the provider's or a second one of the player's.
func (m Mapping) Behind() bool {
	return behind(m.Outside.Addr())
}

func behind(a netip.Addr) bool { return ds.IsLocal(a) || shared.Contains(a.Unmap()) }

// known reports whether a router can mean an address that it states: its own, of the internet's or
// of a network behind another router, or this machine's of IPv6. Its statements go into
// invitations, from where many machines send to them.
func known(at netip.AddrPort) bool {
	a := at.Addr().Unmap()
	if a.Is4() {
		return at.Port() != 0 && a.IsGlobalUnicast() && !thisNetwork.Contains(a) && !reserved.Contains(a)
	}
	return at.Port() != 0 && global6.Contains(a)
}

// Of IPv4 the first and the last addresses are nobody's; of IPv6 only one block is given out.
var (
	thisNetwork = netip.MustParsePrefix("0.0.0.0/8")
	reserved    = netip.MustParsePrefix("240.0.0.0/4")
	global6     = netip.MustParsePrefix("2000::/3")
)

// shared are addresses that providers give to many customers at once (RFC 6598).
var shared = netip.MustParsePrefix("100.64.0.0/10")

// ErrNone says that no router here forwards ports by itself.
var ErrNone = errors.New("no router here forwards ports by itself")

// ErrBehind says that the router forwards nothing for want of an address on the internet.
var ErrBehind = errors.New("the router has no address on the internet: it is behind another router")

// refused is why a router forwards nothing. After any other error it may have.
type refused struct{ error }

// findTime is the time to find a router.
const findTime = 4 * time.Second

// router is one that was found. An error of add is ErrNone, ErrBehind or refused if nothing was forwarded.
type router interface {
	add(ctx context.Context, port int, lease time.Duration) (Mapping, error)
	remove(ctx context.Context, port int) error
}

// forAddress is a router that lets in what is for one of this machine's addresses, as long as this machine sends from it. When the
// provider gives a network other addresses, a machine keeps those that it had for hours, and sends from the new ones.
type forAddress struct {
	router
	inside netip.Addr
	now    func() netip.Addr
}

func (r forAddress) moved() bool { return r.now() != r.inside }

func (r forAddress) add(ctx context.Context, port int, lease time.Duration) (Mapping, error) {
	if r.moved() {
		return Mapping{}, fmt.Errorf("this machine no longer sends from %v, which the router lets in", r.inside)
	}
	return r.router.add(ctx, port, lease)
}
