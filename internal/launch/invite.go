package launch

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"path/filepath"
	"slices"
	"sync"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/reach"
	"github.com/nettplay/nettplay/internal/link/udp"
	"github.com/nettplay/nettplay/internal/portmap"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/session"
)

// Invitation is how friends come into a room, or what one who does not get in sends back.
type Invitation struct {
	Text   string
	Words  string // how well that works from other networks, and what the player can do
	Answer bool   // it is for the game host
	Back   bool   // friends may not get in by it alone, and send an answer back
}

// newDoor is the door of a new room: friends come in by invitation, neighbours by address.
func newDoor() room.Door { return room.Door{Secret: seal.NewSecret(), Neighbours: true} }

// key is this installation's. Without one that can be kept, it is new each time.
func key() seal.Private {
	if dir, err := config.Data(); err == nil {
		if k, err := seal.LoadKey(filepath.Join(dir, "key")); err == nil {
			return k
		}
	}
	return seal.Private{}
}

// Inviter keeps the invitation of a room good, or the answer to one.
type Inviter struct {
	life   context.Context
	cancel context.CancelFunc
	jobs   sync.WaitGroup
	link   *udp.Link
	secret seal.Secret
	answer bool
	tell   func(Invitation)

	mu      sync.Mutex // guards what follows
	mapped  portmap.Mapping
	mapping bool // the router was asked, and answered one way or another
	outside netip.AddrPort
	told    Invitation
}

// Invite makes the invitation of a session that is about to host a room, and has the router
// forward the room's port; of one that is about to join by an invitation it makes the
// answer. Of others it makes nothing. tell is called with each new one, on other goroutines
// but one call at a time, until Close.
func (m Machine) Invite(cfg *session.Config, tell func(Invitation)) *Inviter {
	v := &Inviter{tell: tell, mapping: true}
	v.life, v.cancel = context.WithCancel(context.Background())
	l, ok := cfg.Link.(*udp.Link)
	switch {
	case !ok:
		return v
	case cfg.Host != nil:
		v.secret, v.mapping = cfg.Host.Door.Secret, !m.Settings.Net.Forward
	case cfg.Join == nil || cfg.Join.Secret == seal.Secret{}:
		return v
	default:
		v.secret, v.answer = cfg.Join.Secret, true
	}
	v.link = l
	v.update(func() {})
	if !v.mapping {
		v.jobs.Go(func() { portmap.Keep(v.life, l.Port(), v.forwarded) })
	}
	v.jobs.Go(func() { v.ask(m.Settings.Net.STUN) })
	return v
}

// Close gives the router's port back. It may be called twice.
func (v *Inviter) Close() {
	v.cancel()
	v.jobs.Wait()
}

func (v *Inviter) forwarded(m portmap.Mapping, _ error) {
	v.update(func() { v.mapped, v.mapping = m, true })
}

// ask asks one STUN server after another.
func (v *Inviter) ask(servers []string) {
	for _, server := range servers {
		if at, err := v.link.Outside(v.life, server); err == nil {
			v.update(func() { v.outside = at })
			return
		}
	}
}

// LetIn lets a friend in who could not come in: the friend's program has made an answer to
// the invitation. It takes effect for 20 seconds.
func (v *Inviter) LetIn(text string) error {
	answer, found, err := invite.Find(text)
	switch {
	case err != nil:
		return err
	case !found || !answer.Answer:
		return fmt.Errorf("this is no answer to an invitation: it begins with %s", invite.Answer)
	case v.link == nil || v.answer || answer.Secret != v.secret:
		return errors.New("this answer belongs to another room's invitation")
	}
	v.jobs.Go(func() { v.link.Punch(v.life, answer.Addresses) })
	return nil
}

// update changes what is known and tells the invitation if it is another one.
func (v *Inviter) update(change func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	change()
	own := ownAddresses(v.link)
	words, back := v.words(own)
	now := Invitation{Answer: v.answer, Words: words, Back: back, Text: invite.Invitation{
		Secret: v.secret, Key: v.link.Key(), Addresses: v.addresses(own), Answer: v.answer,
	}.Text()}
	if now != v.told {
		v.told = now
		v.tell(now)
	}
}

// ownAddresses are those of this machine itself.
func ownAddresses(l link.Link) (list []netip.AddrPort) {
	for _, text := range reach.Own(l.Addr(), "") {
		if at, err := netip.ParseAddrPort(text); err == nil {
			list = append(list, at)
		}
	}
	return list
}

// addresses are those that friends try, the most promising first.
func (v *Inviter) addresses(own []netip.AddrPort) (list []netip.AddrPort) {
	first := []netip.AddrPort{v.outside}
	if !v.mapped.Behind() {
		first = []netip.AddrPort{v.mapped.Outside, v.outside}
	}
	for _, at := range append(first, own...) {
		if at.IsValid() && !slices.Contains(list, at) && len(list) < invite.MaxAddresses {
			list = append(list, at)
		}
	}
	return list
}

// words say how well the invitation works, on a machine with such addresses of its own, and
// whether friends may have to send an answer back.
func (v *Inviter) words(own []netip.AddrPort) (words string, back bool) {
	switch {
	case v.answer:
		return "If this takes long, a router is in the way. Send this answer to your friend, who pastes it into nettplay and lets you in.", false
	case v.mapped.Outside.IsValid() && !v.mapped.Behind():
		return fmt.Sprintf("Friends anywhere can join: your router lets them in (%s).", v.mapped.By), false
	case slices.Contains(own, v.outside):
		return "Friends anywhere can join: this computer is on the internet itself.", false
	case !v.mapping:
		return "Asking your router to let friends in ...", false
	case v.mapped.Outside.IsValid():
		return "Your router is behind another router, so friends elsewhere may not get through.", true
	}
	return fmt.Sprintf("Your router lets nobody in by itself, so friends elsewhere may not get through. You could forward UDP port %d to this computer in your router.", v.link.Port()), true
}
