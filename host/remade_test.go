package host

import (
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/membership"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// The game host goes while somebody comes in. The next one lets that one in, wherever
// that stood; who is just coming in does not give consoles to the others.
func TestHostGoesAsSomebodyComes(t *testing.T) {
	s, carol := admitted(t)
	if _, err := s.host.GiveUpSeat(s.now, 0, 5); err != nil {
		t.Fatal(err)
	}
	if next := s.host.nextHost(); next == nil || next.machine != 1 {
		t.Fatalf("who comes after: %+v", next)
	}
	if !s.host.HandOver(s.now, "", nil) {
		t.Fatal("nobody to hand over to")
	}
	s.pump()
	bob := s.clients[0]
	h := bob.promote(want[event.Elected](t, "Bob", bob.seen))
	last := h.Decisions()[len(h.Decisions())-1]
	if last.Kind != timeline.Resync || last.Machine != 1 || len(h.playing()) != 3 {
		t.Errorf("the last decision is %+v, and %d consoles are made anew", last, len(h.playing()))
	}
	if _, ok := h.anotherDonor(); !ok {
		t.Error("Bob has no consoles to give")
	}
	h.round.wrong = h.round.wrong.With(1)
	if m, ok := h.anotherDonor(); ok {
		t.Errorf("machine %d gives consoles, which has none", m)
	}
	if want[event.HostChanged](t, "Carol", carol.seen).Machine != 1 {
		t.Error("Carol does not follow")
	}
}

// A game host that said no more than who comes in.
func TestEntryWithoutResync(t *testing.T) {
	s, _ := admitted(t)
	bob := s.clients[0]
	known := bob.Promote(event.Elected{Promised: 200, Words: "the connection to Ann is gone"})
	known.Game.Decisions = known.Game.Decisions[:len(known.Game.Decisions)-1]
	known.Room.Host, known.Room.Epoch, known.Previous = 1, membership.NextTerm(0), 0
	h := Promoted(s.now, known)
	if last := h.Decisions()[len(h.Decisions())-1]; last.Kind != timeline.Resync && last.Kind != timeline.Leave {
		t.Errorf("the last decision is %+v", last)
	}
	if !h.Decisions().Resyncing() || h.round.resync == nil || h.round.resync.donor != 1 {
		t.Errorf("nobody comes in: %+v", h.Decisions())
	}
}

// A player who began the game is game host rather than a late joiner; a late joiner is
// rather than nobody.
func TestSuccessor(t *testing.T) {
	s, carol := admitted(t)
	hashes := s.built()
	s.must(s.clients[0].Remade(s.now, 1, 1, hashes))
	s.must(s.host.Remade(s.now, 1, 1, hashes))
	if next := s.host.nextHost(); next == nil || next.machine != 1 {
		t.Errorf("who comes after: %+v", next)
	}
	s.clients[0].Leave(s.now, "")
	s.pump()
	if next := s.host.nextHost(); next != nil {
		t.Errorf("machine %d comes after, which has no consoles yet", next.machine)
	}
	s.must(carol.Remade(s.now, 1, 1, hashes))
	s.pump()
	if next := s.host.nextHost(); next == nil || next.machine != 2 {
		t.Errorf("who comes after when Bob has left: %+v", next)
	}
}

// Spectators hear that the game host leaves, in words.
func TestHandOverTellsSpectators(t *testing.T) {
	s := playing(t, 2, watched(2))
	uma := s.watch(nil)
	s.wait(time.Second)
	if _, err := s.host.GiveUpSeat(s.now, 0, 5); err != nil {
		t.Fatal(err)
	}
	if !s.host.HandOver(s.now, "dinner", nil) {
		t.Fatal("nobody to hand over to")
	}
	s.pump()
	says(t, "Uma", want[event.RoomClosed](t, "Uma", uma.seen).Words, "left the room", "dinner", "Bob is the game host now")
}

// A machine that has its consoles from another one than the game host's says so again to
// the next game host, which may be that machine itself, with nobody else to wait for.
func TestRemadeIsSaidAgain(t *testing.T) {
	for _, tt := range []struct {
		machines int
		leaves   bool
	}{{3, false}, {3, true}, {2, true}} {
		r := newRealm(t, 1, tt.machines).play()
		if _, err := r.nodes[0].host.Decide(r.now, timeline.Decision{Kind: timeline.Resync, Machine: 1}); err != nil {
			t.Fatal(err)
		}
		r.run(time.Second)
		for _, n := range r.nodes[1:] {
			must.Succeed(t, n.client.Remade(r.now, 1, 1, []room.SeatHash{{Seat: 0}, {Seat: 1}, {Seat: 2}}[:tt.machines]))
		}
		r.run(time.Second)
		if tt.leaves {
			if _, err := r.nodes[0].host.GiveUpSeat(r.now, 0, 5); err != nil || !r.nodes[0].host.HandOver(r.now, "", nil) {
				t.Fatal("it cannot leave")
			}
			r.send(r.nodes[0])
			r.nodes[0].over = "left"
		} else {
			r.nodes[0].dead = true
		}
		r.run(4 * time.Second)
		lord, _ := r.settled()
		if lord == nil || lord.applied.Resyncing() {
			t.Errorf("%+v: the game does not go on: %+v", tt, lord)
		}
	}
}
