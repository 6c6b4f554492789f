package online

import (
	"cmp"
	"net/netip"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
)

// View is all that is known now.
type View struct {
	Relays  []Relay
	Rooms   []Room // those that can be joined first, the nearest of them first
	Friends []Friend
}

// Relay is the state of one. Kept says that it lists this machine's open room.
type Relay = relay.Standing

// Room is an open room.
type Room struct {
	relay.Listing
	Key    relay.Locator
	Ping   time.Duration // to its host by that relay, as the host says; 0 is unknown
	Mine   bool
	Why    string      // why it cannot be joined, "" if it can
	Invite string      // the invitation as players paste it
	By     seal.Public // the key of its game host

	answered netip.Addr // from where, when it was measured; not valid before, and by a relay
}

// Friend is somebody whose key is known.
type Friend struct {
	Nickname string
	State    State
	Game     string
	Invite   string // to the friend's room, if friends may come; "" for none
}

// Reasons why a room cannot be joined.
const (
	WhyGame = "you do not have this game"
	WhyCore = "its players use a core, or a build of it, that you do not have"
	WhyFull = "no seat is free"
)

// view makes the view of what relays have told.
func (s *Service) view() View {
	var v View
	rooms := map[relay.Locator]Room{}
	fresh := map[string]*Room{}
	for _, k := range s.index.Catalogs() {
		k.Kept = k.Kept && s.listed
		v.Relays = append(v.Relays, k.Standing)
		for _, e := range k.Rooms {
			id := string(e.Key[:]) + string(e.Body)
			r, known := s.known[id]
			if !known {
				r = s.read(e)
			}
			if fresh[id] = r; r == nil {
				continue
			}
			now := *r
			now.Why, now.Invite = s.reason(now.Listing), s.reachedBy(now.Listing, k.Name)
			if k.RTT > 0 {
				now.Ping = k.RTT + time.Duration(now.Away)*time.Millisecond
			}
			if old, known := rooms[e.Key]; !known || now.Ping < old.Ping {
				rooms[e.Key] = now
			}
		}
		for _, e := range k.Words {
			s.hear(e)
		}
	}
	s.known = fresh
	for _, r := range rooms {
		v.Rooms = append(v.Rooms, r)
	}
	slices.SortFunc(v.Rooms, nearer)
	v.Friends = s.friends()
	return v
}

// reachedBy is the invitation of a room as a relay lists it, with no relays but those that the player's settings
// name and this one: anybody may list a room, and nothing is sent to where a stranger wants it.
func (s *Service) reachedBy(l relay.Listing, by string) string {
	v, err := invite.Read(l.Invitation)
	if err != nil || v.Answer {
		return ""
	}
	v.Relays = slices.DeleteFunc(v.Relays, func(name string) bool { return name != by && !slices.Contains(s.cfg.Own, name) })
	if !slices.Contains(v.Relays, by) { // the host may call it otherwise, or reach it at another of its addresses
		v.Relays = append(v.Relays[:min(len(v.Relays), relay.MaxRelays-1)], by)
	}
	return v.Text()
}

// nearer orders rooms.
func nearer(a, b Room) int {
	return cmp.Or(last(a.Why != "" || a.Mine)-last(b.Why != "" || b.Mine), cmp.Compare(a.Ping, b.Ping), slices.Compare(a.Key[:], b.Key[:]))
}

// last puts what is so behind the rest.
func last(so bool) int {
	if so {
		return 1
	}
	return 0
}

// read reads a room's listing; nil for what is none.
func (s *Service) read(e relay.Entry) *Room {
	l, err := relay.ReadListing(e.Key, e.Body)
	v, wrong := invite.Read(l.Invitation)
	if err != nil || wrong != nil || v.Answer {
		return nil
	}
	return &Room{Listing: l, Key: e.Key, Invite: v.Text(), By: v.Key, Mine: e.Key == s.key}
}

// reason returns the reason why this machine cannot join a room.
func (s *Service) reason(l relay.Listing) string {
	switch {
	case s.cfg.Have != nil && !s.cfg.Have(l.ROM, l.Game):
		return WhyGame
	case s.cfg.HasCore != nil && !s.cfg.HasCore(l.CoreBuild):
		return WhyCore
	case l.Free == 0:
		return WhyFull
	}
	return ""
}
