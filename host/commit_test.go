package host

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/client"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/membership"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
)

func keeps(events []event.Event) (list []event.SaveOrder) {
	for _, e := range events {
		if k, ok := e.(event.SaveOrder); ok {
			list = append(list, k)
		}
	}
	return list
}

// Saves become current when all machines have written theirs, and not before.
func TestCommitInTwoSteps(t *testing.T) {
	s := playing(t, 2, nil)
	bob, carol := s.clients[0], s.clients[1]
	s.must(s.host.CommitSaves(s.now, 120))
	s.must(s.host.CommitSaves(s.now, 180)) // too early
	s.pump()
	s.must(s.host.SavesWritten(s.now, 1, 120, ""))
	s.must(bob.SavesWritten(s.now, 1, 120, ""))
	s.must(bob.SavesWritten(s.now, 1, 60, ""))
	s.pump()
	if k := keeps(bob.seen); len(k) != 1 || k[0] != (event.SaveOrder{Frame: 120}) {
		t.Fatalf("Bob was told %+v", k)
	}
	s.must(carol.SavesWritten(s.now, 1, 120, ""))
	s.pump()
	if k := keeps(s.seen); len(k) != 1 {
		t.Errorf("the game host's save is current before that of anybody who could tell: %+v", k)
	}
	s.must(bob.SavesCommitted(s.now, 1, 120))
	s.pump()
	for _, seen := range [][]event.Event{s.seen, bob.seen, carol.seen} {
		if k := keeps(seen); len(k) != 2 || k[1] != (event.SaveOrder{Frame: 120, Commit: true}) {
			t.Errorf("%+v", k)
		}
	}
}

// A save that one machine cannot write is committed by none, and the room says so; the next
// time all may.
func TestCommitThatFails(t *testing.T) {
	s := playing(t, 1, nil)
	bob := s.clients[0]
	s.must(s.host.CommitSaves(s.now, 120))
	s.pump()
	s.must(bob.SavesWritten(s.now, 1, 120, "the disk is full"))
	s.must(s.host.SavesWritten(s.now, 1, 120, ""))
	s.pump()
	if k := keeps(s.seen); len(k) != 1 || !chatted(bob.seen, "Bob", "the disk is full") {
		t.Errorf("%+v", k)
	}
	s.must(s.host.CommitSaves(s.now, 180))
	s.pump()
	s.must(bob.SavesWritten(s.now, 1, 180, ""))
	s.must(s.host.SavesWritten(s.now, 1, 180, ""))
	s.pump()
	if k := keeps(bob.seen); len(k) != 3 || !k[2].Commit {
		t.Errorf("%+v", k)
	}
}

// A player who leaves in between does not keep the others from their saves.
func TestLeavingAmidKeep(t *testing.T) {
	s := playing(t, 2, nil)
	s.must(s.host.CommitSaves(s.now, 120))
	s.pump()
	s.must(s.host.SavesWritten(s.now, 1, 120, ""))
	s.must(s.clients[0].SavesWritten(s.now, 1, 120, ""))
	s.pump()
	s.clients[1].vanish()
	if k := keeps(s.clients[0].seen); len(k) != 2 || !k[1].Commit {
		t.Errorf("%+v", k)
	}
}

// A machine whose connection broke says again that it has written: that does not make anything
// current, as long as nobody has said so.
func TestWrittenSaidAgainIsNotCurrent(t *testing.T) {
	s := playing(t, 2, nil)
	bob, carol := s.clients[0], s.clients[1]
	s.must(s.host.CommitSaves(s.now, 120))
	s.pump()
	s.must(bob.SavesWritten(s.now, 1, 120, ""))
	s.must(s.host.SavesWritten(s.now, 1, 120, ""))
	s.pump()
	bob.cut(true, true)
	s.must(carol.SavesWritten(s.now, 1, 120, ""))
	s.pump()
	bob.back()
	if k := keeps(s.seen); len(k) != 1 {
		t.Errorf("the game host's save is current, and Bob has only written his: %+v", k)
	}
	if k := keeps(bob.seen); k[len(k)-1] != (event.SaveOrder{Frame: 120, Commit: true}) {
		t.Errorf("Bob was told %+v", k)
	}
	s.must(bob.SavesCommitted(s.now, 1, 120))
	s.pump()
	if k := keeps(s.seen); len(k) != 2 || !k[1].Commit {
		t.Errorf("when Bob's is current: %+v", k)
	}
}

