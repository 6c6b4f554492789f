package ds

import "net/netip"

// IsLocal tells whether an address is one of a local network, or of a machine for itself:
// the internet beyond the router knows nothing of it.
func IsLocal(a netip.Addr) bool {
	a = a.Unmap()
	return a.IsLoopback() || a.IsPrivate() || a.IsLinkLocalUnicast()
}
