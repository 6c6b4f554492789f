package portmap

import (
	"errors"
	"net/netip"
	"strconv"
	"unsafe"

	"golang.org/x/sys/windows"
)

// gateway4 and gateway6 are the addresses of the router to which this machine sends what goes to the internet; not
// valid where there is none.
func gateway4() netip.Addr { return gatewayOf(windows.AF_INET) }
func gateway6() netip.Addr { return gatewayOf(windows.AF_INET6) }

// leastAdapters and mostAdapters bound what Windows says of this machine's adapters, in bytes.
const (
	leastAdapters = 1 << 14
	mostAdapters  = 1 << 20
)

// gatewayOf asks Windows for all adapters.
func gatewayOf(family uint32) netip.Addr {
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
			return gatewayIn(family, first)
		}
		if !errors.Is(err, windows.ERROR_BUFFER_OVERFLOW) {
			break
		}
	}
	return netip.Addr{}
}

// gatewayIn returns the router of the adapter that Windows prefers, of all that are up and have one.
func gatewayIn(family uint32, first *windows.IpAdapterAddresses) (best netip.Addr) {
	var least uint32
	for a := first; a != nil; a = a.Next {
		metric := a.Ipv4Metric
		if family == windows.AF_INET6 {
			metric = a.Ipv6Metric
		}
		if a.OperStatus != windows.IfOperStatusUp || best.IsValid() && metric >= least {
			continue
		}
		for g := a.FirstGatewayAddress; g != nil; g = g.Next {
			if at := addressOf(family, g.Address); at.IsValid() && !at.IsUnspecified() {
				best, least = at, metric
				break
			}
		}
	}
	return best
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
