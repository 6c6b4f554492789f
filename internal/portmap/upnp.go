package portmap

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/huin/goupnp"
	"github.com/huin/goupnp/dcps/internetgateway2"
	"github.com/huin/goupnp/soap"

	"github.com/nettplay/nettplay/internal/sockets"
	"github.com/nettplay/nettplay/internal/wire"
)

// gateway is the common part of the services of all UPnP routers.
type gateway interface {
	AddPortMappingCtx(ctx context.Context, host string, outside uint16, protocol string, inside uint16, client string, enabled bool, description string, lease uint32) error
	DeletePortMappingCtx(ctx context.Context, host string, outside uint16, protocol string) error
	GetExternalIPAddressCtx(ctx context.Context) (string, error)
	GetServiceClient() *goupnp.ServiceClient
}

// upnp is a router that speaks UPnP.
type upnp struct {
	gateway
	inside  netip.Addr // this machine's address in the router's network
	outside uint16     // the port that was asked for last, 0 for none
}

var group4 = netip.MustParseAddrPort("239.255.255.250:1900")

// The faults that another question may help against: the port is another machine's, or was this one's under another address
// (and some routers say the same of what they will never do: findings/miniupnpd-another-address-is-a-conflict.sh); the router knows
// mappings without an end only.
const (
	taken       = 718
	onlyForever = 725
)

// otherPorts is how many more are asked for where a port is taken.
const otherPorts = 4

// findUPnP searches for such a router, nil for none. The one that this machine sends through
// is taken if it answers, else the first.
func findUPnP(ctx context.Context) router {
	inside := sockets.Address4()
	if !inside.IsValid() {
		return nil
	}
	gateway := gateway4()
	ctx, cancel := context.WithTimeout(ctx, findTime/2)
	defer cancel()
	var first router
	for d := range searched(ctx, inside, group4, internetgateway2.URN_WANIPConnection_1, internetgateway2.URN_WANIPConnection_2, internetgateway2.URN_WANPPPConnection_1) {
		if ours(d.from) {
			continue
		}
		r := d.upnp(ctx)
		switch {
		case r == nil:
		case !gateway.IsValid() || d.from == gateway:
			return r
		case first == nil:
			first = r
		}
	}
	return first
}

// upnp is the router that the device describes, nil if it describes none.
func (d device) upnp(ctx context.Context) router {
	root, err := d.described(ctx)
	if err != nil {
		return nil
	}
	return d.of(root)
}

// of is the router of a description, nil if it describes none.
func (d device) of(root *goupnp.RootDevice) router {
	two, _ := internetgateway2.NewWANIPConnection2ClientsFromRootDevice(root, d.at)
	one, _ := internetgateway2.NewWANIPConnection1ClientsFromRootDevice(root, d.at)
	ppp, _ := internetgateway2.NewWANPPPConnection1ClientsFromRootDevice(root, d.at)
	for _, list := range [][]gateway{gateways(two), gateways(one), gateways(ppp)} {
		if len(list) > 0 {
			list[0].GetServiceClient().SOAPClient.HTTPClient = d.client()
			return &upnp{gateway: list[0], inside: d.inside}
		}
	}
	return nil
}

func gateways[G gateway](list []G) (out []gateway) {
	for _, g := range list {
		out = append(out, g)
	}
	return out
}

// add asks for the outside port that is ours already, if there is one. By UPnP a router does not choose another where a port is
// taken; the next ones are asked for then.
func (u *upnp) add(ctx context.Context, port int, lease time.Duration) (m Mapping, err error) {
	text, err := u.GetExternalIPAddressCtx(ctx) // first: a port that leads nobody knows where is not asked for
	if err != nil {
		return m, refused{fmt.Errorf("ask the router by UPnP for its address: %s", said(err))}
	}
	if text == "" { // such a router forwards nothing either
		return m, ErrBehind
	}
	outside, err := netip.ParseAddr(text)
	if err != nil {
		return m, refused{fmt.Errorf("the router's address by UPnP: %s", said(err))}
	}
	u.outside = cmp.Or(u.outside, uint16(port))
	err = u.forward(ctx, port, lease)
	for range otherPorts {
		if fault(err) != taken {
			break
		}
		u.outside = max(u.outside+1, 1024) // also behind 65535
		err = u.forward(ctx, port, lease)
	}
	switch words := fmt.Errorf("ask the router by UPnP to forward UDP port %d: %s", port, said(err)); {
	case err == nil:
		return Mapping{Outside: netip.AddrPortFrom(outside.Unmap(), u.outside), By: "UPnP"}, nil
	case fault(err) == 0:
		return m, words // it may have forwarded that port, which is given back
	case behind(outside):
		u.outside = 0
		return m, ErrBehind
	default:
		u.outside = 0
		return m, refused{words}
	}
}

// forward asks for the outside port.
func (u *upnp) forward(ctx context.Context, port int, lease time.Duration) error {
	ask := func(lease time.Duration) error {
		return u.AddPortMappingCtx(ctx, "", u.outside, "UDP", uint16(port), u.inside.String(), true, "nettplay", uint32(lease/time.Second))
	}
	err := ask(lease)
	if fault(err) == onlyForever {
		err = ask(0)
	}
	return err
}

// fault is the number by which a device refuses a command, 0 for none.
func fault(err error) int {
	var f *soap.SOAPFaultError
	if errors.As(err, &f) {
		return f.Detail.UPnPError.Errorcode
	}
	return 0
}

// said returns the words of an error, some of which are the router's.
func said(err error) string {
	if err == nil {
		return ""
	}
	return wire.Clean(err.Error(), 200)
}

func (u *upnp) remove(ctx context.Context, port int) error {
	return u.DeletePortMappingCtx(ctx, "", cmp.Or(u.outside, uint16(port)), "UDP")
}
