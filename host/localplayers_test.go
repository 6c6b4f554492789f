package host

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/client"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/membership"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
)

func others(names ...string) (list []room.LocalPlayer) {
	for i, name := range names {
		list = append(list, room.LocalPlayer{Nickname: name, Firmware: testFirmware(byte(0x40 + i))})
	}
	return list
}

// sofas is a room of the game host Ann with Ben at her machine, of Bob with Eve and Dora at
// his, and of Carol.
func sofas(t *testing.T) (s *sim, bob, carol *simClient) {
	t.Helper()
	s = newSim(t, func(c *Config) { c.LocalPlayers = others("Ben") })
	bob = s.join(func(c *client.Config) { c.LocalPlayers = others("Eve", "Dora") })
	carol = s.join(nil)
	s.ready()
	return s, bob, carol
}

// seated is who sits where: seat, machine, number at it, name.
func seated(r room.Room) (list []string) {
	for _, p := range r.Players {
		list = append(list, fmt.Sprintf("%d:%d.%d %s", p.Seat, p.Machine, p.Local, p.Nickname))
	}
	return list
}

func wantSeats(t *testing.T, r room.Room, want ...string) {
	t.Helper()
	if got := seated(r); !slices.Equal(got, want) {
		t.Errorf("seated are %q, want %q", got, want)
	}
}

func TestSeveralPlayersAtMachines(t *testing.T) {
	s, bob, _ := sofas(t)
	wantSeats(t, s.host.Room(), "0:0.0 Ann", "1:0.1 Ben", "2:1.0 Bob", "3:1.1 Eve", "4:1.2 Dora", "5:2.0 Carol")
	if me := bob.Me(); me.Nickname != "Bob" || me.Seat != 2 {
		t.Errorf("Bob's computer takes itself for %s in seat %d", me.Nickname, me.Seat)
	}
	if b := s.host.Blockers(); len(b) > 0 {
		t.Errorf("when all are ready: %v", b)
	}
	addresses := map[[6]byte]string{}
	for _, p := range s.host.Roster() {
		if other, taken := addresses[p.Firmware.MAC]; taken {
			t.Errorf("%s has the address of %s", p.Nickname, other)
		}
		addresses[p.Firmware.MAC] = p.Nickname
	}
	s.host.Measured(1, room.Beat{Ping: 30 * time.Millisecond, Loss: 25})
	s.host.Measured(0, room.Beat{Loss: 500}) // itself
	s.alike()
	for _, p := range bob.Room().Players {
		if want := map[int]int{1: 25}[p.Machine]; p.Loss != want || p.Ping != time.Duration(want)*30*time.Millisecond/25 {
			t.Errorf("%s: loss %d, ping %v", p.Nickname, p.Loss, p.Ping)
		}
	}
}

// How far a machine guesses is told to everyone, for all who play there, and no more of it than there can be.
func TestDepthIsTold(t *testing.T) {
	s, bob, carol := sofas(t)
	bob.Report(s.now, room.Status{Revision: bob.Room().Revision, Depth: room.DepthOf(2)})
	s.host.Report(s.now, room.Status{Revision: s.host.Room().Revision, Depth: 200})
	s.wait(time.Second)
	s.alike()
	for _, p := range carol.Room().Players {
		if want := [...]room.Depth{room.MaxDepth, room.DepthOf(2), 0}[p.Machine]; p.Depth != want {
			t.Errorf("%s: depth %d, want %d", p.Nickname, p.Depth, want)
		}
	}
	r := carol.Room()
	if p, frames, known := r.Weakest(); !known || frames != 2 || p.Nickname != "Bob" {
		t.Errorf("the weakest is %s with %d, %v", p.Nickname, frames, known)
	}
}

// An obstacle of a machine is said once.
func TestOneMachineBlocksOnce(t *testing.T) {
	s, bob, _ := sofas(t)
	bob.Report(s.now, room.Status{Revision: bob.Room().Revision, Ready: false})
	s.wait(time.Second)
	if b := s.host.Blockers(); len(b) != 1 || b[0].Words != "Bob is not ready" {
		t.Errorf("blockers: %v", b)
	}
}

// Bob's second player sits down and gets up in the lobby; the others keep their seats.
func TestOthersComeAndGoInTheLobby(t *testing.T) {
	s, bob, carol := sofas(t)
	s.must(bob.SetLocalPlayers(s.now, others("Eve")))
	s.pump()
	wantSeats(t, s.host.Room(), "0:0.0 Ann", "1:0.1 Ben", "2:1.0 Bob", "3:1.1 Eve", "5:2.0 Carol")
	s.must(carol.SetLocalPlayers(s.now, others("Eve")))
	s.must(s.host.SetLocalPlayers(s.now, nil))
	s.pump()
	wantSeats(t, s.host.Room(), "0:0.0 Ann", "1:2.1 Eve 2", "2:1.0 Bob", "3:1.1 Eve", "5:2.0 Carol")
	s.must(bob.SetLocalPlayers(s.now, others("Ida", "Eve")))
	s.pump()
	wantSeats(t, s.host.Room(), "0:0.0 Ann", "1:2.1 Eve 2", "2:1.0 Bob", "3:1.1 Ida", "4:1.2 Eve", "5:2.0 Carol")
	if bob.Me().Nickname != "Bob" || bob.Me().Seat != 2 {
		t.Errorf("Bob takes himself for %+v", bob.Me())
	}
	s.alike()
	if bob.Phase() != room.PhaseLobby || carol.Phase() != room.PhaseLobby {
		t.Error("somebody was removed")
	}
}

