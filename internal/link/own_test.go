package link

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
)

func addrs(text string) (list []netip.Addr) {
	for a := range strings.FieldsSeq(text) {
		list = append(list, netip.MustParseAddr(a))
	}
	return list
}

// Whatever networks a machine has within itself, those come first by which friends come in.
func TestAddressesInOrder(t *testing.T) {
	wifi := card{name: "wlan0", addrs: addrs("192.168.1.7 2001:db8:5::a1 2001:db8:5::b2 2001:db8:5::c3 fd12::7 fe80::1")}
	docker := card{name: "docker0", virtual: true, addrs: addrs("172.17.0.1 fd00:d0c::1")}
	bridge := card{name: "br-1f2e", virtual: true, addrs: addrs("172.18.0.1 172.19.0.1 172.20.0.1")}
	for what, x := range map[string]struct {
		cards []card
		out   string
		want  string
	}{
		"a developer's": {
			[]card{{name: "lo", addrs: addrs("127.0.0.1 ::1")}, docker, bridge, wifi, {name: "tailscale0", tunnel: true, addrs: addrs("100.101.102.103 fd7a::5")}},
			"192.168.1.7 2001:db8:5::b2",
			"2001:db8:5::b2 2001:db8:5::a1 192.168.1.7 100.101.102.103 fd7a::5 172.17.0.1 fd00:d0c::1 172.18.0.1 172.19.0.1 172.20.0.1",
		},
		"a server's with a bridge that leads out": {
			[]card{{name: "br-lan", virtual: true, addrs: addrs("10.0.0.2")}, {name: "eth1", addrs: addrs("10.9.0.2")}},
			"10.0.0.2", "10.0.0.2 10.9.0.2",
		},
		"on the internet itself": {
			[]card{{name: "eth1", addrs: addrs("10.0.0.2")}, {name: "eth0", addrs: addrs("45.80.0.9")}},
			"45.80.0.9", "45.80.0.9 10.0.0.2",
		},
		"of a network with IPv6 alone": {
			[]card{{name: "eth0", addrs: addrs("fe80::2 fd12::2")}}, "fd12::2", "fd12::2",
		},
		"on no network": {nil, "", ""},
	} {
		if got := ordered(x.cards, addrs(x.out)...); !slices.Equal(got, addrs(x.want)) {
			t.Errorf("%s: %v, want %s", what, got, x.want)
		}
	}
}

// This machine's own are those that it has.
func TestLocal(t *testing.T) {
	for _, a := range Local() {
		if a.IsLoopback() || a.IsLinkLocalUnicast() || a.Is4In6() || a.Zone() != "" {
			t.Errorf("%v is none for others", a)
		}
	}
}
