package host

import (
	"testing"

	"github.com/nettplay/nettplay/host/event"
)

func keeps(events []event.Event) (list []event.SaveCommit) {
	for _, e := range events {
		if k, ok := e.(event.SaveCommit); ok {
			list = append(list, k)
		}
	}
	return list
}

// Saves become current when all machines have written theirs, and not before.
func TestKeepInTwoSteps(t *testing.T) {
	s := playing(t, 2, nil)
	bob, carol := s.clients[0], s.clients[1]
	s.must(s.host.CommitSaves(s.now, 120))
	s.must(s.host.CommitSaves(s.now, 180)) // too early
	s.pump()
	s.must(s.host.SavesWritten(s.now, 1, 120, ""))
	s.must(bob.SavesWritten(s.now, 1, 120, ""))
	s.must(bob.SavesWritten(s.now, 1, 60, ""))
	s.pump()
	if k := keeps(bob.seen); len(k) != 1 || k[0] != (event.SaveCommit{Frame: 120}) {
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
		if k := keeps(seen); len(k) != 2 || k[1] != (event.SaveCommit{Frame: 120, Commit: true}) {
			t.Errorf("%+v", k)
		}
	}
}

// A save that one machine cannot write is committed by none, and the room says so; the next
// time all may.
func TestKeepThatFails(t *testing.T) {
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
	if k := keeps(bob.seen); k[len(k)-1] != (event.SaveCommit{Frame: 120, Commit: true}) {
		t.Errorf("Bob was told %+v", k)
	}
	s.must(bob.SavesCommitted(s.now, 1, 120))
	s.pump()
	if k := keeps(s.seen); len(k) != 2 || !k[1].Commit {
		t.Errorf("when Bob's is current: %+v", k)
	}
}
