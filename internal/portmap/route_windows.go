package portmap

import (
	"errors"
	"net/netip"
	"strconv"
	"unsafe"

	"golang.org/x/sys/windows"

	"github.com/nettplay/nettplay/internal/sockets"
)

// gateway4 and gateway6 are the addresses of the router to which this machine sends what goes to the internet; not
// valid where there is none.
func gateway4() netip.Addr { return gatewayOf(windows.AF_INET, sockets.Address4()) }
func gateway6() netip.Addr { return gatewayOf(windows.AF_INET6, sockets.Address6()) }

// leastAdapters and mostAdapters bound what Windows says of this machine's adapters, in bytes.
const (
	leastAdapters = 1 << 14
	mostAdapters  = 1 << 20
)

// gatewayOf asks Windows for all adapters. own is the address by which this machine sends to the internet.
func gatewayOf(family uint32, own netip.Addr) netip.Addr {
	const (
		gateways = 0x80 // GAA_FLAG_INCLUDE_GATEWAYS
		less     = windows.GAA_FLAG_SKIP_ANYCAST | windows.GAA_FLAG_SKIP_MULTICAST | windows.GAA_FLAG_SKIP_DNS_SERVER
	)
	size := uint32(leastAdapters)
	for size <= mostAdapters {
		list := make([]uint64, (size+7)/8) // lies as a structure with pointers has to
		first := (*windows.IpAdapterAddresses)(unsafe.Pointer(&list[0]))
		err := windows.GetAdaptersAddresses(family, gateways|less, 0, first, &size)
		if err == nil {
			return gatewayIn(family, first, own)
		}
		if !errors.Is(err, windows.ERROR_BUFFER_OVERFLOW) {
			break
		}
	}
	return netip.Addr{}
}

// gatewayIn returns the router of the adapter that has own; otherwise that of the one that Windows prefers, of all that are up and
// have one. The metric alone does not decide: each route has one beside it, and under Wine an adapter's is always 0.
func gatewayIn(family uint32, first *windows.IpAdapterAddresses, own netip.Addr) (best netip.Addr) {
	var least uint32
	for a := first; a != nil; a = a.Next {
		router := routerIn(family, a)
		if a.OperStatus != windows.IfOperStatusUp || !router.IsValid() {
			continue
		}
		if own.IsValid() && has(family, a, own) {
			return router
		}
		metric := a.Ipv4Metric
		if family == windows.AF_INET6 {
			metric = a.Ipv6Metric
		}
		if !best.IsValid() || metric < least {
			best, least = router, metric
		}
	}
	return best
}

// routerIn is the first router of an adapter, not valid if it has none.
func routerIn(family uint32, a *windows.IpAdapterAddresses) netip.Addr {
	for g := a.FirstGatewayAddress; g != nil; g = g.Next {
		if at := addressOf(family, g.Address); at.IsValid() && !at.IsUnspecified() {
			return at
		}
	}
	return netip.Addr{}
}

// has reports whether an address is one of the adapter's.
func has(family uint32, a *windows.IpAdapterAddresses, own netip.Addr) bool {
	for u := a.FirstUnicastAddress; u != nil; u = u.Next {
		if addressOf(family, u.Address) == own {
			return true
		}
	}
	return false
}

// addressOf is the address of one family that Windows states; not valid for another's.
func addressOf(family uint32, s windows.SocketAddress) netip.Addr {
	switch {
	case s.Sockaddr == nil || uint32(s.Sockaddr.Addr.Family) != family:
	case family == windows.AF_INET && uintptr(s.SockaddrLength) >= unsafe.Sizeof(windows.RawSockaddrInet4{}):
		return netip.AddrFrom4((*windows.RawSockaddrInet4)(unsafe.Pointer(s.Sockaddr)).Addr)
	case family == windows.AF_INET6 && uintptr(s.SockaddrLength) >= unsafe.Sizeof(windows.RawSockaddrInet6{}):
		raw := (*windows.RawSockaddrInet6)(unsafe.Pointer(s.Sockaddr))
		a := netip.AddrFrom16(raw.Addr)
		if a.IsLinkLocalUnicast() {
			a = a.WithZone(strconv.FormatUint(uint64(raw.Scope_id), 10))
		}
		return a
	}
	return netip.Addr{}
}
