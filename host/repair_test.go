package host

import (
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
)

// repairing makes a room with n clients whose consoles are to be made anew from a
// machine's.
func repairing(t *testing.T, n, donor int) *sim {
	t.Helper()
	s := playing(t, n, nil)
	s.host.Horizon(100)
	d, err := s.host.Decide(s.now, timeline.Decision{Kind: timeline.Resync, Machine: donor, Why: "Bob differs"})
	s.must(err)
	s.pump()
	for _, c := range s.clients {
		if e := want[event.Decided](t, "a client", c.seen); e.Decision != d || d.Machine != donor {
			t.Fatalf("%+v became %+v", d, e.Decision)
		}
	}
	return s
}

// A player who pauses again and again keeps the others from playing for a while, and uses up
// none of what a game has for what matters.
func TestPausesAreBounded(t *testing.T) {
	s := playing(t, 2, nil)
	bob, pauses := s.clients[0], 0
	for range 600 { // for ten minutes, the game host goes on each time
		b, err := message.Encode(&message.Pause{Round: 1, Pause: true})
		s.must(err)
		s.host.Receive(s.now, bob.id, b)
		if s.host.Decisions().Paused() {
			pauses++
			s.must(s.host.Pause(s.now, false))
		}
		s.now = s.now.Add(time.Second)
	}
	if pauses < 10 || pauses > 75 {
		t.Errorf("%d pauses", pauses)
	}
}

func TestPauseIsForAll(t *testing.T) {
	s := playing(t, 2, nil)
	s.must(s.clients[1].Pause(s.now, true))
	s.pump()
	s.must(s.clients[0].Pause(s.now, true)) // was slower
	s.pump()
	d := s.host.Decisions()
	if last := d[len(d)-1]; last.Kind != timeline.Pause || len(d) != 3 {
		t.Fatalf("%+v", d)
	}
	s.must(s.host.Pause(s.now, false))
	s.pump()
	for _, c := range s.clients {
		if e := want[event.Decided](t, "a client", c.seen); e.Decision.Kind != timeline.Resume {
			t.Errorf("%+v", e)
		}
	}
}

func TestResync(t *testing.T) {
	s := repairing(t, 2, 1)
	if _, err := s.host.Decide(s.now, timeline.Decision{Kind: timeline.Resync, Machine: 2}); err == nil {
		t.Error("a second resync was decided amid the first")
	}
	hashes := s.built()
	s.must(s.clients[0].Remade(s.now, 1, 1, hashes))
	s.must(s.clients[1].Remade(s.now, 1, 1, hashes))
	s.pump()
	if d := s.host.Decisions(); d[len(d)-1].Kind != timeline.Resync {
		t.Fatalf("the game goes on without the game host's consoles: %+v", d)
	}
	s.must(s.host.Remade(s.now, 1, 1, hashes))
	s.pump()
	for _, c := range s.clients {
		if e := want[event.Decided](t, "a client", c.seen); e.Decision.Kind != timeline.Resynced {
			t.Errorf("%+v", e)
		}
	}
	if err := s.host.Remade(s.now, 1, 1, hashes); err == nil {
		t.Error("a resync that is over can be answered")
	}
}

// A donor that cannot give its consoles takes them from another machine, too.
func TestDonorIsBroken(t *testing.T) {
	for _, donor := range []int{0, 1} {
		s := repairing(t, 2, donor)
		if err := s.host.DonorFailed(s.now, 1, "the core crashed"); (err == nil) != (donor == 0) {
			t.Fatalf("the game host cannot give consoles: %v", err)
		}
		if donor == 1 {
			s.must(s.clients[0].RequestResync(s.now, 1, "the core crashed"))
		}
		s.pump()
		// With a donor that is not the game host, its own are taken for the wrong ones.
		e := want[event.Decided](t, "Bob", s.clients[0].seen)
		if e.Decision.Kind != timeline.Resync || e.Decision.Machine != donor+1 {
			t.Fatalf("Bob was told %+v", e)
		}
		says(t, "Bob", e.Decision.Why, "the core crashed", "all take the consoles of")
		if count[event.ResyncRequested](s.seen) > 0 {
			t.Error("the game host is asked for one more resync")
		}
		hashes := s.built()
		s.must(s.host.Remade(s.now, 1, 2, hashes))
		for _, c := range s.clients {
			s.must(c.Remade(s.now, 1, 2, hashes))
		}
		s.pump()
		if s.host.Decisions().Resyncing() {
			t.Errorf("%+v", s.host.Decisions())
		}
	}
}

// A machine that had built the donor's consoles before the donor failed is not to blame.
func TestRepairedFromABrokenDonor(t *testing.T) {
	s := repairing(t, 2, 1)
	s.must(s.clients[0].RequestResync(s.now, 1, "the core crashed"))
	s.pump()
	s.must(s.clients[1].Remade(s.now, 1, 1, s.built())) // before it has heard of that
	s.pump()
	if count[event.SeatLeft](s.seen) > 0 {
		t.Fatal("it is thrown out")
	}
	s.must(s.clients[1].Remade(s.now, 1, 2, s.built()))
	s.must(s.clients[0].Remade(s.now, 1, 2, s.built()))
	s.must(s.host.Remade(s.now, 1, 2, s.built()))
	s.pump()
	if s.host.Decisions().Resyncing() {
		t.Errorf("%+v", s.host.Decisions())
	}
}

