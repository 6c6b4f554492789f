// Package portmap has the player's router forward a UDP port to this machine, by UPnP or
// NAT-PMP, whichever the router speaks, so that friends reach a room without the player
// setting up anything. Over IPv6, where nothing is forwarded, it has the router's firewall
// open a pinhole, by PCP or UPnP.
//
// The package promises:
//   - A mapping is renewed while it is wanted, asked for again when the router forgot it or has another address, at once
//     where the router says so, and given back at the end.
//   - What a device on the network says is bounded in size and time, and it is asked nothing but at
//     the address it answered from.
//   - What may have been forwarded for nothing is given back at once.
//
// portmap.go keeps a mapping; announce.go hears routers that start anew; the others speak to routers: upnp.go, natpmp.go, and for IPv6 pcp.go
// and firewall.go. ssdp.go finds those of UPnP. Read next: internal/launch, which puts the address into the invitation.
package portmap
