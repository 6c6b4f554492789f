package udp

import (
	"context"
	"crypto/rand"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
)

// relays are the link's mailboxes at relays, and what it does to keep them.
type relays struct {
	client *relay.Client
	start  sync.Once

	// Tunnels end after the sessions, which have to say goodbye.
	life context.Context
	end  context.CancelFunc
	jobs sync.WaitGroup // Add under the link's mu while it is not closed

	tunnels [relay.MaxRelays + 1]atomic.Pointer[relay.Tunnel] // by the relay's number; nil for none
}

// newRelays makes those of a link that uses none yet. Its mailbox is one that nobody looks
// for; SetMailbox gives it the one that others know.
func newRelays(key seal.Private) *relays {
	var box relay.Mailbox
	_, _ = rand.Read(box[:]) // does not fail
	r := &relays{client: relay.NewClient(box, ownerOf(key, box))}
	r.life, r.end = context.WithCancel(context.Background())
	return r
}

func ownerOf(key seal.Private, box relay.Mailbox) func(string) relay.Owner {
	return func(name string) relay.Owner { return key.Owner(name, box) }
}

// writeRelayed sends a datagram, through a relay if that is where the address is.
func (l *Link) writeRelayed(b []byte, to netip.AddrPort) error {
	if relay.IsRelayed(to) {
		d, ok := l.relays.client.Wrap(to, b)
		if !ok {
			return nil
		}
		b, to = d.Bytes, d.To
	}
	return l.writeOut(b, to)
}

// writeOut sends a datagram out of this machine: by the socket, or through a tunnel.
func (l *Link) writeOut(b []byte, to netip.AddrPort) error {
	if !relay.IsTunnel(to) {
		_, err := l.conn.WriteToUDPAddrPort(b, to)
		return err
	}
	if t := l.relays.tunnels[relay.TunnelOf(to)].Load(); t != nil {
		t.Send(b)
	}
	return nil
}

// unwrap makes what a relay brought the datagram that was sent, and says where it came from.
// It is not ok if the relay had something to say itself.
func (l *Link) unwrap(p *packet, from netip.AddrPort, now time.Time) (at netip.AddrPort, ok bool) {
	body, at, reply := l.relays.client.Unwrap(p.bytes(), from, now)
	if p.n = copy(p.buf[:], body); p.n > 0 {
		return at, true
	}
	if reply != nil {
		_ = l.writeOut(reply, from)
	}
	if at.IsValid() {
		l.tellDials(answer{from: at, unheld: true})
	}
	return at, false
}

// shown is an address as others can dial it.
func (l *Link) shown(at netip.AddrPort) string {
	if !relay.IsRelayed(at) {
		return at.String()
	}
	box, n := relay.MailboxOf(at)
	if by, ok := l.members.key(n); ok {
		return link.ThroughNumber(link.Number(by), box)
	}
	return relay.Place(l.relays.client.Name(n), box)
}

// told is a route in the words of package link.
func (w route) told(l *Link) link.Route {
	if !relay.IsRelayed(w.addr) {
		return link.Route{}
	}
	_, n := relay.MailboxOf(w.addr)
	if by, ok := l.members.key(n); ok {
		return link.Route{PeerRelay: by, Direct: w.direct}
	}
	by := link.Route{Relay: l.relays.client.Name(n), Direct: w.direct}
	if all := l.relays.client.Status(); n >= 1 && n <= len(all) && all[n-1].Tunnel {
		by.Tunnel, by.Holdup = true, all[n-1].RTT
	}
	return by
}