// The donors fail one after the other, and the last one's failure is the end.
func TestAllDonorsAreBroken(t *testing.T) {
	s := repairing(t, 2, 0)
	s.must(s.host.DonorFailed(s.now, 1, "the core crashed"))
	s.pump()
	for _, c := range s.clients {
		if count[event.Ended](s.seen) > 0 {
			t.Fatal("the game is over before all have failed")
		}
		s.must(c.RequestResync(s.now, 1, "the core crashed"))
		s.pump()
	}
	for _, c := range s.clients {
		e := want[event.Ended](t, "a client", c.seen)
		if e.Outcome != message.OutcomeAborted {
			t.Errorf("%+v", e)
		}
		says(t, "a client", e.Why, "the core crashed", "were to take its consoles")
	}
}

func TestResyncThatComesOutDifferent(t *testing.T) {
	s := repairing(t, 1, 0)
	bad := s.built()
	bad[1].Air++
	s.must(s.host.Remade(s.now, 1, 1, s.built()))
	s.must(s.clients[0].Remade(s.now, 1, 1, bad))
	s.pump()
	e := want[event.Ended](t, "Bob", s.clients[0].seen)
	if e.Outcome != message.OutcomeDesync {
		t.Fatalf("%+v", e)
	}
	says(t, "Bob", e.Why, "alike again", "the radio")
}

// Where most have alike consoles again, they go on without who has not. A verdict names
// the console that differs.
func TestResyncThatComesOutDifferentOnOne(t *testing.T) {
	s := repairing(t, 2, 0)
	bad := s.built()
	bad[2].Hash.RAM++
	s.must(s.host.Remade(s.now, 1, 1, s.built()))
	s.must(s.clients[0].Remade(s.now, 1, 1, bad))
	s.must(s.clients[1].Remade(s.now, 1, 1, s.built()))
	s.pump()
	if e := want[event.SeatLeft](t, "the game host", s.seen); e.Machine != 1 || count[event.Ended](s.seen) > 0 || s.host.Decisions().Resyncing() {
		t.Errorf("%+v, %+v", e, s.host.Decisions())
	}

	s = repairing(t, 1, 0)
	s.must(s.host.Remade(s.now, 1, 1, s.built()))
	bad = s.built()
	bad[1].Hash.RAM++
	s.must(s.clients[0].Remade(s.now, 1, 1, bad))
	s.pump()
	if e := want[event.Ended](t, "Bob", s.clients[0].seen); e.Outcome != message.OutcomeDesync || e.Desync.Seat != 1 || e.Desync.Machine != 1 {
		t.Errorf("%+v", e)
	}
}

// A machine that leaves amid a resync stops nobody, but for the one whose consoles all
// were to take.
func TestLeavingAmidResync(t *testing.T) {
	s := repairing(t, 2, 0)
	hashes := s.built()
	s.must(s.host.Remade(s.now, 1, 1, hashes))
	s.must(s.clients[0].Remade(s.now, 1, 1, hashes))
	s.pump()
	s.clients[1].vanish()
	s.pump()
	if e := want[event.Decided](t, "Bob", s.clients[0].seen); e.Decision.Kind != timeline.Resynced {
		t.Errorf("Bob was told %+v", e)
	}

	s = repairing(t, 2, 2)
	s.clients[1].vanish()
	s.pump()
	if e := want[event.Decided](t, "Bob", s.clients[0].seen); e.Decision.Kind != timeline.Resync || e.Decision.Machine != 1 {
		t.Errorf("Bob was told %+v", e)
	}
	hashes = s.built()
	s.must(s.clients[0].Remade(s.now, 1, 2, hashes))
	s.must(s.host.Remade(s.now, 1, 2, hashes))
	s.pump()
	if e := want[event.Decided](t, "Bob", s.clients[0].seen); e.Decision.Kind != timeline.Resynced {
		t.Errorf("Bob was told %+v", e)
	}

	s = repairing(t, 2, 2)
	s.clients[0].Leave(s.now, "") // the game host's own consoles are the wrong ones
	s.pump()
	s.clients[1].vanish()
	s.pump()
	e := want[event.Ended](t, "the game host", s.seen)
	if e.Outcome != message.OutcomeAborted {
		t.Fatalf("%+v", e)
	}
	says(t, "the game host", e.Why, "Carol", "take its consoles")
}

