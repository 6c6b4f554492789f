package link

import "net/netip"

// Numeric returns those addresses that may be dialled of a list that others sent: a name
// would have to be looked up. On a link whose own address is a name, as in tests, all are
// names and may be dialled.
func Numeric(l Link, addrs []string) []string {
	if _, err := netip.ParseAddrPort(l.Addr()); err != nil {
		return addrs
	}
	var list []string
	for _, addr := range addrs {
		if _, err := netip.ParseAddrPort(addr); err == nil {
			list = append(list, addr)
		}
	}
	return list
}
