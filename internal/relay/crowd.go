package relay

import "net/netip"

// WideShare is the factor by which a network of 48 bits may have more than one of 64 bits within it.
const WideShare = 4

// Crowd counts machines by where they are: at one IPv4 address, or in one IPv6 network of 64 bits,
// which is what one who has many addresses cannot change, and in one of 48 bits: some have all of that.
type Crowd map[netip.Prefix]int

func networks(ip netip.Addr) []netip.Prefix {
	if ip = ip.WithZone("").Unmap(); ip.Is4() {
		return []netip.Prefix{netip.PrefixFrom(ip, 32)}
	}
	return []netip.Prefix{netip.PrefixFrom(ip, 64).Masked(), netip.PrefixFrom(ip, 48).Masked()}
}

// Fits reports whether there may be one more at an address, if a network may have so many.
func (c Crowd) Fits(from netip.Addr, most int) bool {
	for _, n := range networks(from) {
		if c[n] >= most {
			return false
		}
		most *= WideShare
	}
	return true
}

// Add counts more machines at an address, or less.
func (c Crowd) Add(from netip.Addr, more int) {
	for _, n := range networks(from) {
		if c[n] += more; c[n] == 0 {
			delete(c, n)
		}
	}
}
