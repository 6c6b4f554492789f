package ds

import (
	"net/netip"
	"testing"
)

func TestIsLocal(t *testing.T) {
	for text, want := range map[string]bool{
		"127.0.0.1": true, "::1": true, "192.168.1.5": true, "10.1.2.3": true, "172.16.0.1": true, "169.254.1.1": true,
		"fe80::1": true, "fd00::2": true, "::ffff:192.168.1.5": true,
		"203.0.113.7": false, "100.64.0.1": false, "2001:db8::1": false, "0.0.0.0": false, "::ffff:203.0.113.7": false,
	} {
		if got := IsLocal(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s is local: %v", text, got)
		}
	}
	if IsLocal(netip.Addr{}) {
		t.Error("no address is local")
	}
}

// One address in a network of IPv6 stands for all of them, and one of IPv4 for itself.
func TestOrigin(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"2001:db8::1", "2001:db8::ffff:1:2:3", true},
		{"2001:db8::1", "2001:db8:0:1::1", false},
		{"fe80::1%eth0", "fe80::2", true},
		{"10.0.0.1", "10.0.0.2", false},
		{"10.0.0.1", "::ffff:10.0.0.1", true},
	} {
		if same := Origin(netip.MustParseAddr(tt.a)) == Origin(netip.MustParseAddr(tt.b)); same != tt.same {
			t.Errorf("%s and %s are one: %v", tt.a, tt.b, same)
		}
	}
}
