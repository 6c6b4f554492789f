package host

import (
	"slices"
	"testing"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

func TestHashReports(t *testing.T) {
	s := playing(t, 2, nil)
	s.run()
	bob := s.clients[0]
	for frame := int64(1); frame <= 600; frame++ { // far more than other messages are allowed
		for seat := range 3 {
			s.must(bob.Hashes(s.now, 1, frame, []room.SeatHash{{Seat: ds.Seat(seat), Hash: ds.Hash{RAM: uint64(frame)}}}))
		}
	}
	s.pump()
	if got := count[event.HashReport](s.seen); got != 1800 {
		t.Errorf("%d of 1800 reports came", got)
	}
	if r := want[event.HashReport](t, "the game host", s.seen); r.Machine != 1 || r.Frame != 600 || r.Hashes[0] != (room.SeatHash{Seat: 2, Hash: ds.Hash{RAM: 600}}) {
		t.Errorf("the last report is %+v", r)
	}
}

// A game host that breaks the rules loses its clients, who say why.
func TestLiesOfTheGameHost(t *testing.T) {
	set, err := testSettings().Checked()
	must.Succeed(t, err)
	for name, tt := range map[string]struct {
		msg  message.Message
		says string
	}{
		"decision left out":       {&message.Decision{Round: 1, Number: 3, Decision: timeline.Decision{Kind: timeline.End}}, "out of turn"},
		"decision again":          {&message.Decision{Round: 1, Number: 1, Decision: timeline.Decision{Kind: timeline.End}}, "out of turn"},
		"start again":             {&message.Decision{Round: 1, Number: 2, Decision: timeline.Decision{Kind: timeline.Start}}, "starts twice"},
		"stranger leaves":         {&message.Decision{Round: 1, Number: 2, Decision: timeline.Decision{Kind: timeline.Leave, Seat: 9}}, "seat 10 leaves, but does not play"},
		"inputs after leaving":    {&message.Decision{Round: 1, Number: 2, Decision: timeline.Decision{Kind: timeline.Leave, Seat: 1, InputEnd: 5}}, "inputs up to frame 5"},
		"another game":            {&message.Decision{Round: 2, Number: 2, Decision: timeline.Decision{Kind: timeline.End}}, "out of turn"},
		"prepare in the middle":   {&message.Prepare{Round: 2, Settings: set, Seats: []room.SeatPlan{{Seat: 1, Machine: 1}}}, "is not over"},
		"begin again":             {&message.Begin{Round: 1, Horizon: 28, Decisions: []timeline.Decision{{Kind: timeline.Start}}}, "without having been prepared"},
		"a start that failed":     {&message.StartFailed{Round: 1}, "impossible"},
		"the end of another":      {&message.Ended{Round: 7, Outcome: message.OutcomeAborted}, "but we do not play it"},
		"a room without us":       {&message.Room{Room: room.Room{Settings: set, Phase: room.PhaseLobby, Players: []room.Player{{}}}}, "has not both"},
		"a client's words":        {&message.Status{}, "not for a game host to say"},
		"a welcome, again":        {&message.Welcome{Machine: 1, Seat: 1, Room: room.Room{Settings: set, Phase: room.PhaseLobby}}, "not asked for"},
		"a challenge, again":      {&message.Challenge{Speaker: room.Speaker{Protocol: message.Protocol, Program: "1"}}, "not asked for"},
		"a refusal, much later":   {&message.Refused{Speaker: room.Speaker{Protocol: message.Protocol, Program: "1"}, Refusal: room.Refusal{Code: room.CodeFull}}, "refused someone who is in the room"},
		"a roster out of order":   {&message.Room{Room: room.Room{Settings: set, Phase: room.PhaseLobby, Players: []room.Player{{Machine: 1, Seat: 1}, {}}}}, "seat 1 after seat 2"},
		"more players than seats": {&message.Room{Room: room.Room{Settings: func() room.Settings { s := set; s.Seats, s.MinPlayers = 2, 9; return s }(), Phase: room.PhaseLobby}}, "players needed"},
	} {
		t.Run(name, func(t *testing.T) {
			s := playing(t, 1, nil)
			bob := s.clients[0]
			b, err := message.Encode(tt.msg)
			s.must(err)
			bob.Receive(s.now, bob.id, b)
			s.pump()
			lost := want[event.RoomLost](t, "Bob", bob.seen)
			says(t, "Bob", lost.Words, "the game host's computer broke the rules of the room", tt.says)
			if bob.linked || count[event.SeatLeft](s.seen) != 1 {
				t.Error("the connection is left open")
			}
		})
	}
}

// A verdict reaches everybody before what is decided on it, as it was given, and within
// bounds.
func TestDifferIsTold(t *testing.T) {
	s := playing(t, 2, nil)
	if err := s.host.ReportDesync(s.now, message.Desync{Seat: 9, Machine: 1}); err == nil {
		t.Error("a seat that does not play differs")
	}
	s.must(s.host.ReportDesync(s.now, message.Desync{Frame: 120, Agreed: 500, Seat: 1, Machine: 2, Region: "main\x00 RAM"}))
	_, err := s.host.Decide(s.now, timeline.Decision{Kind: timeline.Resync})
	s.must(err)
	s.pump()
	for _, c := range s.clients {
		differ := slices.IndexFunc(c.seen, func(e event.Event) bool { _, ok := e.(event.DesyncFound); return ok })
		decided := slices.IndexFunc(c.seen, func(e event.Event) bool { d, ok := e.(event.Decided); return ok && d.Decision.Kind == timeline.Resync })
		if differ < 0 || decided < differ {
			t.Fatalf("%s: told as event %d, decided as event %d", c.Me().Nickname, differ, decided)
		}
		d := c.seen[differ].(event.DesyncFound).Desync
		if d.Frame != 120 || d.Agreed != 120 || d.Seat != 1 || d.Machine != 2 || d.Region != "main RAM" || d.Words == "" {
			t.Errorf("%s was told %+v", c.Me().Nickname, d)
		}
	}
}

func TestDesyncEndsTheGame(t *testing.T) {
	s := playing(t, 2, nil)
	if err := s.host.Desync(s.now, message.Desync{Seat: 9, Machine: 1}); err == nil {
		t.Error("a desync of nobody")
	}
	s.must(s.host.Desync(s.now, message.Desync{Frame: 120, Seat: 1, Machine: 2, Region: "main RAM"}))
	s.pump()
	for _, c := range s.clients {
		e := want[event.Ended](t, "a client", c.seen)
		if e.Outcome != message.OutcomeDesync || e.Desync == nil || e.Desync.Frame != 120 || e.Desync.Seat != 1 || e.Desync.Machine != 2 || c.Phase() != room.PhaseLobby {
			t.Errorf("%+v", e)
		}
		says(t, "a client", e.Why, "after frame 120", "main RAM of Bob's console", "on Carol's computer")
	}
	s.alike()
}