func TestNoSeatsForAll(t *testing.T) {
	s := newSim(t, func(c *Config) { c.Settings.Seats = 3 })
	crowd := s.connect(func(c *client.Config) { c.LocalPlayers = others("Eve", "Dora") })
	s.pump()
	r := want[event.Refused](t, "Bob", crowd.seen)
	says(t, "Bob", r.Sentence, "you are 3, and 2 seats of 3 are free")
	if r.Code != room.CodeFull {
		t.Errorf("code %d", r.Code)
	}
	carol := s.join(func(c *client.Config) { c.LocalPlayers = others("Eve") })
	s.must(carol.SetLocalPlayers(s.now, others("Eve", "Dora", "Ida")))
	s.pump()
	wantSeats(t, s.host.Room(), "0:0.0 Ann", "1:1.0 Carol", "2:1.1 Eve")
	if !chatted(carol.seen, "Dora", "has no seat") || !chatted(carol.seen, "Ida", "has no seat") {
		t.Errorf("Carol is told %v", carol.seen)
	}
	if _, err := New(Config{Config: membership.Config{Random: s.random, Firmware: testFirmware(0), LocalPlayers: make([]room.LocalPlayer, 16)}, Settings: testSettings(), ROM: testROM}); err == nil {
		t.Error("17 players at one machine")
	}
}

// The players of a machine play its first one's game, unless they brought their own.
func TestGamesOfOthers(t *testing.T) {
	s := newSim(t, nil)
	red, blue := room.ROMID{SHA256: sum(1), Title: "Red"}, room.ROMID{SHA256: sum(2), Title: "Blue"}
	bob := s.join(func(c *client.Config) {
		c.LocalPlayers = others("Eve", "Dora")
		c.LocalPlayers[1].ROM = &blue
	})
	games := func(want ...string) {
		t.Helper()
		var got []string
		for _, p := range s.host.Roster() {
			got = append(got, fmt.Sprint(p.ROM.Title, " ", p.OwnROM))
		}
		if !slices.Equal(got, want) {
			t.Errorf("games %q, want %q", got, want)
		}
	}
	games("Kart false", "Kart false", "Kart false", "Blue true")
	s.must(bob.SetROM(s.now, &red))
	s.pump()
	games("Kart false", "Red true", "Red true", "Blue true")
}

// A player who is removed, or whose connection breaks, goes with all players of the machine.
func TestMachinesGoAsAWhole(t *testing.T) {
	t.Run("kicked by a second player's seat", func(t *testing.T) {
		s, _, _ := sofas(t)
		s.must(s.host.Kick(s.now, 4, "", false))
		s.pump()
		wantSeats(t, s.host.Room(), "0:0.0 Ann", "1:0.1 Ben", "5:2.0 Carol")
	})
	t.Run("in a game", func(t *testing.T) {
		s, bob, _ := sofas(t)
		s.prepare()
		s.install()
		bob.vanish()
		left := map[ds.Seat]bool{}
		for _, e := range s.seen {
			if e, ok := e.(event.SeatLeft); ok {
				left[e.Seat] = true
				if _, err := s.host.Decide(s.now, timeline.Decision{Kind: timeline.Leave, Seat: e.Seat}); err != nil {
					t.Error(err)
				}
			}
		}
		if len(left) != 3 || !left[2] || !left[3] || !left[4] {
			t.Errorf("seats %v left", left)
		}
		s.pump()
		for _, p := range s.host.Roster() {
			if p.Present == (p.Machine == 1) {
				t.Errorf("%s is present: %v", p.Nickname, p.Present)
			}
		}
		s.alike()
	})
	t.Run("the connection breaks, and they come back", func(t *testing.T) {
		s, bob, _ := sofas(t)
		s.prepare()
		s.install()
		bob.cut(true, true)
		bob.back()
		want[event.Reconnected](t, "Bob", bob.seen)
		s.must(s.host.Pause(s.now, true))
		s.alike()
		if bob.Phase() != room.PhasePlaying || bob.Me().Nickname != "Bob" {
			t.Errorf("Bob is in %v as %s", bob.Phase(), bob.Me().Nickname)
		}
	})
	t.Run("away at the end", func(t *testing.T) {
		s, bob, _ := sofas(t)
		s.prepare()
		s.install()
		bob.cut(true, true)
		s.abort("enough")
		s.pump()
		wantSeats(t, s.host.Room(), "0:0.0 Ann", "1:0.1 Ben", "5:2.0 Carol")
	})
}

// Several at one machine follow another game host as a whole: nobody waits for one of them.
func TestLocalPlayersFollowAnotherHost(t *testing.T) {
	for _, game := range []bool{true, false} {
		s := newSim(t, nil)
		s.join(nil)
		carol := s.join(func(c *client.Config) { c.LocalPlayers = others("Eve") })
		s.ready()
		if game {
			s.prepare()
			s.install()
			_, err := s.host.GiveUpSeat(s.now, 0, 5)
			s.must(err)
		}
		s.handOver()
		carol.back()
		want[event.Reconnected](t, "Carol", carol.seen)
		if game && s.host.SomeoneDisconnected() {
			t.Error("somebody is waited for, though all are here")
		}
		s.seen = nil
		s.wait(70 * time.Second)
		if count[event.PlayerLeft](s.seen) > 0 || !carol.Belongs(carol.id) {
			t.Errorf("in a game %v: Carol is in phase %v; the game host saw %+v", game, carol.Phase(), s.seen)
		}
	}
}
