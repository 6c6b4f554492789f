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
