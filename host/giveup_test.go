package host

import (
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
)

// goesOnWithout checks that a game goes on with the consoles that it had, with all its machines, and that all were told why.
func (s *sim) goesOnWithout(t *testing.T, words ...string) {
	t.Helper()
	if s.host.Phase() != room.PhasePlaying || s.host.Decisions().Resyncing() || count[event.SeatLeft](s.seen) > 0 {
		t.Fatalf("the room is %v, after %+v", s.host.Phase(), s.seen)
	}
	for _, c := range s.clients {
		e := want[event.Decided](t, "a client", c.seen)
		if e.Decision.Kind != timeline.GiveUp {
			t.Errorf("%s was told %+v", c.Me().Nickname, e)
		}
		says(t, c.Me().Nickname, e.Decision.Why, words...)
	}
}

// keeping is a game of the game host and two clients, of which a moment is to be kept.
func keeping(t *testing.T) *sim {
	s := playing(t, 2, func(c *Config) { c.Settings.Frames = 0 })
	s.host.Horizon(100)
	s.must(s.host.Keep(s.now, 0, "the boss"))
	s.pump()
	return s
}

// A moment that cannot be kept ends no game and nobody's part in it, whoever is late, the game host's own machine
// included; the next one is kept as if nothing had been.
func TestMomentComesLate(t *testing.T) {
	for late, name := range []string{"Ann", "Bob", "Carol"} {
		s := keeping(t)
		remade := func(number int, late int) {
			if late != 0 {
				s.must(s.host.Remade(s.now, 1, number, s.built()))
			}
			for i, c := range s.clients {
				if late != i+1 {
					s.must(c.Remade(s.now, 1, number, s.built()))
				}
			}
			s.pump()
		}
		remade(1, late)
		s.wait(time.Minute)
		s.goesOnWithout(t, "this moment is not kept", name+"'s machine did not get its consoles in time")
		s.must(s.host.Keep(s.now, 0, "the boss"))
		s.pump()
		remade(2, -1)
		if s.host.Decisions().Resyncing() {
			t.Errorf("%s was late once, and no moment is kept any more: %+v", name, s.host.Decisions())
		}
	}
}

// Consoles that cannot be made alike are given up, too: those that play are alike.
func TestMomentThatDiffers(t *testing.T) {
	s := keeping(t)
	odd := s.built()
	odd[1].Hash = ds.Hash{RAM: 99, Video: 2, SRAM: 3}
	s.must(s.host.Remade(s.now, 1, 1, s.built()))
	s.must(s.clients[0].Remade(s.now, 1, 1, odd))
	s.must(s.clients[1].Remade(s.now, 1, 1, s.built()))
	s.pump()
	s.goesOnWithout(t, "this moment is not kept")
}

// Where a console was lost meanwhile the game needs the others: whoever is late is left behind.
func TestMomentWithALostConsole(t *testing.T) {
	s := keeping(t)
	s.must(s.clients[0].RequestResync(s.now, 1, "the core crashed"))
	s.pump()
	s.must(s.host.Remade(s.now, 1, 1, s.built()))
	s.must(s.clients[0].Remade(s.now, 1, 1, s.built()))
	s.wait(time.Minute)
	if e := want[event.SeatLeft](t, "the game host", s.seen); e.Machine != 2 || s.host.Decisions().Resyncing() {
		t.Errorf("%+v left, and of the game this was decided: %+v", e, s.host.Decisions())
	}
}

// A repair that comes late is not given up.
func TestRepairComesLate(t *testing.T) {
	s := repairing(t, 2, 1)
	s.must(s.clients[0].Remade(s.now, 1, 1, s.built()))
	s.must(s.clients[1].Remade(s.now, 1, 1, s.built()))
	s.wait(time.Minute)
	if s.host.Phase() != room.PhaseLobby {
		t.Errorf("the game goes on with consoles that differ: %+v", s.host.Decisions())
	}
}

// The next game host keeps no moment that it cannot, either.
func TestMomentAfterTheGameHost(t *testing.T) {
	s := playing(t, 2, func(c *Config) { c.Settings.Frames = 0 })
	s.host.Horizon(100)
	s.must(s.host.Keep(s.now, 2, "the boss"))
	s.pump()
	bob := s.clients[0]
	known := bob.Promote(event.Elected{Promised: 200, Words: "the connection to Ann is gone"})
	known.Room.Host, known.Room.Epoch, known.Previous = 1, 1, 0
	h := Promoted(s.now, known)
	if r := h.round.resync; r == nil || !r.alike || !r.keeps {
		t.Errorf("it knows %+v", r)
	}
}
