package launch

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/udp"
	"github.com/nettplay/nettplay/internal/portmap"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/session"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// Invitation is a friend's way into a room, or the answer of one who does not get in.
type Invitation struct {
	Text  string
	Words string // how well that works from other networks, and what the player can do
	// Relays says what is wrong with the relays of the settings, and what to do; "" for nothing.
	Relays string
	Answer bool // it is for the game host
	Back   bool // friends may not get in by it alone, and send an answer back
	Closed bool // Words warn: friends elsewhere do not get in, or may not

	// Code is a short form of it that people can type, "" for none; CodeAt is the same for those
	// whose settings do not name the relay that knows it.
	Code, CodeAt string
	// Web is the invitation as a link of the web, which every chat makes clickable; "" where no relay of the
	// settings serves the page for it.
	Web string
}

// newDoor is the door of a new room: friends come in by invitation, neighbours by address. A next game host
// brings friends in by the same relays, and lists the room as this one does.
func (m Machine) newDoor() room.Door {
	return room.Door{Secret: seal.NewSecret(), Neighbours: true, Listed: m.Settings.Room.Open, Relays: boundRelays(m.ownRelays()...)}
}

// ownRelays are those that this machine's invitations name: of the settings, and its own.
func (m Machine) ownRelays() []string { return m.Helping.Relays(m.Settings.Net.Relays) }

// boundRelays are the relays of a list that one can be told, each once.
func boundRelays(names ...string) (list []string) {
	for _, name := range names {
		if invite.IsRelay(name) && !slices.Contains(list, name) && len(list) < room.MaxRelays {
			list = append(list, name)
		}
	}
	return list
}

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
	net    config.Net
	tell   func(Invitation)
	serves func(ctx context.Context, host string) bool // whether a relay's host has the page of invitations
	asked  bool                                        // router and servers are; of the session's goroutine

	mu        sync.Mutex // guards what follows
	secret    seal.Secret
	answer    bool // what is made is the answer to an invitation
	relays    []relay.Status
	relaysDue bool // the relays had time to answer
	began     time.Time
	mapped    portmap.Mapping
	behind    bool            // the router is behind another router
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
// open router is enough for two friends. Of others it makes nothing, until they become game host: see
// Notified. tell is called with each new one, on other goroutines but one call at a time, until Close.
func (m Machine) Invite(cfg *session.Config, tell func(Invitation)) *Inviter {
	v := &Inviter{tell: tell, serves: servesPage, net: m.Settings.Net, mapping: !m.Settings.Net.Forward}
	v.life, v.cancel = context.WithCancel(context.Background())
	l, ok := cfg.Link.(*udp.Link)
	if !ok {
		return v
	}
	v.link = l
	l.SetAddresses(link.Addresses(l)) // for the other players
	switch {
	case cfg.Host != nil:
		v.host(cfg.Host.Door)
	case cfg.Join != nil && cfg.Join.Secret != seal.Secret{}:
		v.secret, v.answer = cfg.Join.Secret, true
		v.update(func() {})
		v.ask()
	}
	return v
}

// Notified takes note of what a session tells, and passes it on: a machine that becomes game host invites to
// the room from then on, by the same relays and with the same code as the one before.
func (v *Inviter) Notified(next func(notice.Notice)) func(notice.Notice) {
	return func(n notice.Notice) {
		if o, opened := n.(notice.Opened); opened && v.link != nil && !v.hosts() {
			v.host(o.Door)
		}
		next(n)
	}
}

// hosts reports whether it makes the invitation of our room.
func (v *Inviter) hosts() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.secret != seal.Secret{} && !v.answer
}

// host makes the invitation of a room that has this door.
func (v *Inviter) host(door room.Door) {
	if v.life.Err() != nil || door.Secret == (seal.Secret{}) {
		return
	}
	names := boundRelays(append(slices.Clone(door.Relays), v.net.Relays...)...)
	if len(names) > 0 {
		v.link.SetMailbox(seal.Secret(door.Secret).Mailbox(v.link.Key()), names)
	}
	v.update(func() {
		v.secret, v.answer, v.began = door.Secret, false, time.Now()
		if len(names) > 0 {
			v.relays = v.link.Relays().Status()
		}
	})
	if len(names) > 0 {
		v.jobs.Go(v.watchRelays)
		v.jobs.Go(v.makeCode)
		v.jobs.Go(v.watchPages)
	}
	v.ask()
}

// ask asks the router and the servers, if they have not been asked yet.
func (v *Inviter) ask() {
	if v.asked {
		return
	}
	v.asked = true
	if v.net.Forward {
		v.jobs.Go(func() {
			portmap.Keep(v.life, v.link.Port(), func(m portmap.Mapping, why error) {
				v.update(func() { v.mapped, v.behind, v.mapping = m, m.Behind() || errors.Is(why, portmap.ErrBehind), true })
			}, func(m portmap.Mapping, _ error) { v.update(func() { v.pinhole = m }) })
		})
	}
	v.jobs.Go(func() {
		at, _ := v.link.Outside(v.life, v.net.STUN...)
		v.update(func() { v.outside, v.stunned = at, true })
	})
}

