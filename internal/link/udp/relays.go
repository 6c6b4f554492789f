package udp

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
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

const (
	resolveAgain = 5 * time.Second  // after a relay's name could not be looked up
	resolveAnew  = 30 * time.Second // while it does not answer

	tunnelWithin = 5 * time.Second // it is open
	tunnelAgain  = 5 * time.Second // after it could not be opened
	tunnelLook   = time.Second     // whether it is wanted still
)

// SetMailbox has other machines of the room find this one at relays, each "host:port", until
// the link is closed. Only those who know the mailbox can send to it.
func (l *Link) SetMailbox(box relay.Mailbox, names []string) {
	l.relays.client.Move(box, ownerOf(l.cfg.Key, box))
	l.FindRelays(names...)
}

// FindRelays uses relays that somebody has named, "host:port" each: the player, or who wrote an invitation.
func (l *Link) FindRelays(names ...string) *relay.Client {
	for _, name := range names {
		l.useRelay(name)
	}
	return l.relays.client
}

// Relays uses relays that the player's settings name, each "host:port", also without a room. It returns
// this machine's side of all that are used.
func (l *Link) Relays(names ...string) *relay.Client {
	l.relays.client.Own(names...)
	return l.FindRelays(names...)
}

// useRelay gives the number of a relay, which begins to be used. It is 0 if that is one too
// many.
func (l *Link) useRelay(name string) int {
	n, added := l.relays.client.Use(name)
	if added {
		l.findRelay(n, name)
	}
	return n
}

// findRelay looks a relay up and keeps a mailbox there from then on.
func (l *Link) findRelay(n int, name string) {
	l.start(&l.dialing, func() { l.resolveRelay(n, name) })
	l.relays.start.Do(func() { l.start(&l.dialing, l.keepRelays) })
}

// resolveRelay looks a relay's name up, again and again while it does not answer.
func (l *Link) resolveRelay(n int, name string) {
	for l.life.Err() == nil {
		wait := resolveAgain
		ctx, cancel := context.WithTimeout(l.life, resolveAgain)
		addrs, err := resolveOne(ctx, name)
		cancel()
		if err == nil {
			wait = resolveAnew
			if l.cfg.Here != nil {
				for i, at := range addrs {
					addrs[i] = l.cfg.Here(at)
				}
				wait = resolveAgain // it may be found out yet that it is our own
			}
			if st := l.relays.client.Status(); !st[n-1].Held {
				l.relays.client.Resolved(n, addrs)
			}
		} else if dns, is := errors.AsType[*net.DNSError](err); is && dns.IsNotFound {
			l.relays.client.Nowhere(n)
		}
		pause(l.life, wait)
	}
}

// keepRelays keeps the mailboxes.
func (l *Link) keepRelays() {
	for l.life.Err() == nil {
		list, wait := l.relays.client.Due(time.Now())
		for _, d := range list {
			_ = l.writeOut(d.Bytes, d.To)
		}
		for _, name := range l.relays.client.Learned() {
			l.findRelay(l.relays.client.Number(name), name)
		}
		for _, n := range l.relays.client.Blocked() {
			l.start(&l.relays.jobs, func() { l.keepTunnel(n) })
		}
		select {
		case <-time.After(wait):
		case <-l.relays.client.Wake():
		case <-l.life.Done():
		}
	}
}

// placeOf finds the address of a mailbox in a target. It is not ok for another sort of
// address. Only an invitation, which names a key, brings a relay that is not used yet: other
// addresses may be hearsay.
func (l *Link) placeOf(addr string, invited bool) (at netip.AddrPort, ok bool, err error) {
	if by, to, ok := link.FindThrough(addr); ok {
		n := l.members.number(by)
		if n == 0 || to == link.Number(l.Key()) {
			return at, true, errors.New("the player through whom it goes is not connected")
		}
		return to.At(n), true, nil
	}
	name, box, ok := relay.FindPlace(addr)
	if !ok {
		return at, false, nil
	}
	n := l.relays.client.Number(name)
	own, _ := l.relays.client.Mailbox()
	if n == 0 && invited {
		n = l.useRelay(name)
	}
	switch {
	case n == 0 && !invited:
		return at, true, fmt.Errorf("the relay %s is not used here", name)
	case n == 0:
		return at, true, fmt.Errorf("the relay %s cannot be used: the limit of relays is reached", name)
	case box == own:
		return at, true, errors.New("the address is this program's own")
	}
	return box.At(n), true, nil
}

// keepTunnel has a relay spoken to by WebSocket, as long as UDP does not get through to it. Where there
// can be no tunnel it returns a while later.
func (l *Link) keepTunnel(n int) {
	defer l.relays.client.NoTunnel(n)
	ctx, cancel := context.WithTimeout(l.relays.life, tunnelWithin)
	t, err := relay.DialTunnel(ctx, l.relays.client.Name(n), l.relays.client.TunnelTo(n))
	cancel()
	if err != nil {
		pause(l.relays.life, tunnelAgain)
		return
	}
	over := make(chan struct{})
	l.relays.tunnels[n].Store(t)
	defer func() {
		_ = t.Close()
		l.relays.tunnels[n].Store(nil)
		<-over
	}()
	go func() {
		defer close(over)
		l.readTunnel(n, t)
	}()
	if !l.relays.client.Tunnel(n) {
		return
	}
	look := time.NewTicker(tunnelLook)
	defer look.Stop()
	for l.relays.client.Status()[n-1].Tunnel { // it is wanted still
		select {
		case <-look.C:
		case <-over:
			return
		case <-l.relays.life.Done():
			return
		}
	}
}

// readTunnel takes what comes through a tunnel for datagrams from its relay.
func (l *Link) readTunnel(n int, t *relay.Tunnel) {
	for {
		b, err := t.Receive()
		if err != nil {
			return
		}
		p := l.packets.Get().(*packet)
		p.n = copy(p.buf[:], b)
		if !relay.IsFrame(p.bytes()) || !l.route(p, relay.TunnelAt(n), time.Now()) {
			l.packets.Put(p)
		}
	}
}
