package link

import (
	"cmp"
	"net"
	"net/netip"
	"regexp"
	"slices"

	"github.com/nettplay/nettplay/internal/sockets"
)

// How well an address of this machine does for others, the best first.
const (
	worldwide  = iota // an IPv6 address that the internet knows
	usual             // the one that this machine itself goes out by, and public ones
	private           // of a VPN: friends who are in it have no router between
	elsewhere         // of another network
	hostedHere        // of a network within this machine, as containers and virtual machines have, or without a cable
)

// maxSix is how many IPv6 addresses of one card count: a card gets a new one each day, for privacy, and keeps
// the old ones for a while.
const maxSix = 2

// card is a network card of this machine.
type card struct {
	name    string
	virtual bool // it leads to no other machine, or nothing is plugged in
	tunnel  bool // from one machine to another
	addrs   []netip.Addr
}

var (
	bridges = regexp.MustCompile(`^(docker|br-|virbr|veth|lxc|lxd|podman|cni|vmnet|vboxnet|vEthernet|VirtualBox|VMware)`)
	tunnels = regexp.MustCompile(`^(tun|tap|utun|wg|zt|tailscale|Tailscale|ZeroTier|nordlynx|ppp)`)
	// carriers are the addresses of machines behind a provider's NAT, which VPNs such as Tailscale use as well.
	carriers = netip.MustParsePrefix("100.64.0.0/10")
)

// Local are this machine's addresses in its networks, those first by which others most probably reach it.
// Loopback and link-local ones are left out.
func Local() []netip.Addr {
	var cards []card
	list, _ := net.Interfaces() // without, others may still see us
	for _, i := range list {
		if i.Flags&net.FlagUp == 0 {
			continue
		}
		c := card{name: i.Name, virtual: i.Flags&net.FlagRunning == 0 || bridges.MatchString(i.Name), tunnel: i.Flags&net.FlagPointToPoint != 0 || tunnels.MatchString(i.Name)}
		addrs, _ := i.Addrs()
		for _, a := range addrs {
			if p, err := netip.ParsePrefix(a.String()); err == nil {
				c.addrs = append(c.addrs, p.Addr().Unmap())
			}
		}
		cards = append(cards, c)
	}
	return ordered(cards, sockets.Address4(), sockets.Address6())
}

// ordered are the addresses of cards, of which this machine goes out by some.
func ordered(cards []card, out ...netip.Addr) []netip.Addr {
	type ranked struct {
		addr netip.Addr
		rank int
	}
	var list []ranked
	for _, c := range cards {
		// The one in use is the one that stays for the longest time.
		slices.SortStableFunc(c.addrs, func(a, b netip.Addr) int {
			return cmp.Compare(slices.Index(out, b), slices.Index(out, a))
		})
		six := 0
		for _, a := range c.addrs {
			rank := c.rank(a, slices.Contains(out, a))
			switch {
			case !a.IsGlobalUnicast():
				continue
			case a.Is6() && six == maxSix:
				continue
			case a.Is6():
				six++
			}
			list = append(list, ranked{a, rank})
		}
	}
	slices.SortStableFunc(list, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
	addrs := make([]netip.Addr, 0, len(list))
	for _, r := range list {
		addrs = append(addrs, r.addr)
	}
	return addrs
}

// rank tells how well an address of a card does; out: this machine goes out by it.
func (c card) rank(a netip.Addr, out bool) int {
	public := !a.IsPrivate() && !carriers.Contains(a)
	switch {
	case public && a.Is6() && !c.virtual:
		return worldwide
	case out, public && !c.virtual:
		return usual
	case c.virtual:
		return hostedHere
	case c.tunnel, carriers.Contains(a):
		return private
	}
	return elsewhere
}
