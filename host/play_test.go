package host

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// run promises horizons up to the end, as the game host's session does.
func (s *sim) run() { s.host.Horizon(600) }

func (s *sim) finish(but ...*simClient) {
	s.t.Helper()
	s.run()
	round := s.host.Room().Round
	for i, c := range s.clients {
		if c.plays() && !slices.Contains(but, c) {
			s.must(c.Finished(s.now, round, 600, s.built(), message.Stats{Stalls: int64(i + 1)}))
		}
	}
	s.pump()
	s.must(s.host.Finished(s.now, round, 600, s.built(), message.Stats{Stalls: 100, StallTime: time.Second}))
	s.pump()
}

func TestGameToItsEnd(t *testing.T) {
	s := playing(t, 3, nil)
	s.finish(s.clients[2])
	if s.host.Phase() != room.PhasePlaying || count[event.Ended](s.clients[0].seen) > 0 {
		t.Fatal("the game ended before all had finished, and so would nobody serve Dave's inputs")
	}
	s.must(s.clients[2].Finished(s.now, 1, 600, nil, message.Stats{}))
	s.pump()
	mine := want[event.Ended](t, "the game host", s.seen)
	if mine.Outcome != message.OutcomeFinished || mine.Why != "all frames are played" || len(mine.Results) != 4 {
		t.Fatalf("%+v", mine)
	}
	for i, r := range mine.Results {
		if r.Machine != i || !r.Finished || r.Frames != 600 {
			t.Errorf("result %+v", r)
		}
	}
	if r := mine.Results[2]; r.Nickname != "Carol" || r.Stats.Stalls != 2 || !slices.Equal(r.Hashes, s.built()) {
		t.Errorf("Carol's result is %+v", r)
	}
	for _, c := range s.clients {
		got := want[event.Ended](t, "a client", c.seen)
		a, _ := message.Encode((*message.Ended)(&got))
		b, _ := message.Encode((*message.Ended)(&mine))
		if string(a) != string(b) || c.Phase() != room.PhaseLobby || c.Me().Ready || c.Decisions() != nil {
			t.Errorf("%s was told %+v in phase %v", c.Me().Nickname, got, c.Phase())
		}
	}
	s.alike()

	s.ready()
	s.prepare()
	s.install()
	s.finish()
	if e := want[event.Ended](t, "Bob", s.clients[0].seen); e.Round != 2 || e.Outcome != message.OutcomeFinished {
		t.Errorf("a second game ended with %+v", e)
	}
}

func TestDecisionsReachEveryone(t *testing.T) {
	s := playing(t, 2, nil)
	h := s.host.Horizon(100)
	d, err := s.host.Decide(s.now, timeline.Decision{Kind: timeline.SetDelay, Frame: 50, Delay: 8, Seat: 9, Why: "the line\x00 got slower"})
	s.must(err)
	if want := (timeline.Decision{Kind: timeline.SetDelay, Frame: h.Frame, Delay: 8, Why: "the line got slower"}); d != want {
		t.Errorf("decided %+v, want %+v", d, want)
	}
	later, err := s.host.Decide(s.now, timeline.Decision{Kind: timeline.SetDelay, Frame: h.Frame + 500, Delay: 2})
	s.must(err)
	if later.Frame != h.Frame+500 {
		t.Errorf("a decision for later came to frame %d", later.Frame)
	}
	s.pump()
	for _, c := range s.clients {
		if got := c.Decisions(); !slices.Equal(got, s.host.Decisions()) || len(got) != 4 {
			t.Errorf("%s knows of %+v", c.Me().Nickname, got)
		}
		if e := want[event.Decided](t, "a client", c.seen); e.Number != 3 || e.Decision != later {
			t.Errorf("%s was told %+v", c.Me().Nickname, e)
		}
	}
	if got := s.host.Horizon(100); got.Decisions != 4 {
		t.Errorf("the horizon speaks of %d decisions", got.Decisions)
	}
	for _, bad := range []timeline.Decision{{Kind: timeline.Start}, {Kind: 9}, {Kind: timeline.SetDelay, Delay: 31}, {Kind: timeline.Leave, Seat: 1}, {Kind: timeline.Leave, Seat: 9}, {Kind: timeline.End, Frame: ds.MaxFrame + 1}} {
		if d, err := s.host.Decide(s.now, bad); err == nil {
			t.Errorf("decided %+v", d)
		}
	}
	if n := len(s.host.Decisions()); n != 4 {
		t.Errorf("what could not be decided is on the timeline: %d", n)
	}
}

