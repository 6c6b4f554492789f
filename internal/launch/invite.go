package launch

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/link/reach"
	"github.com/nettplay/nettplay/internal/link/udp"
	"github.com/nettplay/nettplay/internal/portmap"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/session"
)

// Invitation is a friend's way into a room, or the answer of one who does not get in.
type Invitation struct {
	Text   string
	Words  string // how well that works from other networks, and what the player can do
	Answer bool   // it is for the game host
	Back   bool   // friends may not get in by it alone, and send an answer back

	// Code is a short form of it that people can type, "" for none; CodeAt is the same for those
	// whose settings do not name the relay that knows it.
	Code, CodeAt string
	// Web is the invitation as a link of the web, which every chat makes clickable; "" where no relay of the
	// settings serves the page for it.
	Web string
}

// newDoor is the door of a new room: friends come in by invitation, neighbours by address.
func newDoor() room.Door { return room.Door{Secret: seal.NewSecret(), Neighbours: true} }

// key is this installation's. Without one that can be kept, it is new each time.
func key() seal.Private {
	if places, err := config.Data(); err == nil {
		if k, err := seal.LoadKey(places.Key); err == nil {
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

	mu        sync.Mutex // guards what follows
	relays    []relay.Status
	asked     bool // the relays had time to answer
	began     time.Time
	mapped    portmap.Mapping
	pinhole   portmap.Mapping // of IPv6
	mapping   bool            // the router was asked, and answered one way or another
	outside   netip.AddrPort
	stunned   bool // the STUN servers were asked, and answered or not
	told      Invitation
	code      invite.Code
	slot      invite.Slot // of the code
	coded     bool        // there is one
	published string      // the invitation that relays are given
	page      string      // a host with the page of invitations; "" for none yet
}

// Invite makes the invitation of a session that is about to host a room; of one that is about
// to join by an invitation it makes the answer. Either has its router forward its port, for one
// open router is enough for two friends. Of others it makes nothing. tell is called with each
// new one, on other goroutines but one call at a time, until Close.
func (m Machine) Invite(cfg *session.Config, tell func(Invitation)) *Inviter {
	v := &Inviter{tell: tell, mapping: !m.Settings.Net.Forward}
	v.life, v.cancel = context.WithCancel(context.Background())
	l, ok := cfg.Link.(*udp.Link)
	if !ok {
		return v
	}
	l.SetAddresses(reach.Addresses(l)) // for the other players
	switch {
	case cfg.Host != nil:
		v.secret = cfg.Host.Door.Secret
	case cfg.Join == nil || cfg.Join.Secret == seal.Secret{}:
		return v
	default:
		v.secret, v.answer = cfg.Join.Secret, true
	}
	v.link = l
	if names := m.Settings.Net.Relays; !v.answer && len(names) > 0 {
		l.SetMailbox(v.secret.Mailbox(l.Key()), names)
		v.relays, v.began = l.Relays().Status(), time.Now()
		v.jobs.Go(v.watchRelays)
		v.jobs.Go(v.makeCode)
		v.jobs.Go(func() { v.watchPages(names, servesPage) })
	}
	v.update(func() {})
	if m.Settings.Net.Forward {
		v.jobs.Go(func() {
			portmap.Keep(v.life, l.Port(), func(m portmap.Mapping, _ error) { v.update(func() { v.mapped, v.mapping = m, true }) })
		})
		v.jobs.Go(func() {
			portmap.KeepPinhole(v.life, l.Port(), func(m portmap.Mapping, _ error) { v.update(func() { v.pinhole = m }) })
		})
	}
	v.jobs.Go(func() {
		at, _ := l.Outside(v.life, m.Settings.Net.STUN...)
		v.update(func() { v.outside, v.stunned = at, true })
	})
	return v
}

// makeCode makes the room's short code, for friends who type.
func (v *Inviter) makeCode() {
	code := invite.CodeOf(v.secret)
	if slot, err := code.Slot(); err == nil {
		v.update(func() { v.code, v.slot, v.coded = code, slot, true })
	}
}

// Close gives the router's port back. It may be called twice.
func (v *Inviter) Close() {
	v.cancel()
	v.jobs.Wait()
}

// relaysEvery is the time between two looks at the relays, relaysWithin the time that they have at the
// beginning.
const (
	relaysEvery  = 500 * time.Millisecond
	relaysWithin = 3 * time.Second
)

// alike reports whether a player need not be told of a change.
func alike(a, b relay.Status) bool {
	return a.Held == b.Held && a.Public == b.Public && a.Tunnel == b.Tunnel && a.Refused == b.Refused && a.Seen == b.Seen
}

// watchRelays tells which relays friends can come in through.
func (v *Inviter) watchRelays() {
	tick := time.NewTicker(relaysEvery)
	defer tick.Stop()
	for {
		if now := v.link.Relays().Status(); !slices.EqualFunc(now, v.relays, alike) || !v.asked && time.Since(v.began) > relaysWithin {
			v.update(func() { v.relays, v.asked = now, true })
		}
		select {
		case <-tick.C:
		case <-v.life.Done():
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

// update changes what is known and tells the invitation if it is another one. An answer is told
// once router and servers had their say: a player sends it once.
func (v *Inviter) update(change func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	change()
	own := reach.Addresses(v.link)
	addresses := v.addresses(own)
	v.link.SetAddresses(addresses)
	friends := invite.Invitation{Secret: v.secret, Key: v.link.Key(), Addresses: addresses, Relays: v.relayNames(), Answer: v.answer}
	now := Invitation{Answer: v.answer, Text: friends.Text()}
	if !v.answer {
		now.Words, now.Back = v.words(own)
	}
	if v.publish(friends, now.Text); v.coded {
		now.Code, now.CodeAt = v.codes()
	}
	if v.page != "" {
		now.Web = friends.Web(v.page)
	}
	if now != v.told && (!v.answer || v.mapping && v.stunned) {
		v.told = now
		v.tell(now)
	}
}

// addresses are those that friends try, the most promising first.
func (v *Inviter) addresses(own []netip.AddrPort) (list []netip.AddrPort) {
	first := []netip.AddrPort{v.pinhole.Outside, v.outside}
	if !v.mapped.Behind() {
		first = []netip.AddrPort{v.mapped.Outside, v.pinhole.Outside, v.outside}
	}
	for _, at := range append(first, own...) {
		if at.IsValid() && !slices.Contains(list, at) && len(list) < invite.MaxAddresses {
			list = append(list, at)
		}
	}
	return list
}

// relayNames are the relays where this machine can be found: all of them, for one that does
// not answer now may do so when a friend comes.
func (v *Inviter) relayNames() (list []string) {
	for _, r := range v.relays {
		list = append(list, r.Relay)
	}
	return list
}

// byRelay says how it is with the relays; works tells whether friends come in through one.
func (v *Inviter) byRelay() (words string, works bool) {
	for _, r := range v.relays {
		switch {
		case r.Held && r.Tunnel:
			return fmt.Sprintf("Friends anywhere can join: the relay %s brings them in, by WebSocket because this network blocks UDP. A lost packet holds up the others there, so choose a higher delay.", r.Relay), true
		case r.Held:
			return fmt.Sprintf("Friends anywhere can join: the relay %s brings them in.", r.Relay), true
		case r.Refused != "":
			words = fmt.Sprintf(" The relay %s does not help: %s.", r.Relay, r.Refused)
		case v.asked:
			words = fmt.Sprintf(" The relay %s does not answer.", r.Relay)
		default:
			words = fmt.Sprintf(" Asking the relay %s ...", r.Relay)
		}
	}
	return words, false
}

// words say how well the invitation works, on a machine with such addresses of its own, and
// whether friends may have to send an answer back.
func (v *Inviter) words(own []netip.AddrPort) (words string, back bool) {
	relay, works := v.byRelay()
	switch {
	case v.mapped.Outside.IsValid() && !v.mapped.Behind():
		return fmt.Sprintf("Friends anywhere can join: your router lets them in (%s).", v.mapped.By), false
	case slices.Contains(own, v.outside):
		return "Friends anywhere can join: this computer is on the internet itself.", false
	case works:
		return relay, false
	case v.link.Deaf():
		return "Nothing comes in from the internet: this network seems to let no UDP through, so friends elsewhere cannot join. Try another one, such as that of a phone." + relay, false
	case !v.mapping:
		return "Asking your router to let friends in ...", false
	case v.mapped.Outside.IsValid():
		return "Your router is behind another router, so friends elsewhere may not get through." + relay + v.bySix(), true
	}
	return fmt.Sprintf("Your router lets nobody in by itself, so friends elsewhere may not get through. You could forward UDP port %d to this computer in your router.", v.link.Port()) + relay + v.bySix(), true
}

// bySix says for whom the pinhole is; "" without one.
func (v *Inviter) bySix() string {
	if !v.pinhole.Outside.IsValid() {
		return ""
	}
	return " Friends who have IPv6 get through."
}