// A machine that never says that it has its save keeps the others from theirs for a short time
// only: it is named, the room tries again, and then theirs go on. Once it does what it
// should, it is waited for as before.
func TestOneKeepsNobodyFromSaving(t *testing.T) {
	for _, why := range []string{"", "the disk is full"} {
		s := playing(t, 2, nil)
		bob, carol := s.clients[0], s.clients[1]
		try := func(frame int64, written bool) (committed bool) {
			t.Helper()
			s.must(s.host.CommitSaves(s.now, frame))
			s.pump()
			s.must(s.host.SavesWritten(s.now, 1, frame, ""))
			s.must(bob.SavesWritten(s.now, 1, frame, ""))
			switch {
			case written:
				s.must(carol.SavesWritten(s.now, 1, frame, ""))
			case why != "":
				s.must(carol.SavesWritten(s.now, 1, frame, why))
			}
			s.pump()
			s.wait(11 * time.Second)
			k := keeps(bob.seen)
			if committed = k[len(k)-1] == (event.SaveOrder{Frame: frame, Commit: true}); committed {
				s.must(bob.SavesCommitted(s.now, 1, frame))
				s.pump()
			}
			if s.host.CommittingSaves() {
				t.Errorf("the commit of frame %d is not over", frame)
			}
			return committed
		}
		if try(120, false) || !chatted(bob.seen, "stay as they were, for all, and are tried again", "Carol", why) {
			t.Errorf("the first time Bob is told %+v", bob.seen)
		}
		for _, frame := range []int64{180, 240} {
			if !try(frame, false) || !chatted(bob.seen, "The saves of the others go on", "Carol", why) {
				t.Errorf("of frame %d Bob is told %+v", frame, bob.seen)
			}
		}
		if !try(300, true) {
			t.Error("with Carol's nothing is committed")
		}
		if try(360, false) {
			t.Error("after Carol's was written she is not waited for any more")
		}
	}
}

// The game host's own save becomes current although nobody says that theirs are: the order to
// commit has gone to all.
func TestNobodySaysCommitted(t *testing.T) {
	s := playing(t, 1, nil)
	s.clients[0].mute = true
	s.must(s.host.CommitSaves(s.now, 120))
	s.pump()
	s.must(s.host.SavesWritten(s.now, 1, 120, ""))
	b, _ := message.Encode(&message.SaveAnswer{Round: 1, Frame: 120})
	s.host.Receive(s.now, 1, b)
	s.wait(11 * time.Second)
	if k := keeps(s.seen); len(k) != 2 || !k[1].Commit || s.host.CommittingSaves() {
		t.Errorf("the game host is told %+v", k)
	}
}

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
	s.abort("enough")
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
	s.abort("enough")
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

// Everybody gets to know how far the machines are known to be alike, and nobody takes that
// of one game for that of the next.
func TestAgreed(t *testing.T) {
	s := playing(t, 2, nil)
	expect := func(when string, want int64) {
		t.Helper()
		for _, c := range s.clients {
			if got := c.Agreed(); got != want {
				t.Errorf("%s: %s knows of agreement up to frame %d, want %d", when, c.Me().Nickname, got, want)
			}
		}
	}
	expect("at the start", 0)
	for _, frame := range []int64{120, 300} {
		s.host.Agreed(frame)
		s.wait(2 * time.Second)
		expect("in the game", frame)
	}
	s.host.Agreed(0) // a resync
	s.wait(2 * time.Second)
	expect("while it is not known", 0)
	s.host.Agreed(580)
	s.wait(2 * time.Second)
	s.finish()
	s.ready()
	s.prepare()
	expect("before the next game", 0)
	s.install()
	s.wait(2 * time.Second)
	expect("in the next game", 0)
}
