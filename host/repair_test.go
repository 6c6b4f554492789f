package host

import (
	"testing"
	"time"
)

// repairing makes a room with n clients whose consoles are to be made anew from a
// machine's.
func repairing(t *testing.T, n, donor int) *sim {
	t.Helper()
	s := playing(t, n, nil)
	s.host.Horizon(100)
	d, err := s.host.Decide(s.now, Decision{Kind: Resync, Machine: donor, Why: "Bob differs"})
	s.must(err)
	s.pump()
	for _, c := range s.clients {
		if e := want[Decided](t, "a client", c.seen); e.Decision != d || d.Machine != donor {
			t.Fatalf("%+v became %+v", d, e.Decision)
		}
	}
	return s
}

func TestPauseIsForAll(t *testing.T) {
	s := playing(t, 2, nil)
	s.must(s.clients[1].Pause(s.now, true))
	s.pump()
	s.must(s.clients[0].Pause(s.now, true)) // was slower
	s.pump()
	d := s.host.Decisions()
	if last := d[len(d)-1]; last.Kind != Pause || len(d) != 3 {
		t.Fatalf("%+v", d)
	}
	s.must(s.host.Pause(s.now, false))
	s.pump()
	for _, c := range s.clients {
		if e := want[Decided](t, "a client", c.seen); e.Decision.Kind != Resume {
			t.Errorf("%+v", e)
		}
	}
}

func TestResync(t *testing.T) {
	s := repairing(t, 2, 1)
	if _, err := s.host.Decide(s.now, Decision{Kind: Resync, Machine: 2}); err == nil {
		t.Error("a second resync was decided amid the first")
	}
	hashes := s.built()
	s.must(s.clients[0].Repaired(s.now, 1, 1, hashes))
	s.must(s.clients[1].Repaired(s.now, 1, 1, hashes))
	s.pump()
	if d := s.host.Decisions(); d[len(d)-1].Kind != Resync {
		t.Fatalf("the game goes on without the game host's consoles: %+v", d)
	}
	s.must(s.host.Repaired(s.now, 1, 1, hashes))
	s.pump()
	for _, c := range s.clients {
		if e := want[Decided](t, "a client", c.seen); e.Decision.Kind != Resynced {
			t.Errorf("%+v", e)
		}
	}
	if err := s.host.Repaired(s.now, 1, 1, hashes); err == nil {
		t.Error("a resync that is over can be answered")
	}
}

func TestResyncThatComesOutDifferent(t *testing.T) {
	s := repairing(t, 1, 0)
	bad := s.built()
	bad[1].Air++
	s.must(s.host.Repaired(s.now, 1, 1, s.built()))
	s.must(s.clients[0].Repaired(s.now, 1, 1, bad))
	s.pump()
	e := want[Ended](t, "Bob", s.clients[0].seen)
	if e.Outcome != OutcomeDesync {
		t.Fatalf("%+v", e)
	}
	says(t, "Bob", e.Why, "alike again", "the radio")
}

// Whoever leaves amid a resync stops nobody, but for the one whose consoles all
// were to take.
func TestLeavingAmidResync(t *testing.T) {
	s := repairing(t, 2, 0)
	hashes := s.built()
	s.must(s.host.Repaired(s.now, 1, 1, hashes))
	s.must(s.clients[0].Repaired(s.now, 1, 1, hashes))
	s.pump()
	s.clients[1].vanish()
	s.pump()
	if e := want[Decided](t, "Bob", s.clients[0].seen); e.Decision.Kind != Resynced {
		t.Errorf("Bob was told %+v", e)
	}

	s = repairing(t, 2, 2)
	s.clients[1].vanish()
	s.pump()
	if e := want[Decided](t, "Bob", s.clients[0].seen); e.Decision.Kind != Resync || e.Decision.Machine != 1 {
		t.Errorf("Bob was told %+v", e)
	}
	hashes = s.built()
	s.must(s.clients[0].Repaired(s.now, 1, 2, hashes))
	s.must(s.host.Repaired(s.now, 1, 2, hashes))
	s.pump()
	if e := want[Decided](t, "Bob", s.clients[0].seen); e.Decision.Kind != Resynced {
		t.Errorf("Bob was told %+v", e)
	}

	s = repairing(t, 2, 2)
	s.clients[0].Leave(s.now, "") // the game host's own consoles are the wrong ones
	s.pump()
	s.clients[1].vanish()
	s.pump()
	e := want[Ended](t, "the game host", s.seen)
	if e.Outcome != OutcomeAborted {
		t.Fatalf("%+v", e)
	}
	says(t, "the game host", e.Why, "Carol", "take its consoles")
}

func TestResyncThatTakesTooLong(t *testing.T) {
	s := repairing(t, 2, 0)
	hashes := s.built()
	s.must(s.host.Repaired(s.now, 1, 1, hashes))
	s.must(s.clients[0].Repaired(s.now, 1, 1, hashes))
	s.pump()
	s.wait(40 * time.Second)
	if e := want[Decided](t, "Bob", s.clients[0].seen); e.Decision.Kind != Resynced {
		t.Errorf("Bob was told %+v", e)
	}
	if left := want[SeatLeft](t, "the game host", s.seen); left.Machine != 2 {
		t.Errorf("%+v", left)
	}
}

// A machine whose consoles are gone asks for those of another.
func TestBroken(t *testing.T) {
	s := playing(t, 1, nil)
	s.must(s.clients[0].Broken(s.now, 1, "the core crashed"))
	s.pump()
	e := want[Broken](t, "the game host", s.seen)
	if e.Machine != 1 {
		t.Fatalf("%+v", e)
	}
	says(t, "the game host", e.Words, "Bob", "the core crashed")
}
