package portmap

import (
	"context"
	"net"
	"net/netip"
	"time"
)

// A router says to all of its network when it has started anew, and forgotten what it forwards, or has another address outside:
//
//	NAT-PMP (RFC 6886, 3.2.1)  0 0x80 0:2 epoch:4 address:4
//	PCP (RFC 6887, 14.1)       2 0x80 0 result:1 0:4 epoch:4 0:12
//
// Nobody answers. Anybody on the network may say so: it makes us ask the router, now and then.
const (
	announcePort = 5350
	natpmpSize   = 12
	pcpHead      = 24

	// settle is how long the router is left alone after that, since more may follow.
	settle = 2 * time.Second
)

// allHosts is the group that every machine is in.
var allHosts = net.UDPAddr{IP: net.IPv4(224, 0, 0, 1), Port: announcePort}

// announced tells when the router says so, until ctx ends. A system that lets nobody listen tells nothing.
func announced(ctx context.Context) <-chan struct{} {
	at := allHosts
	conn, err := net.ListenMulticastUDP("udp4", nil, &at)
	if err != nil {
		return nil
	}
	return heard(ctx, conn, gateway4)
}

// heard tells when the router says so to a socket, which it closes when ctx ends.
func heard(ctx context.Context, conn *net.UDPConn, router func() netip.Addr) <-chan struct{} {
	said := make(chan struct{}, 1)
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	go func() {
		defer conn.Close()
		defer stop()
		for b := make([]byte, pcpMost); ; {
			n, from, err := conn.ReadFromUDPAddrPort(b)
			if ctx.Err() != nil {
				return
			}
			if err != nil || !announces(b[:n]) || from.Addr().Unmap() != router() {
				time.Sleep(time.Millisecond) // a flood of them costs little
				continue
			}
			select {
			case said <- struct{}{}:
			default:
			}
		}
	}()
	return said
}

// announces reports whether a datagram says that a router has started anew, or has another address.
func announces(b []byte) bool {
	return len(b) == natpmpSize && b[0] == 0 && b[1] == pcpAnswer && b[3] == 0 ||
		len(b) >= pcpHead && b[0] == pcpVersion && b[1] == pcpAnswer && b[3] == 0
}
