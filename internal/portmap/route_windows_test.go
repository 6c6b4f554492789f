package portmap

import (
	"net/netip"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/windows"
)

func socketAddress(a netip.Addr, zone uint32) windows.SocketAddress {
	if a.Is4() {
		raw := &windows.RawSockaddrInet4{Family: windows.AF_INET, Addr: a.As4()}
		return windows.SocketAddress{Sockaddr: (*syscall.RawSockaddrAny)(unsafe.Pointer(raw)), SockaddrLength: int32(unsafe.Sizeof(*raw))}
	}
	raw := &windows.RawSockaddrInet6{Family: windows.AF_INET6, Addr: a.As16(), Scope_id: zone}
	return windows.SocketAddress{Sockaddr: (*syscall.RawSockaddrAny)(unsafe.Pointer(raw)), SockaddrLength: int32(unsafe.Sizeof(*raw))}
}

// TestGatewayOfWindows: of the adapters that are up and have a router, the one by which this machine sends, otherwise that which
// Windows prefers.
func TestGatewayOfWindows(t *testing.T) {
	adapter := func(status, metric uint32, gateways ...windows.SocketAddress) *windows.IpAdapterAddresses {
		a := &windows.IpAdapterAddresses{OperStatus: status, Ipv4Metric: metric, Ipv6Metric: 100 - metric}
		for i := len(gateways) - 1; i >= 0; i-- {
			a.FirstGatewayAddress = &windows.IpAdapterGatewayAddress{Address: gateways[i], Next: a.FirstGatewayAddress}
		}
		return a
	}
	of := func(s string) windows.SocketAddress { return socketAddress(netip.MustParseAddr(s), 7) }
	list := []*windows.IpAdapterAddresses{
		adapter(windows.IfOperStatusDown, 1, of("10.9.9.9")),
		adapter(windows.IfOperStatusUp, 2), // has none
		adapter(windows.IfOperStatusUp, 50, of("192.168.1.1"), of("fe80::1")),
		adapter(windows.IfOperStatusUp, 25, of("0.0.0.0"), of("192.168.2.1"), of("2001:db8::1")),
	}
	for i := range list[1:] {
		list[i].Next = list[i+1]
	}
	if got := gatewayIn(windows.AF_INET, list[0], netip.Addr{}); got != netip.MustParseAddr("192.168.2.1") {
		t.Errorf("IPv4: %v", got)
	}
	if got := gatewayIn(windows.AF_INET6, list[0], netip.Addr{}); got != netip.MustParseAddr("fe80::1%7") {
		t.Errorf("IPv6: %v", got)
	}
	if got := gatewayIn(windows.AF_INET, list[1], netip.Addr{}); got != netip.MustParseAddr("192.168.2.1") {
		t.Errorf("without the first: %v", got)
	}
	if got := gatewayIn(windows.AF_INET, nil, netip.Addr{}); got.IsValid() {
		t.Errorf("of none: %v", got)
	}
	for i, addresses := range [][]string{{"10.9.9.2"}, {"192.168.3.2"}, {"192.168.1.2", "fe80::2", "192.168.1.3"}, {"192.168.2.2", "2001:db8::2"}} {
		for _, s := range addresses {
			list[i].FirstUnicastAddress = &windows.IpAdapterUnicastAddress{Address: of(s), Next: list[i].FirstUnicastAddress}
		}
	}
	for _, c := range []struct {
		family    uint32
		own, want string
	}{
		{windows.AF_INET, "192.168.1.2", "192.168.1.1"},
		{windows.AF_INET, "192.168.1.3", "192.168.1.1"},
		{windows.AF_INET, "192.168.2.2", "192.168.2.1"},
		{windows.AF_INET, "10.9.9.2", "192.168.2.1"},    // of an adapter that went down meanwhile
		{windows.AF_INET, "192.168.3.2", "192.168.2.1"}, // of one without a router
		{windows.AF_INET6, "2001:db8::2", "2001:db8::1"},
	} {
		if got := gatewayIn(c.family, list[0], netip.MustParseAddr(c.own)); got != netip.MustParseAddr(c.want) {
			t.Errorf("sending from %s: %v, want %s", c.own, got, c.want)
		}
	}
	if a := addressOf(windows.AF_INET6, windows.SocketAddress{}); a.IsValid() {
		t.Errorf("of nothing: %v", a)
	}
	short := of("fe80::1")
	short.SockaddrLength = 8
	if a := addressOf(windows.AF_INET6, short); a.IsValid() {
		t.Errorf("of half an address: %v", a)
	}
}

// TestGatewayHere: whatever this machine has, asking does no harm.
func TestGatewayHere(t *testing.T) {
	if a := gateway4(); a.IsValid() && !a.Is4() {
		t.Errorf("IPv4: %v", a)
	} else {
		t.Logf("IPv4: %v", a)
	}
	if a := gateway6(); a.IsValid() && !a.Is6() {
		t.Errorf("IPv6: %v", a)
	}
}
