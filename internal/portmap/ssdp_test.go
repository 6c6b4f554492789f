package portmap

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"
)

const found = "HTTP/1.1 200 OK\r\nST: urn:schemas-upnp-org:service:WANIPConnection:1\r\nLocation: http://127.0.0.1:5000/root.xml\r\n\r\n"

// Answers that are none, and descriptions that are not on the device which answers, are passed over; each place is
// looked at once, and of one device only a few.
func TestSearch(t *testing.T) {
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	other := func(place string) string { return strings.Replace(found, "127.0.0.1", place, 1) }
	answers := []string{
		"", "noise", other("127.0.0.2"), other("localhost"), other("192.168.1.1"), other("203.0.113.7"), other("[::1]"), strings.Replace(found, "http:", "https:", 1),
		strings.Replace(found, "200 OK", "404 No", 1), found, found, strings.Replace(found, "root", "two", 1), strings.Replace(found, "root", "three", 1),
	}
	kinds := make(chan string, 100)
	go func() {
		for b := make([]byte, ssdpMost); ; {
			n, from, err := conn.ReadFromUDPAddrPort(b)
			if err != nil {
				return
			}
			_, kind, _ := strings.Cut(string(b[:n]), "\nST: ")
			select {
			case kinds <- strings.TrimSpace(kind):
			default:
			}
			for _, a := range answers {
				_, _ = conn.WriteToUDPAddrPort([]byte(a), from)
			}
		}
	}()
	ctx, cancel := context.WithTimeout(t.Context(), 2*ssdpEvery+ssdpEvery/2)
	defer cancel()
	var at []string
	for d := range searched(ctx, netip.MustParseAddr("127.0.0.1"), conn.LocalAddr().(*net.UDPAddr).AddrPort(), "one", "two") {
		at = append(at, d.from.String()+" "+d.at.String())
	}
	if want := []string{"127.0.0.1 http://127.0.0.1:5000/root.xml", "127.0.0.1 http://127.0.0.1:5000/two.xml"}; !slices.Equal(at, want) {
		t.Errorf("found %q", at)
	}
	if a, b, c := <-kinds, <-kinds, <-kinds; a != "one" || b != "two" || c != "one" {
		t.Errorf("searched for %s, %s, %s", a, b, c)
	}
}

// What is asked by multicast is what UPnP says.
func TestSearchWords(t *testing.T) {
	to := netip.AddrPortFrom(netip.MustParseAddr(ssdpGroup6).WithZone("eth0"), 1900)
	const want = "M-SEARCH * HTTP/1.1\r\nHOST: [FF02::C]:1900\r\nMAN: \"ssdp:discover\"\r\nMX: 1\r\nST: a kind\r\n\r\n"
	if got := string(ssdpSearch(to, "a kind")); got != want {
		t.Errorf("got %q", got)
	}
	if got := string(ssdpSearch(group4, "a kind")); !strings.Contains(got, "HOST: 239.255.255.250:1900\r\n") {
		t.Errorf("got %q", got)
	}
}

// This machine is no router of its own.
func TestOurs(t *testing.T) {
	addrs, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range addrs {
		p := netip.MustParsePrefix(a.String())
		if !ours(p.Addr()) || p.Addr().Is6() && !ours(p.Addr().WithZone("eth0")) {
			t.Errorf("%v is not ours", p)
		}
	}
	for _, a := range []string{"127.0.0.99", "::1"} {
		if !ours(netip.MustParseAddr(a)) {
			t.Errorf("%s is not ours", a)
		}
	}
	if ours(netip.MustParseAddr("203.0.113.7")) {
		t.Error("203.0.113.7 is ours")
	}
}

func FuzzSSDP(f *testing.F) {
	f.Add([]byte(found))
	f.Add([]byte(strings.Replace(found, "127.0.0.1", "[fe80::1%25eth0]", 1)))
	f.Add([]byte(strings.Replace(found, "\r\n\r\n", "\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello", 1)))
	f.Fuzz(func(t *testing.T, b []byte) { looksAtSSDP(t, b) })
}

func looksAtSSDP(t *testing.T, b []byte) (well bool) {
	for _, from := range []string{"127.0.0.1", "fe80::1%eth0"} {
		a := netip.MustParseAddr(from)
		at := ssdpLocation(b, a)
		if at == nil {
			continue
		}
		well = true
		if host, err := netip.ParseAddr(at.Hostname()); err != nil || at.Scheme != "http" || host.Unmap().WithZone("") != a.WithZone("") {
			t.Fatalf("%q: %v", b, at)
		}
		if _, err := http.NewRequest(http.MethodGet, at.String(), nil); err != nil {
			return false
		}
	}
	return well
}

// based is a description that names another place.
var based = strings.Replace(description, "<device>", "<URLBase>http://192.0.2.1:80/</URLBase><device>", 1)

func FuzzDescription(f *testing.F) {
	f.Add([]byte(description))
	f.Add([]byte(based))
	f.Add([]byte(strings.Replace(based, "http://192.0.2.1:80/", "%zz", 1)))
	f.Fuzz(func(t *testing.T, b []byte) { looksAtDescription(t, b) })
}

// looksAtDescription has services made of what was read, as they are for a router: what is not at the device's own address
// cannot be dialed.
func looksAtDescription(t *testing.T, b []byte) (well bool) {
	at := &url.URL{Scheme: "http", Host: "127.0.0.1:5000", Path: "/root.xml"}
	root, err := readDescription(bytes.NewReader(b), at)
	if err != nil {
		return false
	}
	d := device{from: netip.MustParseAddr("127.0.0.1"), inside: netip.MustParseAddr("127.0.0.1"), at: at}
	r, is := d.of(root).(*upnp)
	if !is {
		return false
	}
	to := r.GetServiceClient().SOAPClient.EndpointURL
	if _, err := d.mayDial(to.Host); err == nil && to.Hostname() != "127.0.0.1" {
		t.Fatalf("%q has us dial %v", b, to)
	}
	return true
}
