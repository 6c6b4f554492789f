package portmap

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"time"

	"github.com/huin/goupnp/dcps/internetgateway2"
)

// Routers that do not speak PCP may open a pinhole by UPnP (WANIPv6FirewallControl). They do so
// for the address alone that asks, so all is said over IPv6.
const ssdpGroup6 = "ff02::c"

// firewall is the common part of its clients, which are of goupnp.
type firewall interface {
	AddPinholeCtx(ctx context.Context, remote string, remotePort uint16, inside string, port, protocol uint16, lease uint32) (id uint16, err error)
	DeletePinholeCtx(ctx context.Context, id uint16) error
}

// upnpPinhole is a router that opens its firewall by UPnP.
type upnpPinhole struct {
	firewall
	inside netip.Addr // this machine's address on the internet
	id     uint16     // of the pinhole
}

// findFirewall searches for such a router, nil for none.
func findFirewall(ctx context.Context) router {
	inside := outwards6()
	zone := zoneOf(inside)
	if zone == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, findTime/2)
	defer cancel()
	to := netip.AddrPortFrom(netip.MustParseAddr(ssdpGroup6).WithZone(zone), group4.Port())
	for d := range searched(ctx, inside, to, internetgateway2.URN_WANIPv6FirewallControl_1) {
		if ours(d.from) {
			continue
		}
		if r := d.firewall(ctx); r != nil {
			return forAddress{r, inside, outwards6}
		}
	}
	return nil
}

// zoneOf is the network card that has an address, "" for none.
func zoneOf(a netip.Addr) string {
	cards, _ := net.Interfaces()
	for _, card := range cards {
		addrs, _ := card.Addrs()
		for _, at := range addrs {
			if p, err := netip.ParsePrefix(at.String()); err == nil && p.Addr() == a {
				return card.Name
			}
		}
	}
	return ""
}

// firewall is the router that the device describes, nil if it describes none.
func (d device) firewall(ctx context.Context) router {
	root, err := d.described(ctx)
	if err != nil {
		return nil
	}
	list, err := internetgateway2.NewWANIPv6FirewallControl1ClientsFromRootDevice(root, d.at)
	if err != nil || len(list) == 0 {
		return nil
	}
	list[0].SOAPClient.HTTPClient = d.client()
	return &upnpPinhole{firewall: list[0], inside: d.inside}
}

func (u *upnpPinhole) add(ctx context.Context, port int, lease time.Duration) (m Mapping, err error) {
	id, err := u.AddPinholeCtx(ctx, "", 0, u.inside.String(), uint16(port), pcpUDP, uint32(lease/time.Second))
	if err != nil { // without its number nothing can be given back
		return m, refused{fmt.Errorf("ask the router by UPnP to let UDP port %d in: %s", port, said(err))}
	}
	u.id = id
	return Mapping{Outside: netip.AddrPortFrom(u.inside, uint16(port)), By: "UPnP"}, nil
}

func (u *upnpPinhole) remove(ctx context.Context, _ int) error {
	return u.DeletePinholeCtx(ctx, u.id)
}
