package host

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/client"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/membership"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
)

// keptOf is a kept moment of some players, in every second seat, with their consoles.
func keptOf(names ...string) room.Kept {
	k := room.Kept{Name: "the boss", Frames: 9999}
	for i, name := range names {
		k.Seats = append(k.Seats, room.KeptSeat{
			Seat: ds.Seat(2 * i), Nickname: name, Firmware: testFirmware(byte(0x80 + i)),
			ROM: room.ROMID{SHA256: [32]byte{byte(i), 1}, Title: "Kart of " + name, Size: 1 << 20}, SRAM: [32]byte{byte(i)},
		})
	}
	return k
}

// continuing is a room of Ann, in which a game of Ann, Ben, Carol and Bob goes on.
func continuing(t *testing.T) *sim {
	return newSim(t, func(c *Config) { c.Settings.Continues = keptOf("Carol", "Ben", "Ann", "Bob") })
}

// Players sit where they sat, with the consoles they had, whoever hosts, in whatever order they
// come, and at whose machine they sit.
func TestKeptGameSeatsByName(t *testing.T) {
	s := continuing(t)
	wantSeats(t, s.host.Room(), "4:0.0 Ann")
	s.join(func(c *client.Config) { c.LocalPlayers = others("Carol") }) // Bob
	ben := s.join(func(c *client.Config) { c.Nickname = "Ben" })
	wantSeats(t, ben.Room(), "0:1.1 Carol", "2:2.0 Ben", "4:0.0 Ann", "6:1.0 Bob")
	s.ready()
	s.must(s.host.Start(s.now))
	for i, p := range s.host.round.seats {
		k := s.host.settings.Continues.Seats[i]
		if p.Seat != k.Seat || p.Nickname != k.Nickname || p.Firmware != k.Firmware || p.ROM != k.ROM {
			t.Errorf("seat %v is %+v, was %+v", p.Seat, p, k)
		}
	}
}

// A stranger to the game, or somebody who sits there already, is not let in, and is told why.
func TestKeptGameOfOthers(t *testing.T) {
	s := continuing(t)
	for name, words := range map[string]string{"Dave": "a kept game of Carol, Ben, Ann and Bob goes on in this room, and nobody was called Dave", "Ann": "somebody plays Ann's console already"} {
		c := s.connect(func(c *client.Config) { c.Nickname = name })
		s.pump()
		r, told := event.Refused{}, false
		for _, e := range c.seen {
			if x, is := e.(event.Refused); is {
				r, told = x, true
			}
		}
		if !told || !strings.Contains(r.Refusal.Sentence, words) {
			t.Errorf("%s is told %q", name, r.Refusal.Sentence)
		}
	}
	if _, err := New(Config{Config: membership.Config{Nickname: "Dave", Firmware: testFirmware(1), Random: s.random, Iterations: 10}, Settings: s.host.Settings(), ROM: testROM}); err == nil || !strings.Contains(err.Error(), "Dave has no console") {
		t.Errorf("Dave opens the room: %v", err)
	}
}

// The game waits for all of its players, and nobody chooses other settings for it; the one after
// it begins anew.
func TestKeptGameIsWhole(t *testing.T) {
	s := newSim(t, func(c *Config) { c.Settings.Continues = keptOf("Ann", "Bob") })
	s.ready()
	var blocked *BlockedError
	if err := s.host.Start(s.now); !errors.As(err, &blocked) || !strings.Contains(err.Error(), "Bob is not here") {
		t.Fatalf("without Bob: %v", err)
	}
	bob := s.join(nil)
	if err := s.host.SetROM(s.now, testROM); err == nil {
		t.Error("another game was chosen")
	}
	s.must(bob.SetROM(s.now, &testROM))
	set := s.host.Settings()
	set.RTC, set.Options, set.Skew, set.Continues, set.Delay = set.RTC+1, nil, 2, room.Kept{}, 9
	s.must(s.host.SetSettings(s.now, set))
	now, want := s.host.Settings(), continuing(t).host.Settings()
	want.Continues, want.Delay = keptOf("Ann", "Bob"), 9
	if !now.Equal(want) {
		t.Errorf("the settings are %+v", now)
	}
	s.ready()
	s.must(s.host.Start(s.now))
	s.pump()
	s.install()
	s.pump()
	if s.host.Phase() != room.PhasePlaying {
		t.Fatalf("the room is %v", s.host.Phase())
	}
	s.must(s.host.Abort(s.now, "enough"))
	s.wait(time.Second)
	if s.host.Settings().Continues.Any() || bob.Room().Settings.Continues.Any() {
		t.Error("the next game would go on from the same moment")
	}
}

// A kept game needs all who were in it, and the game after it only two of them: one may have left.
func TestGameAfterKeptGameNeedsTwo(t *testing.T) {
	s := newSim(t, func(c *Config) {
		c.Settings.Continues, c.Settings.MinPlayers = keptOf("Ann", "Bob", "Carol"), 3
	})
	s.join(nil)
	carol := s.join(nil)
	s.ready()
	s.must(s.host.Start(s.now))
	s.pump()
	s.install()
	s.pump()
	carol.vanish()
	s.must(s.host.Abort(s.now, "enough"))
	s.wait(time.Second)
	s.ready()
	if b := s.host.Blockers(); len(b) > 0 || len(s.host.Roster()) != 2 {
		t.Errorf("%d are here, who cannot start: %v", len(s.host.Roster()), b)
	}
}

// The place of somebody who does not come is another's, if the game host wants that; its own
// player has it before others. The console is the one they had.
func TestKeptGameOpenSeat(t *testing.T) {
	s := newSim(t, func(c *Config) { c.Settings.Continues = keptOf("Ann", "Ben", "Bob") })
	if err := s.host.OpenSeat(s.now, 1, true); err == nil {
		t.Error("a seat was opened that nobody had")
	}
	s.must(s.host.OpenSeat(s.now, 2, true))
	s.join(func(c *client.Config) { c.Nickname = "Dave" })
	bob := s.join(func(c *client.Config) { c.Nickname = "Bob" })
	wantSeats(t, bob.Room(), "0:0.0 Ann", "2:1.0 Dave", "4:2.0 Bob")
	s.must(s.host.OpenSeat(s.now, 2, false)) // who sits there stays
	s.ready()
	s.must(s.host.Start(s.now))
	if p, k := s.host.round.seats[1], s.host.settings.Continues.Seats[1]; p.Nickname != "Dave" || p.Firmware != k.Firmware || p.ROM != k.ROM {
		t.Errorf("Dave plays %+v, Ben did %+v", p, k)
	}

	s = newSim(t, func(c *Config) {
		c.Settings.Continues, _ = keptOf("Ann", "Ben", "Bob").Opened("Ben", "Bob")
	})
	bob = s.join(nil)
	wantSeats(t, bob.Room(), "0:0.0 Ann", "4:1.0 Bob")
	blocked := s.host.Start(s.now)
	if blocked == nil || !strings.Contains(blocked.Error(), "nobody is here yet to play Ben's console") {
		t.Errorf("without anybody for Ben: %v", blocked)
	}
	if _, err := keptOf("Ann").Opened("Ben"); err == nil {
		t.Error("the place of somebody who was not there was opened")
	}
}