// makeCode makes the room's short code, for friends who type.
func (v *Inviter) makeCode() {
	code := invite.CodeOf(v.roomSecret())
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
	return a.Held == b.Held && a.Public == b.Public && a.Tunnel == b.Tunnel && a.Refused == b.Refused && a.Nowhere == b.Nowhere && a.Seen == b.Seen
}

// watchRelays tells which relays friends can come in through.
func (v *Inviter) watchRelays() {
	tick := time.NewTicker(relaysEvery)
	defer tick.Stop()
	for {
		if now := v.link.Relays().Status(); !slices.EqualFunc(now, v.relays, alike) || !v.relaysDue && time.Since(v.began) > relaysWithin {
			v.update(func() { v.relays, v.relaysDue = now, true })
		}
		select {
		case <-tick.C:
		case <-v.life.Done():
			return
		}
	}
}

// roomSecret is the secret of the room.
func (v *Inviter) roomSecret() seal.Secret {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.secret
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
	case !v.hosts():
		return errors.New("this is an answer for the game host: only the game host can let a friend in")
	case answer.Secret != v.roomSecret():
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
	own := link.Addresses(v.link)
	addresses := v.addresses(own)
	v.link.SetAddresses(addresses)
	friends := invite.Invitation{Secret: v.secret, Key: v.link.Key(), Addresses: addresses, Relays: v.relayNames(), Answer: v.answer}
	now := Invitation{Answer: v.answer, Text: friends.Text()}
	if !v.answer {
		now.Words, now.Back, now.Closed = v.words(own)
		now.Relays = v.relayTrouble()
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
	first := slices.DeleteFunc(slices.Clone(own), func(at netip.AddrPort) bool { return !at.Addr().Is6() || at.Addr().IsPrivate() })
	if !v.mapped.Behind() {
		first = append(first, v.mapped.Outside)
	}
	first = append(first, v.pinhole.Outside, v.outside)
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
		case r.Refused == "" && !r.Nowhere && !v.relaysDue:
			words = fmt.Sprintf(" Asking the relay %s ...", r.Relay)
		}
	}
	return words, false
}

// relayTrouble says what is wrong with the relays: what the settings name, and is none, and where no relay helps, why.
func (v *Inviter) relayTrouble() string {
	var words []string
	_, works := v.byRelay()
	for _, r := range v.relays {
		ours := slices.Contains(v.net.Relays, r.Relay)
		switch {
		case r.Held:
		case r.Nowhere && ours:
			words = append(words, fmt.Sprintf("There is no relay %s: no server has that name. Correct it in the settings, under Network (net.relays).", r.Relay))
		case works || r.Nowhere:
		case r.Refused != "":
			words = append(words, fmt.Sprintf("The relay %s does not help: %s.", r.Relay, r.Refused))
		case v.relaysDue:
			words = append(words, fmt.Sprintf("The relay %s does not answer.", r.Relay))
		}
	}
	return strings.Join(words, " ")
}

// words say how well the invitation works, on a machine with such addresses of its own, and
// whether friends may have to send an answer back, and may be kept out.
func (v *Inviter) words(own []netip.AddrPort) (words string, back, closed bool) {
	relay, works := v.byRelay()
	switch {
	case v.mapped.Outside.IsValid() && !v.behind:
		return fmt.Sprintf("Friends anywhere can join: your router lets them in (%s).", v.mapped.By), false, false
	case slices.Contains(own, v.outside):
		return "Friends anywhere can join: this computer is on the internet itself.", false, false
	case works:
		return relay, false, false
	case v.link.Deaf():
		return "Nothing comes in from the internet: this network seems to block UDP, so friends elsewhere cannot join. Try another network, such as a phone's." + relay, false, true
	case !v.mapping:
		return "Asking your router to let friends in ...", false, false
	case v.behind:
		return "Your router is behind another router, so friends elsewhere may not get through." + relay + v.bySix(), true, true
	}
	return fmt.Sprintf("Your router did not open the port, so friends elsewhere may not get through. You could forward UDP port %d to this computer in your router.", v.link.Port()) + relay + v.bySix(), true, true
}

// bySix says for whom the pinhole is; "" without one.
func (v *Inviter) bySix() string {
	if !v.pinhole.Outside.IsValid() {
		return ""
	}
	return " Friends who have IPv6 get through."
}

// pagesEvery is the time between two looks for a relay's page: somebody may just be setting it up.
const pagesEvery = time.Minute

// servesPage asks a host for the page of invitations.
func servesPage(ctx context.Context, host string) bool { return relay.ServesJoinPage(ctx, nil, host) }

// watchPages looks for a relay that serves the page of invitations, in the order of the settings, until there is
// one. Relays that only a room names are not asked: by those a stranger could send this computer's requests anywhere.
func (v *Inviter) watchPages() {
	for {
		named := false
		for _, name := range v.net.Relays {
			host, has := relay.JoinHost(name)
			if named = named || has; has && v.serves(v.life, host) {
				v.update(func() { v.page = host })
				return
			}
		}
		if !named {
			return
		}
		select {
		case <-time.After(pagesEvery):
		case <-v.life.Done():
			return
		}
	}
}
