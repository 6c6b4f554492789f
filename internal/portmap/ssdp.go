package portmap

import (
	"bufio"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/huin/goupnp"
)

// A UPnP device is searched for on its own network:
//
//	M-SEARCH to [ff02::c]:1900 or 239.255.255.250:1900, by UDP; each answer is a head of HTTP with a Location
//
// Anybody on the network may answer, and name any place. So all that a device is asked goes to the
// address that it answered from: it cannot have us speak to a third machine, or to this one.
const (
	ssdpMost     = 2048 // bytes of an answer
	ssdpEvery    = 500 * time.Millisecond
	ssdpTries    = 8 // answers that are looked at
	ssdpEach     = 2 // of one address
	describeTime = 1500 * time.Millisecond
	maxBody      = 1 << 20 // bytes of a description or an answer to a command
)

// device is one that answered a search.
type device struct {
	from   netip.Addr // it is asked nothing elsewhere
	inside netip.Addr // this machine's address, which asks
	at     *url.URL   // its description
}

// searched gives the devices, once each place of theirs, that answer a search for one of these kinds, until ctx ends.
func searched(ctx context.Context, inside netip.Addr, to netip.AddrPort, kinds ...string) func(yield func(device) bool) {
	return func(yield func(device) bool) {
		conn, err := net.ListenUDP("udp", &net.UDPAddr{IP: inside.AsSlice(), Zone: inside.Zone()})
		if err != nil {
			return
		}
		defer conn.Close()
		defer context.AfterFunc(ctx, func() { conn.Close() })()
		looked, seen := map[netip.Addr]int{}, map[string]bool{}
		b := make([]byte, ssdpMost)
		for len(seen) < ssdpTries && ctx.Err() == nil {
			for _, kind := range kinds {
				_, _ = conn.WriteToUDPAddrPort(ssdpSearch(to, kind), to)
			}
			_ = conn.SetReadDeadline(time.Now().Add(ssdpEvery))
			for len(seen) < ssdpTries {
				n, from, err := conn.ReadFromUDPAddrPort(b)
				if err != nil {
					break
				}
				d := device{from: from.Addr().Unmap(), inside: inside}
				if d.at = ssdpLocation(b[:n], d.from); d.at == nil || seen[d.at.String()] || looked[d.from] == ssdpEach {
					continue
				}
				seen[d.at.String()] = true
				looked[d.from]++
				if !yield(d) {
					return
				}
			}
		}
	}
}

func ssdpSearch(to netip.AddrPort, kind string) []byte {
	host := netip.AddrPortFrom(to.Addr().WithZone(""), to.Port())
	return fmt.Appendf(nil, "M-SEARCH * HTTP/1.1\r\nHOST: %s\r\nMAN: \"ssdp:discover\"\r\nMX: 1\r\nST: %s\r\n\r\n", strings.ToUpper(host.String()), kind)
}

// ssdpLocation reads where a device describes itself out of its answer; nil if that is not
// on the device itself.
func ssdpLocation(b []byte, from netip.Addr) *url.URL {
	answer, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(b)), nil)
	if err != nil {
		return nil
	}
	_ = answer.Body.Close()
	at, err := url.Parse(answer.Header.Get("Location"))
	if err != nil || answer.StatusCode != http.StatusOK || at.Scheme != "http" || !same(at.Hostname(), from) {
		return nil
	}
	return at
}

// same reports whether a host is that address.
func same(host string, a netip.Addr) bool {
	at, err := netip.ParseAddr(host)
	return err == nil && at.Unmap().WithZone("") == a.WithZone("")
}

// ours reports whether an address is of this machine.
func ours(a netip.Addr) bool {
	addrs, _ := net.InterfaceAddrs()
	return a.IsLoopback() || slices.ContainsFunc(addrs, func(at net.Addr) bool {
		p, err := netip.ParsePrefix(at.String())
		return err == nil && p.Addr() == a.WithZone("")
	})
}

// client speaks to the device alone: to no other address, through no proxy, after no redirect.
func (d device) client() http.Client {
	dialer := net.Dialer{LocalAddr: net.TCPAddrFromAddrPort(netip.AddrPortFrom(d.inside, 0))}
	return http.Client{
		Timeout:       findTime,
		CheckRedirect: func(*http.Request, []*http.Request) error { return errors.New("a router sends nobody elsewhere") },
		Transport: limited{&http.Transport{
			DisableKeepAlives: true,
			DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
				addr, err := d.mayDial(addr)
				if err != nil {
					return nil, err
				}
				return dialer.DialContext(ctx, network, addr)
			},
		}},
	}
}

// mayDial returns the address in the device's own network, with its zone; an error for that of another machine.
func (d device) mayDial(addr string) (string, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil || !same(host, d.from) {
		return "", fmt.Errorf("%q is not the address that the router answered from, %v", addr, d.from)
	}
	return net.JoinHostPort(d.from.String(), port), nil
}

// limited reads so much of an answer.
type limited struct{ http.RoundTripper }

func (l limited) RoundTrip(r *http.Request) (*http.Response, error) {
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

// described reads what the device says of itself.
func (d device) described(ctx context.Context) (*goupnp.RootDevice, error) {
	ctx, cancel := context.WithTimeout(ctx, describeTime)
	defer cancel()
	ask, err := http.NewRequestWithContext(ctx, http.MethodGet, d.at.String(), nil)
	if err != nil {
		return nil, err
	}
	client := d.client()
	answer, err := client.Do(ask)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the description at %v: %s", d.at, answer.Status)
	}
	return readDescription(answer.Body, d.at)
}

// readDescription reads what a device at an address says of itself. It may name any place.
func readDescription(r io.Reader, at *url.URL) (root *goupnp.RootDevice, err error) {
	root = new(goupnp.RootDevice)
	decoder := xml.NewDecoder(r)
	decoder.DefaultSpace = goupnp.DeviceXMLNamespace
	if err := decoder.Decode(root); err != nil {
		return nil, err
	}
	base := at
	if root.URLBaseStr != "" {
		if base, err = url.Parse(root.URLBaseStr); err != nil {
			return nil, err
		}
	}
	root.SetURLBase(base)
	return root, nil
}
