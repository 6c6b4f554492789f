package host

import (
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
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
