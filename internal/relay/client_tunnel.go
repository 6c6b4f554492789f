package relay

import (
	"net/netip"
	"slices"
)

// TunnelAt is the address of the tunnel to a relay, for code that knows addresses only: beside
// those of mailboxes.
//
//	0100:0001::   port: number of the relay, from 1
func TunnelAt(relay int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom16([16]byte{virtual, 0, 0, 1}), uint16(relay))
}

// IsTunnel reports whether a datagram to an address goes through a tunnel.
func IsTunnel(a netip.AddrPort) bool { return a.Addr() == TunnelAt(0).Addr() }

// TunnelOf is the number of the relay at the end of a tunnel's address.
func TunnelOf(a netip.AddrPort) int { return int(a.Port()) }

// account is the place of the relay that sends from an address, negative for none.
func (c *Client) account(from netip.AddrPort) int {
	if IsTunnel(from) {
		n := TunnelOf(from)
		if c.number(n).tunnel != tunnelOpen {
			return -1
		}
		return n - 1
	}
	return slices.IndexFunc(c.relays, func(a *account) bool { return slices.Contains(a.addrs, from) })
}

// Blocked are the relays to which a tunnel is to be opened, as they do not answer. Each is told
// once, until the caller says how it went with Tunnel or NoTunnel.
func (c *Client) Blocked() (list []int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, a := range c.relays {
		if !a.held && a.refused == 0 && a.waiting >= blockedFrom && a.tunnel == tunnelNone && !(a.family.learned && c.hears()) {
			a.tunnel = tunnelDialled
			list = append(list, i+1)
		}
	}
	return list
}

// TunnelTo are a relay's addresses to which a tunnel may be opened. An invitation, which anybody may
// have written, has no requests sent to services of this machine and its own networks: those of a relay that
// the player's settings do not name are left out. By UDP an invitation's relay is spoken to wherever it is, like the
// invitation's other addresses: sealed datagrams and claims are words of this protocol alone.
func (c *Client) TunnelTo(n int) (list []netip.Addr) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := c.number(n)
	own := slices.Contains(c.own, a.name)
	for _, at := range a.addrs {
		if own || !isNear(at) && !at.Addr().IsMulticast() {
			list = append(list, at.Addr())
		}
	}
	return list
}

// hears reports whether a relay answers by UDP: then others that do not are not there.
func (c *Client) hears() bool {
	return slices.ContainsFunc(c.relays, func(a *account) bool { return a.held && a.tunnel != tunnelOpen })
}

// Tunnel tells that a tunnel to a relay is open. It is not wanted if UDP got through meanwhile.
func (c *Client) Tunnel(n int) (wanted bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer c.stir()
	a := c.number(n)
	if a.tunnel != tunnelDialled {
		return false
	}
	if a.held {
		a.tunnel = tunnelNone
		return false
	}
	a.tunnel, a.waiting, a.cookie = tunnelOpen, 0, proof{}
	a.claimed = a.claimed.Add(-claimSlowly) // now
	return true
}

// NoTunnel tells that there is none, or none any more.
func (c *Client) NoTunnel(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer c.stir()
	a := c.number(n)
	a.tunnel = tunnelNone
	if IsTunnel(a.addr) {
		a.addr, a.held, a.waiting = netip.AddrPort{}, false, 0
	}
}