func TestResyncThatTakesTooLong(t *testing.T) {
	s := repairing(t, 2, 0)
	hashes := s.built()
	s.must(s.host.Remade(s.now, 1, 1, hashes))
	s.must(s.clients[0].Remade(s.now, 1, 1, hashes))
	s.pump()
	s.wait(40 * time.Second)
	if e := want[event.Decided](t, "Bob", s.clients[0].seen); e.Decision.Kind != timeline.Resynced {
		t.Errorf("Bob was told %+v", e)
	}
	if left := want[event.SeatLeft](t, "the game host", s.seen); left.Machine != 2 {
		t.Errorf("%+v", left)
	}
}

// A machine whose consoles are gone asks for those of another.
func TestBroken(t *testing.T) {
	s := playing(t, 1, nil)
	s.must(s.clients[0].RequestResync(s.now, 1, "the core crashed"))
	s.pump()
	e := want[event.ResyncRequested](t, "the game host", s.seen)
	if e.Machine != 1 {
		t.Fatalf("%+v", e)
	}
	says(t, "the game host", e.Words, "Bob", "the core crashed")
}

// On a slow connection every resync is waited for as long as bytes move.
func TestSlowLinesGetThroughEveryResync(t *testing.T) {
	s := playing(t, 1, nil)
	bob := s.clients[0]
	s.host.Horizon(100)
	moved := int64(0)
	for n := 1; n <= 2; n++ {
		s.host.Moved(s.now, 1, moved)
		_, err := s.host.Decide(s.now, timeline.Decision{Kind: timeline.Resync, Machine: 0})
		s.must(err)
		s.pump()
		s.must(s.host.Remade(s.now, 1, n, s.built()))
		for i := range 50 { // 20 KiB each second
			moved += 40 << 10
			s.host.Moved(s.now, 1, moved)
			s.wait(2 * time.Second)
			if e, lost := last[event.SeatLeft](s.seen); lost {
				t.Fatalf("resync %d, after %d s: %+v", n, 2*i+2, e)
			}
		}
		s.must(bob.Remade(s.now, 1, n, s.built()))
		s.pump()
		if s.host.Decisions().Resyncing() {
			t.Fatal("not over")
		}
	}
}

// A machine that takes a byte now and then, or claims more than it takes, does not let the
// others stand.
func TestResyncHasALimit(t *testing.T) {
	s := repairing(t, 1, 0)
	bob := s.clients[0]
	s.must(s.host.Remade(s.now, 1, 1, s.built()))
	trickle := func(from, seconds int) {
		for i := range seconds {
			bob.Report(s.now, room.Status{Revision: bob.Room().Revision, Down: room.Progress{Done: int64(from+i) << 20, Total: 1 << 30}})
			s.host.Moved(s.now, 1, int64(from+i))
			s.wait(time.Second)
		}
	}
	trickle(1, 28)
	s.must(s.host.Pause(s.now, true))
	s.wait(time.Hour) // does not count
	s.must(s.host.Pause(s.now, false))
	if _, left := last[event.SeatLeft](s.seen); left {
		t.Error("Bob was left behind too early")
	}
	trickle(1000, 4)
	if _, left := last[event.SeatLeft](s.seen); !left {
		t.Error("after 30 s the others still stand and wait for Bob")
	}
}

// Players pause, and just before the frame at which they stand machines are found to
// differ: the resync waits behind the pause, however long that is.
func TestResyncBehindAPause(t *testing.T) {
	s := playing(t, 1, nil)
	bob := s.clients[0]
	s.host.Horizon(100)
	s.must(bob.Pause(s.now, true))
	s.pump()
	p := want[event.Decided](t, "Bob", bob.seen).Decision
	s.host.Horizon(p.Frame) // all stand there
	_, err := s.host.Decide(s.now, timeline.Decision{Kind: timeline.Resync, Machine: 0})
	s.must(err)
	s.wait(10 * time.Minute)
	if e, over := last[event.Ended](s.seen); over {
		t.Fatalf("%+v", e)
	}
	s.must(bob.Pause(s.now, false))
	s.pump()
	s.wait(29 * time.Second)
	if _, over := last[event.Ended](s.seen); over {
		t.Error("the time to get consoles has not begun with the end of the pause")
	}
	s.wait(2 * time.Second)
	want[event.Ended](t, "the game host, whose consoles never come", s.seen)
}

// Should a resync ever not be ended by a decision, the game ends: all would stand for ever.
func TestResyncThatCannotEnd(t *testing.T) {
	s := repairing(t, 1, 0)
	decisions := s.host.Decisions()
	for len(decisions) < timeline.MaxDecisions {
		decisions = append(decisions, timeline.Decision{Kind: timeline.SetDelay})
	}
	s.host.round.timeline = timeline.Continue(decisions, 0, s.host.round.timeline.Announced().Frame)
	s.must(s.host.Remade(s.now, 1, 1, s.built()))
	s.must(s.clients[0].Remade(s.now, 1, 1, s.built()))
	s.pump()
	says(t, "Bob", want[event.Ended](t, "Bob", s.clients[0].seen).Why, "cannot go on", "4096 decisions")
}

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
		s.goesOnWithout(t, "this moment is not kept", name+"'s computer did not get its consoles in time")
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
