package udp

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/relay/tunnel"
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

	tunnels [relay.MaxRelays + 1]atomic.Pointer[tunnel.Conn] // by the relay's number; nil for none
}

const (
	resolveAgain = 5 * time.Second  // after a relay's name could not be looked up
	resolveAnew  = 30 * time.Second // while it does not answer
)

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

// SetMailbox has other machines of the room find this one at relays, each "host:port", until
// the link is closed. Only those who know the mailbox can send to it.
func (l *Link) SetMailbox(box relay.Mailbox, names []string) {
	l.relays.client.Move(box, ownerOf(l.cfg.Key, box))
	l.Relays(names...)
}

// Relays uses relays, each "host:port", also without a room. It returns this machine's side of all
// that are used.
func (l *Link) Relays(names ...string) *relay.Client {
	for _, name := range names {
		l.useRelay(name)
	}
	return l.relays.client
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
			if st := l.relays.client.Status(); !st[n-1].Held {
				l.relays.client.Resolved(n, addrs)
			}
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
			l.openTunnel(n)
		}
		select {
		case <-time.After(wait):
		case <-l.relays.client.Wake():
		case <-l.life.Done():
		}
	}
}

// write sends a datagram, through a relay or a go-between if that is where the address is. One that the
// system refuses is lost, like one that the network loses.
func (l *Link) write(b []byte, to netip.AddrPort) error {
	if isBetween(to) {
		l.between(b, to)
		return nil
	}
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
	body, at, answer := l.relays.client.Unwrap(p.bytes(), from, now)
	if p.n = copy(p.buf[:], body); p.n > 0 {
		return at, true
	}
	if answer != nil {
		_ = l.writeOut(answer, from)
	}
	return at, false
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
	if n == 0 && invited {
		n = l.useRelay(name)
	}
	switch {
	case n == 0 && !invited:
		return at, true, fmt.Errorf("the relay %s is not used here", name)
	case n == 0:
		return at, true, fmt.Errorf("%s is one relay too many", name)
	case l.relays.client.Owns(box):
		return at, true, errors.New("the address is this program's own")
	}
	return box.At(n), true, nil
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

// SetAddresses tells at which addresses this machine may be reached without a relay. Peers
// with whom it speaks through one are told, and try them.
func (l *Link) SetAddresses(list []netip.AddrPort) {
	list = list[:min(len(list), maxCandidates)]
	l.addresses.Store(&list)
}

// candidates are the addresses that peers may try. Our mailbox is among them, with a number that
// says nothing: which relays both use only the peer finds out.
func (l *Link) candidates() (list []netip.AddrPort) {
	if box, held := l.relays.client.Mailbox(); held {
		list = append(list, box.At(1))
	}
	for _, st := range l.relays.client.Status() {
		if st.Seen.IsValid() {
			list = append(list, st.Seen)
		}
	}
	list = append(list, l.seen()...)
	if own := l.addresses.Load(); own != nil {
		list = append(list, *own...)
	}
	return unique(list, maxCandidates)
}

// unique are the first of a list, each once.
func unique(list []netip.AddrPort, most int) (out []netip.AddrPort) {
	for _, a := range list {
		if !slices.Contains(out, a) && len(out) < most {
			out = append(out, a)
		}
	}
	return out
}
