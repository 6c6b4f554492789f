package host

import (
	"fmt"
	"testing"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// A client that lies in a game loses its connection; the game goes on.
func TestLiesWhilePlaying(t *testing.T) {
	seat := []room.SeatHash{{Seat: 1}}
	for name, msgs := range map[string][]message.Message{
		"hashes of the future":      {&message.Hashes{Round: 1, Frame: 1000, Hashes: seat}},
		"hashes twice":              {&message.Hashes{Round: 1, Frame: 60, Hashes: seat}, &message.Hashes{Round: 1, Frame: 60, Hashes: seat}},
		"hashes of the past":        {&message.Hashes{Round: 1, Frame: 60, Hashes: seat}, &message.Hashes{Round: 1, Frame: 30, Hashes: seat}},
		"hashes of nobody":          {&message.Hashes{Round: 1, Frame: 60, Hashes: []room.SeatHash{{Seat: 7}}}},
		"hashes of nothing":         {&message.Hashes{Round: 1, Frame: 60, Hashes: nil}},
		"finished early":            {&message.Finished{Round: 1, Frames: 50}},
		"finished beyond the end":   {&message.Finished{Round: 1, Frames: 9999}},
		"installed again":           {&message.Installed{Round: 1, Hashes: []room.SeatHash{{Seat: 0}, {Seat: 1}, {Seat: 2}}}},
		"a decision of its own":     {&message.Decision{Round: 1, Number: 2, Decision: timeline.Decision{Kind: timeline.End, Frame: 5}}},
		"a game that never was":     {&message.Hashes{Round: 3, Frame: 60, Hashes: seat}},
		"the room's own words":      {&message.ChatLine{Seat: -1, Text: "Ann is gone"}},
		"finished with a stranger":  {&message.Finished{Round: 1, Frames: 1, Hashes: []room.SeatHash{{Seat: 7}}}},
		"an end, and then the rest": {&message.Leave{}, &message.Hashes{Round: 1, Frame: 60, Hashes: seat}},
	} {
		t.Run(name, func(t *testing.T) {
			s := playing(t, 2, nil)
			s.host.Horizon(100)
			for _, m := range msgs {
				b, err := message.Encode(m)
				s.must(err)
				s.host.Receive(s.now, s.clients[0].id, b)
			}
			s.pump()
			if s.clients[0].linked || count[event.SeatLeft](s.seen) != 1 {
				t.Errorf("linked %v, seats left %d", s.clients[0].linked, count[event.SeatLeft](s.seen))
			}
			if s.host.Phase() != room.PhasePlaying || s.clients[1].Phase() != room.PhasePlaying {
				t.Error("the others do not play on")
			}
		})
	}
}

func TestFinishedWithTooManyFrames(t *testing.T) {
	s := playing(t, 2, nil)
	s.run()
	if err := s.host.Finished(s.now, 1, 601, nil, message.Stats{}); err == nil {
		t.Error("a game of 600 frames was finished after 601")
	}
	s.must(s.host.Finished(s.now, 1, 600, nil, message.Stats{}))
}

// A client that is asked for what cannot be says why and leaves.
func TestPrepareThatCannotBe(t *testing.T) {
	set, err := testSettings().Checked()
	must.Succeed(t, err)
	us, other := room.SeatPlan{Seat: 1, Machine: 1}, room.SeatPlan{Seat: 1, Machine: 2}
	for name, tt := range map[string]struct {
		msgs []message.Message
		says string
	}{
		"without our seat": {[]message.Message{&message.Prepare{Round: 1, Settings: set, Seats: []room.SeatPlan{{}, other}}}, "does not have our seat"},
		"a seat twice":     {[]message.Message{&message.Prepare{Round: 1, Settings: set, Seats: []room.SeatPlan{us, us}}}, "seat 2 after seat 2"},
		"a game again":     {[]message.Message{&message.Prepare{Round: 5, Settings: set, Seats: []room.SeatPlan{us}}, &message.StartFailed{Round: 5}, &message.Prepare{Round: 5, Settings: set, Seats: []room.SeatPlan{us}}}, "game 5, but game 5 is not over"},
		"begin too early":  {[]message.Message{&message.Prepare{Round: 1, Settings: set, Seats: []room.SeatPlan{us}}, &message.Begin{Round: 1, Horizon: 28, Decisions: []timeline.Decision{{Kind: timeline.Start}}}}, "without having been prepared"},
		"end too early":    {[]message.Message{&message.Prepare{Round: 1, Settings: set, Seats: []room.SeatPlan{us}}, &message.Ended{Round: 1, Outcome: message.OutcomeFinished}}, "impossible"},
		"a roster with a seat twice": {[]message.Message{&message.Room{Room: room.Room{Settings: set, Phase: room.PhaseLobby, Players: []room.Player{
			{}, {Machine: 1, Seat: 1}, {Machine: 2, Seat: 1},
		}}}}, "seat 2 after seat 2"},
	} {
		t.Run(name, func(t *testing.T) {
			s := lobby(t, 1, nil)
			for i, m := range tt.msgs {
				b, err := message.Encode(m)
				s.must(err)
				s.clients[0].Receive(s.now, s.clients[0].id, b)
				if closed := s.clients[0].Phase() == room.PhaseClosed; closed != (i == len(tt.msgs)-1) {
					t.Fatalf("after message %d closed is %v", i, closed)
				}
			}
			s.pump()
			says(t, "Bob", want[event.RoomLost](t, "Bob", s.clients[0].seen).Words, tt.says)
		})
	}
}

// A game host that gives no reason for what it does leaves no sentence without an end.
func TestNoReasonGiven(t *testing.T) {
	for _, m := range []message.Message{&message.Closed{Reason: message.ClosedByHost}, &message.StartFailed{Round: 1}} {
		s := lobby(t, 1, nil)
		set, err := testSettings().Checked()
		s.must(err)
		bob := s.clients[0]
		for _, m := range []message.Message{&message.Prepare{Round: 1, Settings: set, Seats: []room.SeatPlan{{Seat: 1, Machine: 1}}}, m} {
			b, err := message.Encode(m)
			s.must(err)
			bob.Receive(s.now, bob.id, b)
		}
		said := fmt.Sprint(bob.Events())
		says(t, "Bob", said, "gives no reason")
	}
}

// A kind of decision that this version does not know cannot be passed over.
func TestUnknownDecision(t *testing.T) {
	s := playing(t, 1, nil)
	b, err := message.Encode(&message.Decision{Round: 1, Number: 2, Decision: timeline.Decision{Kind: timeline.End, Frame: 5}})
	s.must(err)
	b[3] = 76 // its lowest value is 1
	bob := s.clients[0]
	bob.Receive(s.now, bob.id, b)
	says(t, "Bob", want[event.RoomLost](t, "Bob", bob.Events()).Words, "kind 77 is not known to this version of nettplay")
}

func TestFloodOfTheGameHost(t *testing.T) {
	s := lobby(t, 1, nil)
	bob := s.clients[0]
	b, err := message.Encode(&message.ChatLine{Seat: 0, Name: "Ann", Text: "x"})
	s.must(err)
	for range 10_000 {
		bob.Receive(s.now, bob.id, b)
	}
	says(t, "Bob", want[event.RoomLost](t, "Bob", bob.Events()).Words, "more than anyone has to say")
}
