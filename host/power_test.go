package host

import (
	"testing"

	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/timeline"
)

// A player switches on what is their own, and nobody else's; whoever asks too often is passed over.
func TestSwitchOn(t *testing.T) {
	s := playing(t, 2, nil)
	s.must(s.clients[0].SwitchOn(s.now, 1))
	s.pump()
	decided := func() (n int) {
		for _, d := range s.host.Decisions() {
			if d.Kind == timeline.SwitchOn {
				n++
			}
		}
		return n
	}
	if decided() != 1 || s.host.Decisions()[len(s.host.Decisions())-1].Seat != 1 {
		t.Fatalf("decisions %+v", s.host.Decisions())
	}
	if err := s.host.SwitchOn(s.now, 1); err == nil {
		t.Error("the game host switches on a console that somebody plays")
	}
	if err := s.host.SwitchOn(s.now, 9); err == nil {
		t.Error("the game host switches on a console that does not play")
	}
	s.must(s.host.SwitchOn(s.now, 0))
	for range 100 {
		_ = s.clients[0].SwitchOn(s.now, 1)
	}
	s.pump()
	if n := decided(); n > 20 {
		t.Errorf("%d decisions by one player in no time", n)
	}
	before := decided()
	b, err := message.Encode(&message.SwitchOn{Round: 1, Seat: 1})
	s.must(err)
	s.host.Receive(s.now, s.clients[1].id, b)
	if n := decided(); n != before {
		t.Errorf("a player switches on another's console: %d decisions, were %d", n, before)
	}
}
