package udp

import (
	"net/netip"

	"github.com/nettplay/nettplay/internal/relay"
)

// packet is a datagram from the network in a reused buffer. One byte more than
// is allowed shows what was too long. Once opened it is kind and body, at the place where
// they were sealed.
type packet struct {
	n      int
	from   netip.AddrPort
	newest bool // none that was sent later has come before
	buf    [maxCarrying + relay.HeaderSize + 1]byte
}

func (p *packet) bytes() []byte { return p.buf[:p.n] }

// kind and body are of a packet that was opened.
func (p *packet) kind() kind   { return kind(p.buf[headRoom-1]) }
func (p *packet) body() []byte { return p.buf[headRoom:p.n] }
