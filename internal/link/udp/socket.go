package udp

import (
	"fmt"
	"net"
	"net/netip"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/sockets"
)

// bind opens the socket. Where there is no IPv6, it speaks IPv4 only.
func bind(cfg Config) (*net.UDPConn, error) {
	if cfg.Bind == "" {
		if c, err := net.ListenUDP("udp", &net.UDPAddr{Port: cfg.Port}); err == nil {
			return c, nil
		}
		cfg.Bind = netip.IPv4Unspecified().String()
	}
	ip, err := netip.ParseAddr(cfg.Bind)
	if err != nil {
		return nil, fmt.Errorf("listen on %q: not an address", cfg.Bind)
	}
	at := netip.AddrPortFrom(ip, uint16(cfg.Port))
	c, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(at))
	if sockets.AddressInUse(err) {
		err = link.ErrPortInUse
	}
	if err != nil {
		return nil, fmt.Errorf("listen on UDP %s: %w", at, err)
	}
	return c, nil
}

// lowTTL is the TTL of a datagram for our own router: through the routers of one's own home, also where one stands
// behind another, and not to the other machine's.
const lowTTL = 3
