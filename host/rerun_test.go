package host

import (
	"testing"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
)

// The hashes of a rerun come to the game host, also after the game; a machine that speaks of
// a game that never was breaks the rules. The room's sentence about them comes to all.
func TestRerun(t *testing.T) {
	s := playing(t, 2, nil)
	bob, carol := s.clients[0], s.clients[1]
	sent := message.Rerun{Round: 1, Seat: 2, From: 90, Trace: []message.TraceHash{{RAM: 1, SRAM: 2, Video: 3, Air: 4}, {RAM: 5, SRAM: 6, Video: 7, Air: 8}}}
	s.must(bob.Reran(s.now, sent))
	s.pump()
	if e := want[event.Reran](t, "the game host", s.seen); e.Machine != 1 || e.Rerun.From != 90 || len(e.Rerun.Trace) != 2 || e.Rerun.Trace[1] != sent.Trace[1] {
		t.Errorf("%+v", e)
	}
	s.must(s.host.Abort(s.now, "enough"))
	s.pump()
	s.must(carol.Reran(s.now, sent))
	s.host.Tell(s.now, "Bob's machine is odd")
	s.pump()
	if e := want[event.Reran](t, "the game host", s.seen); e.Machine != 2 {
		t.Errorf("%+v", e)
	}
	if l := want[event.ChatLine](t, "Bob", bob.seen); l.Text != "Bob's machine is odd" || l.Name != "" {
		t.Errorf("Bob was told %+v", l)
	}
	sent.Round = 2
	s.must(bob.Reran(s.now, sent))
	s.pump()
	says(t, "the game host", want[event.PlayerLeft](t, "the game host", s.seen).Words, "Bob", "game 2 again")
}