func TestEndEarlier(t *testing.T) {
	s := playing(t, 1, nil)
	s.host.Horizon(100)
	d, err := s.host.End(s.now, "time for bed")
	s.must(err)
	s.pump()
	bob := s.clients[0]
	if d.Frame != 100+timeline.Margin(4) || !slices.Contains(bob.Decisions(), d) {
		t.Errorf("the end is %+v", d)
	}
	s.must(bob.Finished(s.now, 1, d.Frame, s.built(), message.Stats{}))
	s.must(s.host.Finished(s.now, 1, d.Frame, s.built(), message.Stats{}))
	s.pump()
	if e := want[event.Ended](t, "Bob", bob.seen); e.Outcome != message.OutcomeFinished || e.Why != "time for bed" {
		t.Errorf("ended with %+v", e)
	}
}

// Any player may go in the middle of a game, in any way: the others play on.
func TestSomeoneGoesWhilePlaying(t *testing.T) {
	for name, tt := range map[string]struct {
		do    func(s *sim, c *simClient)
		words string
		stays bool
	}{
		"vanishes":     {func(_ *sim, c *simClient) { c.vanish() }, "Carol lost the connection (timed out)", false},
		"leaves":       {func(s *sim, c *simClient) { c.Leave(s.now, "bus"); s.pump() }, "Carol left the room (bus)", false},
		"is removed":   {func(s *sim, c *simClient) { s.must(s.host.Kick(s.now, 2, "", false)); s.pump() }, "Carol was removed", false},
		"is silent":    {func(s *sim, c *simClient) { c.mute = true; s.wait(91 * time.Second) }, "Carol did not come back within 1 minute", false},
		"breaks rules": {func(s *sim, c *simClient) { s.host.Receive(s.now, c.id, []byte{99}); s.pump() }, "Carol was dropped: the computer broke the rules", false},
		"crashes":      {func(s *sim, c *simClient) { s.must(c.Failed(s.now, 1, room.CauseOther, "the core hung")); s.pump() }, "Carol's computer failed: the core hung", true},
	} {
		t.Run(name, func(t *testing.T) {
			s := playing(t, 3, nil)
			s.host.Horizon(100)
			carol := s.clients[1]
			tt.do(s, carol)
			gone := want[event.SeatLeft](t, "the game host", s.seen)
			says(t, "the game host", gone.Words, tt.words)
			if gone.Seat != 2 || gone.Machine != 2 || s.host.Phase() != room.PhasePlaying {
				t.Fatalf("%+v in phase %v", gone, s.host.Phase())
			}
			if !chatted(s.clients[0].seen, tt.words) {
				t.Error("Bob is not told")
			}
			if got := count[event.PlayerLeft](s.seen) == 0; got != tt.stays {
				t.Errorf("stays %v", got)
			}
			d, err := s.host.Decide(s.now, timeline.Decision{Kind: timeline.Leave, Seat: 2, InputEnd: 110, Why: gone.Words})
			s.must(err)
			s.pump()
			if d.Frame != 100+timeline.Margin(4) || d.InputEnd != 110 || !slices.Contains(s.clients[0].Decisions(), d) {
				t.Errorf("decided %+v; Bob knows %+v", d, s.clients[0].Decisions())
			}
			if _, err := s.host.Decide(s.now, timeline.Decision{Kind: timeline.Leave, Seat: 2}); err == nil {
				t.Error("the seat left twice")
			}
			s.alike()
			if p := s.clients[0].Room().Players[2]; p.Present != tt.stays {
				t.Errorf("while the game goes on Bob sees %+v", p)
			}
			if err := carol.Finished(s.now, 1, 600, nil, message.Stats{}); !errors.Is(err, room.ErrPhase) {
				t.Errorf("who is out of the game finished it: %v", err)
			}
			if tt.stays { // it says that it has finished, all the same
				b, err := message.Encode(&message.Finished{Round: 1, Frames: 10})
				s.must(err)
				s.host.Receive(s.now, carol.id, b)
			}
			s.finish(carol)
			e := want[event.Ended](t, "Bob", s.clients[0].seen)
			if r := e.Results[2]; r.Finished || !strings.Contains(r.Why, tt.words) || !e.Results[1].Finished {
				t.Errorf("results %+v", e.Results)
			}
			if n := len(s.host.Roster()); (n == 4) != tt.stays {
				t.Errorf("after the game %d are there", n)
			}
			s.alike()
		})
	}
}

