package portmap

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/huin/goupnp"
	"github.com/huin/goupnp/dcps/internetgateway2"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// gateway is the common part of the services of all UPnP routers.
type gateway interface {
	AddPortMappingCtx(ctx context.Context, host string, outside uint16, protocol string, inside uint16, client string, enabled bool, description string, lease uint32) error
	DeletePortMappingCtx(ctx context.Context, host string, outside uint16, protocol string) error
	GetExternalIPAddressCtx(ctx context.Context) (string, error)
	LocalAddr() net.IP
	GetServiceClient() *goupnp.ServiceClient
}

// upnp is a router that speaks UPnP.
type upnp struct{ gateway }

// bounded limits what devices say: the library reads all of it.
var bounded = sync.OnceFunc(func() { goupnp.HTTPClientDefault = &client })

// client asks devices, of which anybody in the local network may be one.
var client = http.Client{Transport: limited{http.DefaultTransport}, Timeout: findTime}

const maxBody = 1 << 20

// limited asks addresses of the local network only, wherever a device sends us, and reads so much of an answer.
type limited struct{ http.RoundTripper }

func (l limited) RoundTrip(r *http.Request) (*http.Response, error) {
	if !nearby(r.URL.Hostname()) {
		return nil, fmt.Errorf("%q is no address of the local network", r.URL.Host)
	}
	answer, err := l.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	answer.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(answer.Body, maxBody), answer.Body}
	return answer, nil
}

// findUPnP searches for all three kinds of services at once, and takes the first.
func findUPnP(ctx context.Context) router {
	bounded()
	found := make(chan []gateway, 3)
	go func() { found <- gateways(internetgateway2.NewWANIPConnection2ClientsCtx(ctx)) }()
	go func() { found <- gateways(internetgateway2.NewWANIPConnection1ClientsCtx(ctx)) }()
	go func() { found <- gateways(internetgateway2.NewWANPPPConnection1ClientsCtx(ctx)) }()
	for range cap(found) {
		if list := <-found; len(list) > 0 {
			return upnp{list[0]}
		}
	}
	return nil
}

func gateways[G gateway](list []G, _ []error, _ error) (out []gateway) {
	for _, g := range list {
		g.GetServiceClient().SOAPClient.HTTPClient = client // it has one of its own
		out = append(out, g)
	}
	return out
}

func (u upnp) add(ctx context.Context, port int, lease time.Duration) (m Mapping, err error) {
	inside := u.LocalAddr()
	if inside == nil {
		return m, ErrNone
	}
	for _, l := range []time.Duration{lease, 0} { // some routers know mappings without end only
		if err = u.AddPortMappingCtx(ctx, "", uint16(port), "UDP", uint16(port), inside.String(), true, "nettplay", uint32(l/time.Second)); err == nil {
			break
		}
	}
	if err != nil {
		return m, fmt.Errorf("ask the router by UPnP to forward UDP port %d: %s", port, said(err))
	}
	text, err := u.GetExternalIPAddressCtx(ctx)
	if err != nil {
		return m, fmt.Errorf("ask the router by UPnP for its address: %s", said(err))
	}
	outside, err := netip.ParseAddr(text)
	if err != nil {
		return m, fmt.Errorf("the router's address by UPnP: %s", said(err))
	}
	return Mapping{Outside: netip.AddrPortFrom(outside.Unmap(), uint16(port)), By: "UPnP"}, nil
}

// said returns the words of an error, some of which are the router's.
func said(err error) string { return wire.Clean(err.Error(), 200) }

func (u upnp) remove(ctx context.Context, m Mapping, _ int) error {
	return u.DeletePortMappingCtx(ctx, "", m.Outside.Port(), "UDP")
}

// nearby reports whether a host is an address of a network that this machine is in.
func nearby(host string) bool {
	at, err := netip.ParseAddr(host)
	if err != nil || ds.IsLocal(at) {
		return err == nil
	}
	addrs, _ := net.InterfaceAddrs()
	return slices.ContainsFunc(addrs, func(a net.Addr) bool {
		p, err := netip.ParsePrefix(a.String())
		return err == nil && at.Is6() && p.Contains(at)
	})
}
