package room

import (
	"net/netip"
	"reflect"
	"slices"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/memory"
)

// Password is the one that was given for the last room; "" for none. It is in no file.
func (s *Session) Password() string { return s.password }

// RememberRoom remembers a room to come back into; nil for none.
func (s *Session) RememberRoom(to *memory.Room) {
	if !reflect.DeepEqual(to, s.Memory.Room) {
		s.Memory.Room = to
		s.Engine.SaveMemory()
	}
}

// noteWayBack remembers how to come back into the room, in case the program or the connection ends. Nobody can come
// back into a room without others: it ends with us.
func (s *Session) noteWayBack() {
	r := s.Room
	if r.Local > 0 {
		return
	}
	ways := r.waysBack()
	if Others(r.Room, r.Machine) == 0 || len(ways) == 0 {
		s.RememberRoom(nil)
		return
	}
	to := memory.Room{Name: r.Room.Settings.Room, Ways: ways, At: s.Now.Unix()}
	if game, known := hostGame(r.Room); known {
		to.Game = game.Title
	}
	if old := s.Memory.Room; old != nil && old.Name == to.Name && old.Game == to.Game && slices.Equal(old.Ways, ways) && !old.Silent && !old.Old(s.Now) {
		return // pings change all the time, and the disk need not hear of it
	}
	s.RememberRoom(&to)
}

// left takes note of the end of a session in a room that let us in: there is a way back unless the room is over.
func (s *Session) left(r *Room, err error) {
	if !r.Known || r.Local > 0 {
		return
	}
	was := s.Memory.Room
	switch {
	case was == nil:
	case notice.RoomIsOver(err), err == nil && !s.leaving: // the game host has closed it
		s.RememberRoom(nil)
	default:
		now := *was
		now.At = s.Now.Unix()
		s.RememberRoom(&now)
	}
}

// waysBack are the ways by which the room may be reached later, the likeliest first. A code leads to whoever is the
// game host then. Else it is the present game host, or one of the others, who may be it by then.
func (r *Room) waysBack() (ways []string) {
	add := func(way string) {
		if way != "" && len(ways) < memory.MaxWays && !slices.Contains(ways, way) {
			ways = append(ways, way)
		}
	}
	by, invited, _ := invite.Find(r.invitation())
	if _, coded, err := invite.FindCode(r.Address); coded && err == nil {
		add(r.Address)
	} else if invited && len(by.Relays) > 0 {
		code := invite.CodeOf(by.Secret)
		code.Relay = by.Relays[0]
		add(code.String())
	}
	if r.Room.Host == r.entered {
		add(r.Address)
	}
	for _, host := range []bool{true, false} {
		for _, p := range r.Room.Players {
			if !p.Present || p.Local > 0 || p.Machine == r.Machine || (p.Machine == r.Room.Host) != host {
				continue
			}
			if invited {
				add(wayTo(p, by))
			} else if host || r.Room.Host == r.Machine { // a neighbour
				for _, at := range numeric(p.Addrs) {
					add(at.String())
				}
			}
		}
	}
	return ways
}

// invitation is the one by which others came, or we did.
func (r *Room) invitation() string {
	if r.Address != "" {
		return r.Address
	}
	return r.Invited.Text
}

// wayTo is an invitation to the machine of a player, by one to the same room; "" if it cannot be reached.
func wayTo(p room.Player, by invite.Invitation) string {
	v := invite.Invitation{Secret: by.Secret, Key: seal.Public(p.Key), Addresses: numeric(p.Addrs), Relays: by.Relays}
	for _, addr := range p.Addrs {
		if name, _, relayed := relay.FindPlace(addr); relayed && !slices.Contains(v.Relays, name) {
			v.Relays = append(slices.Clone(v.Relays), name)
		}
	}
	if v.Key.IsZero() || len(v.Addresses)+len(v.Relays) == 0 {
		return ""
	}
	text := v.Text()
	if _, _, err := invite.Find(text); err != nil { // what others tell of addresses may be anything
		return ""
	}
	return text
}

// numeric are those of some addresses that are numbers.
func numeric(addrs []string) (list []netip.AddrPort) {
	for _, addr := range addrs {
		if at, err := netip.ParseAddrPort(addr); err == nil && at.Port() != 0 && at.Addr().Zone() == "" {
			list = append(list, at)
		}
	}
	return list
}
