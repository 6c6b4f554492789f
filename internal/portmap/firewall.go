package portmap

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/huin/goupnp/dcps/internetgateway2"
)

// Routers that do not speak PCP may open a pinhole by UPnP (WANIPv6FirewallControl). They do so
// for the address alone that asks, so all is said over IPv6. Such a router is searched for on
// its own network:
//
//	M-SEARCH to [ff02::c]:1900, by UDP; each answer is a head of HTTP with a Location
const (
	ssdpGroup = "ff02::c"
	ssdpPort  = 1900
	ssdpMost  = 2048 // bytes of an answer
	ssdpEvery = 500 * time.Millisecond
	ssdpTries = 8 // answers that are looked at

	ssdpSearch = "M-SEARCH * HTTP/1.1\r\nHOST: [FF02::C]:1900\r\nMAN: \"ssdp:discover\"\r\nMX: 1\r\nST: " + internetgateway2.URN_WANIPv6FirewallControl_1 + "\r\n\r\n"
)

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
	bounded()
	inside := outwards(ctx)
	zone := zoneOf(inside)
	if zone == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, findTime/2)
	defer cancel()
	to := netip.AddrPortFrom(netip.MustParseAddr(ssdpGroup).WithZone(zone), ssdpPort)
	for at := range searched(ctx, inside, to) {
		if r := firewallAt(ctx, at, inside); r != nil {
			return r
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

// searched gives the places at which devices say that they describe themselves, until ctx ends.
func searched(ctx context.Context, inside netip.Addr, to netip.AddrPort) func(yield func(*url.URL) bool) {
	return func(yield func(*url.URL) bool) {
		conn, err := net.ListenUDP("udp6", &net.UDPAddr{IP: inside.AsSlice()})
		if err != nil {
			return
		}
		defer conn.Close()
		defer context.AfterFunc(ctx, func() { conn.Close() })()
		b := make([]byte, ssdpMost)
		for looked := 0; looked < ssdpTries && ctx.Err() == nil; {
			_, _ = conn.WriteToUDPAddrPort([]byte(ssdpSearch), to)
			_ = conn.SetReadDeadline(time.Now().Add(ssdpEvery))
			for looked < ssdpTries {
				n, err := conn.Read(b)
				if err != nil {
					break
				}
				looked++
				if at, ok := ssdpLocation(b[:n]); ok && !yield(at) {
					return
				}
			}
		}
	}
}

// ssdpLocation reads where a device describes itself out of its answer.
func ssdpLocation(b []byte) (*url.URL, bool) {
	answer, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(b)), nil)
	if err != nil {
		return nil, false
	}
	_ = answer.Body.Close()
	at, err := url.Parse(answer.Header.Get("Location"))
	if err != nil || at.Scheme != "http" || !nearby(at.Hostname()) {
		return nil, false
	}
	return at, answer.StatusCode == http.StatusOK
}

// firewallAt is the router that describes itself at a place, nil if it is none.
func firewallAt(ctx context.Context, at *url.URL, inside netip.Addr) router {
	list, err := internetgateway2.NewWANIPv6FirewallControl1ClientsByURLCtx(ctx, at)
	if err != nil || len(list) == 0 {
		return nil
	}
	list[0].SOAPClient.HTTPClient = http.Client{Transport: limited{from(inside)}, Timeout: findTime}
	return &upnpPinhole{firewall: list[0], inside: inside}
}

// from asks from an address of this machine.
func from(inside netip.Addr) *http.Transport {
	d := net.Dialer{LocalAddr: net.TCPAddrFromAddrPort(netip.AddrPortFrom(inside, 0))}
	return &http.Transport{DialContext: d.DialContext, DisableKeepAlives: true}
}

func (u *upnpPinhole) add(ctx context.Context, port int, lease time.Duration) (m Mapping, err error) {
	id, err := u.AddPinholeCtx(ctx, "", 0, u.inside.String(), uint16(port), pcpUDP, uint32(lease/time.Second))
	if err != nil {
		return m, fmt.Errorf("ask the router by UPnP to let UDP port %d in: %s", port, said(err))
	}
	u.id = id
	return Mapping{Outside: netip.AddrPortFrom(u.inside, uint16(port)), By: "UPnP"}, nil
}

func (u *upnpPinhole) remove(ctx context.Context, _ Mapping, _ int) error {
	return u.DeletePinholeCtx(ctx, u.id)
}