func TestInputEndIsNotBeyondTheFrame(t *testing.T) {
	s := playing(t, 2, nil)
	s.clients[0].vanish()
	d, err := s.host.Decide(s.now, timeline.Decision{Kind: timeline.Leave, Seat: 1, InputEnd: 1000})
	s.must(err)
	if d.InputEnd != d.Frame {
		t.Errorf("%+v", d)
	}
}

// Nobody waits for who is gone, nor for ever for who does not come to the end.
func TestEndWithoutTheLost(t *testing.T) {
	t.Run("all others lost", func(t *testing.T) {
		s := playing(t, 2, nil)
		s.clients[0].Leave(s.now, "")
		s.pump()
		s.clients[1].vanish()
		s.run()
		s.must(s.host.Finished(s.now, 1, 600, s.built(), message.Stats{}))
		if e := want[event.Ended](t, "the game host", s.host.Events()); e.Outcome != message.OutcomeFinished || e.Results[1].Finished {
			t.Errorf("%+v", e)
		}
	})
	t.Run("lost at the end", func(t *testing.T) {
		s := playing(t, 2, nil)
		s.finish(s.clients[1])
		left := count[event.SeatLeft](s.seen)
		s.clients[1].vanish()
		e := want[event.Ended](t, "Bob", s.clients[0].seen)
		if e.Results[2].Finished || !e.Results[1].Finished || count[event.SeatLeft](s.seen) != left {
			t.Errorf("%+v, seats left %d", e, count[event.SeatLeft](s.seen))
		}
	})
	t.Run("lost after finishing", func(t *testing.T) {
		s := playing(t, 2, nil)
		s.finish(s.clients[1])
		s.clients[0].vanish() // its result counts
		s.must(s.clients[1].Finished(s.now, 1, 600, nil, message.Stats{}))
		s.pump()
		if e := want[event.Ended](t, "Carol", s.clients[1].seen); !e.Results[1].Finished || e.Results[1].Stats.Stalls != 1 {
			t.Errorf("%+v", e.Results)
		}
	})
	t.Run("the game host is slow", func(t *testing.T) {
		s := playing(t, 2, nil)
		s.run()
		for _, c := range s.clients {
			s.must(c.Finished(s.now, 1, 600, nil, message.Stats{}))
		}
		s.wait(5 * time.Minute)
		if s.host.Phase() != room.PhasePlaying {
			t.Error("a client's word ended the game for the game host")
		}
	})
	t.Run("never comes", func(t *testing.T) {
		s := playing(t, 2, nil)
		s.finish(s.clients[1])
		s.wait(29 * time.Second)
		if s.host.Phase() != room.PhasePlaying {
			t.Fatal("too early")
		}
		s.wait(2 * time.Second)
		e := want[event.Ended](t, "Carol", s.clients[1].seen)
		says(t, "all", e.Results[2].Why, "Carol's computer did not come to the end of the game within 30 seconds")
	})
}

func TestGameHostsMachineFails(t *testing.T) {
	s := playing(t, 2, nil)
	s.must(s.host.Failed(s.now, 1, room.CauseOther, "the core crashed (signal 11)"))
	s.pump()
	e := want[event.Ended](t, "Bob", s.clients[0].seen)
	if e.Outcome != message.OutcomeAborted || s.clients[0].Phase() != room.PhaseLobby {
		t.Errorf("%+v in phase %v", e, s.clients[0].Phase())
	}
	says(t, "Bob", e.Why, "Ann's computer failed: the core crashed (signal 11)")
}

func TestRoomClosesWhilePlaying(t *testing.T) {
	s := playing(t, 2, nil)
	s.host.Close(s.now, "good night")
	s.pump()
	for _, c := range s.clients {
		if e := want[event.Ended](t, "a client", c.seen); e.Outcome != message.OutcomeAborted {
			t.Errorf("%+v", e)
		}
		says(t, "a client", want[event.RoomClosed](t, "a client", c.seen).Words, "good night")
	}
}

// The game host vanishes: each client is told.
func TestGameHostVanishes(t *testing.T) {
	s := playing(t, 2, nil)
	for _, c := range s.clients {
		c.Disconnected(s.now, c.id+100, "another line")
		c.Disconnected(s.now, c.id, "timed out")
		says(t, "a client", want[event.RoomLost](t, "a client", c.Events()).Words, "the connection to the game host Ann was lost (timed out)")
		if c.Phase() != room.PhaseClosed || c.Decisions() != nil {
			t.Errorf("phase %v", c.Phase())
		}
	}
}

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
