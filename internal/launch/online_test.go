package launch

import (
	"testing"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/link/udp"
	"github.com/nettplay/nettplay/internal/online"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/session"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestRoomsAreListedByWishOnly: nothing is told to any relay of a room that its host does not open to everybody.
func TestRoomsAreListedByWishOnly(t *testing.T) {
	l, err := udp.Listen(udp.Config{Bind: "127.0.0.1"})
	must.Succeed(t, err)
	defer l.Close()
	m := Machine{Settings: config.Defaults()}
	for _, open := range []bool{false, true} {
		if m.Settings.Net.Relays = []string{"127.0.0.1:9"}; open {
			m.Settings.Room.Open = true
		}
		cfg := session.Config{Link: l, Host: &session.HostRole{Door: m.newDoor(), Password: "secret"}}
		a, err := m.Appear(&cfg, nil)
		if err != nil || (a.service != nil) != open || a.about.Locked != open {
			t.Errorf("open %v: %+v, %v", open, a, err)
		}
		a.Close()
		guest := session.Config{Link: l, Join: &session.JoinRole{}}
		if a, err := m.Appear(&guest, nil); err != nil || a.service != nil {
			t.Errorf("a guest lists the room: %v", err)
		}
		m.Settings.Net.Relays = nil
		cfg.Host.Door = m.newDoor()
		if _, err = m.Appear(&cfg, nil); (err != nil) != open {
			t.Errorf("open %v without a relay: %v", open, err)
		}
	}
}

// TestNextHostListsTheRoom: a listed room stays in the list with the next game host, at the relays that it has; one that
// is not listed never comes there.
func TestNextHostListsTheRoom(t *testing.T) {
	l, err := udp.Listen(udp.Config{Bind: "127.0.0.1"})
	must.Succeed(t, err)
	defer l.Close()
	for _, listed := range []bool{false, true} {
		m := Machine{Settings: config.Defaults()}
		guest := session.Config{Link: l, Join: &session.JoinRole{}, Notify: func(notice.Notice) {}}
		a, err := m.Appear(&guest, nil)
		must.Succeed(t, err)
		guest.Notify(notice.Opened{Door: room.Door{Secret: [16]byte{1}, Listed: listed, Relays: []string{"127.0.0.1:9"}}, Locked: true})
		v, err := invite.Read(a.about.Invitation)
		if (a.service != nil) != listed || a.about.Locked != listed || listed && (err != nil || v.Key != l.Key() || len(v.Relays) != 1 || len(v.Addresses) != 0) {
			t.Errorf("listed %v: %+v, %v", listed, v, err)
		}
		a.Close()
	}
}

// TestListingSaysWhatTheRoomIs: seats that are free, whether it plays, and nothing of one that is over or where nobody can
// come in.
func TestListingSaysWhatTheRoomIs(t *testing.T) {
	a := &Appearing{open: true, about: relay.Listing{Core: "melonDS DS", Invitation: []byte("come")}}
	game := room.ROMID{Title: "Kart", SHA256: [32]byte{1}}
	now := room.Room{Host: 1, Phase: room.PhaseLobby, Settings: room.Settings{Room: "Ann's room", Seats: 4}, Players: []room.Player{
		{Machine: 1, Nickname: "Ann", Present: true, ROM: game}, {Machine: 2, Seat: 1, Nickname: "Bob", ROM: game},
	}}
	for _, x := range []struct {
		why     string
		change  func(*room.Room)
		free    int
		playing bool
		gone    bool
		state   online.State
	}{
		{"in the lobby", func(*room.Room) {}, 3, false, false, online.InLobby},
		{"another player", func(r *room.Room) { r.Players[1].Present = true }, 2, false, false, online.InLobby},
		{"it plays", func(r *room.Room) { r.Phase = room.PhasePlaying }, 2, true, false, online.Playing},
		{"nobody comes in late", func(r *room.Room) { r.Settings.NoLateJoin = true }, 0, true, false, online.Playing},
		{"it is over", func(r *room.Room) { r.Phase = room.PhaseClosed }, 0, false, true, online.There},
	} {
		x.change(&now)
		l, w := a.describe(now, 1)
		if (l == nil) != x.gone || w.State != x.state {
			t.Errorf("%s: %+v, %+v", x.why, l, w)
		}
		if l != nil && (l.Free != x.free || l.Seats != 4 || l.Playing != x.playing || l.Host != "Ann" || l.Game != "Kart" || l.ROM != game.SHA256) {
			t.Errorf("%s: %+v", x.why, l)
		}
	}
}
