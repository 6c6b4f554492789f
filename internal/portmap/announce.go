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

	// deaf is how long a socket that fails is left alone, and twice as long after each further failure.
	deaf = 100 * time.Millisecond
)

// allHosts is the group that every machine is in.
var allHosts = net.UDPAddr{IP: net.IPv4(224, 0, 0, 1), Port: announcePort}

// listen tells all of said when the router says so, until ctx ends, or at once where the system lets nobody listen.
func listen(ctx context.Context, said []chan<- struct{}) {
	at := allHosts
	conn, err := net.ListenMulticastUDP("udp4", nil, &at)
	if err == nil {
		hear(ctx, conn, gateway4, said)
	}
}

// hearing is a socket.
type hearing interface {
	ReadFromUDPAddrPort([]byte) (int, netip.AddrPort, error)
	Close() error
}

// hear tells when the router says so to a socket, until ctx ends, and closes it then.
func hear(ctx context.Context, conn hearing, router func() netip.Addr, said []chan<- struct{}) {
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	failed := deaf
	for b := make([]byte, pcpMost); ; {
		n, from, err := conn.ReadFromUDPAddrPort(b)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil: // it may go on failing: the network is gone, or the system refuses
			sleep(ctx, failed)
			failed = min(2*failed, again)
			continue
		case !announces(b[:n]) || from.Addr().Unmap() != router():
			sleep(ctx, time.Millisecond) // a flood of them costs little
		default:
			for _, c := range said {
				select {
				case c <- struct{}{}:
				default:
				}
			}
		}
		failed = deaf
	}
}

// sleep waits for so long, or until ctx ends.
func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// announces reports whether a datagram says that a router has started anew, or has another address.
func announces(b []byte) bool {
	return len(b) == natpmpSize && b[0] == 0 && b[1] == pcpAnswer && b[3] == 0 ||
		len(b) >= pcpHead && b[0] == pcpVersion && b[1] == pcpAnswer && b[3] == 0
}
