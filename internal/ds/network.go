package ds

import "net/netip"

// IsLocal reports whether an address is one of a local network, or of a machine for itself:
// the internet beyond the router knows nothing of it.
func IsLocal(a netip.Addr) bool {
	a = a.Unmap()
	return a.IsLoopback() || a.IsPrivate() || a.IsLinkLocalUnicast()
}

// Origin is whom an address stands for where it is counted what one stranger does: one who has
// an IPv6 address has all of its network, which are 64 bits.
func Origin(a netip.Addr) netip.Addr {
	a = a.Unmap().WithZone("")
	if a.Is4() {
		return a
	}
	p, err := a.Prefix(64)
	if err != nil {
		return a
	}
	return p.Addr()
}
