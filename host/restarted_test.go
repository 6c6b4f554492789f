package host

import (
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
)

// silent tells the game host, as its session does, of a connection on which nothing arrives any more; of a live
// one, that there was something a moment ago.
func (s *sim) silent(c *simClient, live bool, d time.Duration) {
	began := s.now
	for s.now.Sub(began) < d {
		s.wait(100 * time.Millisecond)
		for _, id := range s.host.Doubted() {
			quiet := s.now.Sub(began) + time.Second
			if live || id != c.id {
				quiet = 50 * time.Millisecond
			}
			s.host.Silent(s.now, id, quiet)
		}
		s.pump()
	}
}

// Whoever crashed and is back before that has been noticed is in the room again, at once: in a full lobby,
// while a game begins, and while it runs.
func TestCrashedIsBackAtOnce(t *testing.T) {
	for name, now := range map[string]func(s *sim){
		"in the lobby": func(*sim) {},
		"amid a start": func(s *sim) { s.must(s.host.Start(s.now)); s.pump() },
		"amid a game":  func(s *sim) { s.must(s.host.Start(s.now)); s.pump(); s.install(); s.pump() },
	} {
		s := lobby(t, 2, func(c *Config) { c.Settings.Seats = 3 })
		s.host.Proven(s.clients[0].id, [32]byte{1})
		now(s)
		ghost := s.clients[0]
		ghost.mute = true
		bob := again(s, "10.0.0.1:9", [32]byte{1}, nil)
		if bob.Phase() != room.PhaseJoining {
			t.Errorf("%s: Bob is in phase %v before it is known whether he is two", name, bob.Phase())
		}
		s.silent(ghost, false, 3*time.Second)
		if bob.Phase() == room.PhaseJoining || bob.Phase() == room.PhaseClosed || bob.Me().Nickname != "Bob" {
			r, _ := last[event.Refused](bob.seen)
			t.Errorf("%s: Bob is in phase %v: %+v", name, bob.Phase(), r)
		}
		here := 0
		for _, p := range s.host.Roster() {
			if p.Present {
				here++
			}
		}
		if here != 3 || ghost.linked {
			t.Errorf("%s: %d are here; the old connection is open: %v", name, here, ghost.linked)
		}
	}
}

// Another program on the same computer is another player, and ends nobody's connection; neither does
// somebody else who says that they are Bob.
func TestTwoProgramsOfOneInstallation(t *testing.T) {
	s := lobby(t, 2, func(c *Config) { c.Settings.Seats = 5 })
	s.host.Proven(s.clients[0].id, [32]byte{1})
	second := again(s, "10.0.0.1:9", [32]byte{1}, nil)
	s.silent(s.clients[0], true, time.Second)
	if second.Phase() != room.PhaseLobby || second.Me().Nickname == "Bob" || !s.clients[0].linked {
		t.Errorf("the second one is %q, in phase %v; the first is connected: %v", second.Me().Nickname, second.Phase(), s.clients[0].linked)
	}
	mallory := again(s, "10.0.0.1:10", [32]byte{2}, nil)
	s.clients[0].mute = true
	if mallory.Phase() != room.PhaseLobby || len(s.host.Doubted()) > 0 || !s.clients[0].linked {
		t.Errorf("somebody with another key is in phase %v; Bob is connected: %v", mallory.Phase(), s.clients[0].linked)
	}
}

// Who waits for that says no more meanwhile, comes in once the old connection has ended, and is forgotten
// when they go.
func TestDoubtEnds(t *testing.T) {
	s := lobby(t, 2, func(c *Config) { c.Settings.Seats = 3 })
	s.host.Proven(s.clients[0].id, [32]byte{1})
	gone := again(s, "10.0.0.1:9", [32]byte{1}, nil)
	gone.vanish()
	if n := len(s.host.Doubted()); n != 0 {
		t.Errorf("%d connections are looked at for somebody who has gone", n)
	}
	twice := again(s, "10.0.0.1:10", [32]byte{1}, nil)
	b, err := message.Encode(&message.Join{Nickname: "Bob", Firmware: testFirmware(1), Core: testCore})
	s.must(err)
	s.host.Receive(s.now, twice.id, b)
	s.pump()
	if twice.linked {
		t.Error("somebody who says twice that they want to come in stays")
	}
	bob := again(s, "10.0.0.1:11", [32]byte{1}, nil)
	s.clients[0].vanish()
	s.wait(200 * time.Millisecond)
	if bob.Phase() != room.PhaseLobby {
		t.Errorf("Bob is in phase %v, and his old connection has ended", bob.Phase())
	}
}

// A spectator who crashed has their place again, too.
func TestSpectatorIsBackAtOnce(t *testing.T) {
	s := lobby(t, 1, func(c *Config) { c.Settings.Spectators = 1 })
	watch := func() *simClient {
		c := s.connectSpectator(nil)
		s.host.Proven(c.id, [32]byte{7})
		s.pump()
		return c
	}
	old := watch()
	again := watch()
	old.mute = true
	s.silent(old, false, 3*time.Second)
	if len(s.host.Spectators()) != 1 || old.linked || !again.linked || again.Phase() != room.PhaseLobby {
		t.Errorf("%v watch; the old connection is open: %v; the new one is in phase %v", s.host.Spectators(), old.linked, again.Phase())
	}
}
