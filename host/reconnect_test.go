package host

import (
	"math"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/membership"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
)

// cut breaks a client's connection; each side may or may not have noticed.
func (c *simClient) cut(hostNotices, clientNotices bool) {
	c.linked = false
	if hostNotices {
		c.s.host.Lost(c.s.now, c.id, "silent")
	}
	if clientNotices {
		c.Lost(c.s.now, c.id, "silent")
	}
	c.s.pump()
}

// back gives a client a new connection, from another address.
func (c *simClient) back() {
	c.id += 100
	c.linked = true
	c.s.host.Connected(c.s.now, c.id, "198.51.100.7:1")
	c.Connected(c.s.now, c.id)
	c.s.pump()
}

func TestLineComesBack(t *testing.T) {
	for _, noticed := range []bool{true, false} {
		s := playing(t, 2, nil)
		bob := s.clients[0]
		s.host.Horizon(100)
		bob.cut(noticed, true)
		want[event.ConnectionLost](t, "Bob", bob.seen)
		if bob.Phase() != room.PhasePlaying || len(s.host.Roster()) != 3 || !s.host.Roster()[1].Present {
			t.Fatalf("Bob sees the room %v, the roster is %+v", bob.Phase(), s.host.Roster())
		}
		if _, there := s.host.Peer(1); there && noticed {
			t.Error("the game host sends to a line that is gone")
		}
		_, err := s.host.Decide(s.now, timeline.Decision{Kind: timeline.SetDelay, Delay: 7})
		s.must(err)
		s.wait(30 * time.Second)
		bob.back()
		want[event.Reconnected](t, "Bob", bob.seen)
		if e := want[event.PlayerReconnected](t, "the game host", s.seen); e.Machine != 1 {
			t.Errorf("%+v", e)
		}
		if e := want[event.Decided](t, "Bob", bob.seen); e.Decision.Kind != timeline.SetDelay || count[event.Decided](bob.seen) != 1 {
			t.Errorf("Bob missed a decision: %+v", e)
		}
		if id, _ := s.host.Peer(1); id != bob.id {
			t.Errorf("Bob is at line %d, the game host sends to %d", bob.id, id)
		}
		if count[event.SeatLeft](s.seen) != 0 {
			t.Error("Bob's seat was given up")
		}
		s.finish()
		if e := want[event.Ended](t, "Bob", bob.seen); e.Outcome != message.OutcomeFinished || !e.Results[1].Finished {
			t.Errorf("%+v", e)
		}
	}
}

// A client that follows a game host as the one that was named finds it elected in a later
// term, when that one had not heard that it was named; but never in an earlier epoch, nor in
// one that nobody can have reached.
func TestBackIntoALaterEpoch(t *testing.T) {
	for _, tt := range []struct {
		known, found uint32
		back         bool
	}{
		{1, membership.NextTerm(1), true},
		{1, 1, true},
		{2, 1, false},
		{1, math.MaxUint32, false},
	} {
		s := playing(t, 2, nil)
		bob := s.clients[0]
		for _, epoch := range []uint32{tt.known, tt.found} {
			bob.cut(true, true)
			bob.seen, s.host.lead.epoch = nil, epoch
			bob.back()
		}
		if back := count[event.Reconnected](bob.seen) > 0; back != tt.back {
			t.Errorf("known is epoch %d, found %d: is he back? %v", tt.known, tt.found, back)
		} else if back && bob.Room().Epoch != tt.found {
			t.Errorf("Bob is back in epoch %d of %d", bob.Room().Epoch, tt.found)
		}
	}
}

// Messages on the old connection that may be lost are said again, and count once.
func TestSaidOnABrokenLine(t *testing.T) {
	for _, lost := range []bool{true, false} {
		s := playing(t, 1, nil)
		bob := s.clients[0]
		s.run()
		bob.mute = lost
		s.must(bob.Finished(s.now, 1, 600, s.built(), message.Stats{}))
		s.pump()
		bob.mute = false
		bob.cut(true, true)
		bob.back()
		s.must(s.host.Finished(s.now, 1, 600, s.built(), message.Stats{}))
		s.pump()
		if e := want[event.Ended](t, "Bob", bob.seen); e.Outcome != message.OutcomeFinished || !e.Results[1].Finished {
			t.Errorf("%+v", e)
		}
	}
}

// A save that all have written becomes current also for who was away at that moment.
func TestCommitWhileDisconnected(t *testing.T) {
	s := playing(t, 1, nil)
	bob := s.clients[0]
	s.must(s.host.CommitSaves(s.now, 120))
	s.pump()
	s.must(bob.SavesWritten(s.now, 1, 120, ""))
	s.pump()
	bob.cut(true, true)
	s.must(s.host.SavesWritten(s.now, 1, 120, ""))
	s.pump()
	bob.back()
	if k := keeps(bob.seen); k[len(k)-1] != (event.SaveOrder{Frame: 120, Commit: true}) {
		t.Errorf("%+v", k)
	}
}

func TestDisconnectedForTooLong(t *testing.T) {
	s := playing(t, 2, nil)
	bob := s.clients[0]
	bob.cut(true, true)
	s.wait(59 * time.Second)
	if count[event.SeatLeft](s.seen) != 0 || count[event.RoomLost](bob.seen) != 0 {
		t.Fatal("nobody waited")
	}
	s.wait(2 * time.Second)
	if e := want[event.SeatLeft](t, "the game host", s.seen); e.Machine != 1 {
		t.Errorf("%+v", e)
	}
	says(t, "Bob", want[event.RoomLost](t, "Bob", bob.seen).Words, "disconnected for too long")
}

func TestGoOnWithout(t *testing.T) {
	s := playing(t, 2, nil)
	if err := s.host.ContinueWithout(s.now, 1); err == nil {
		t.Error("a player who is there was left behind")
	}
	bob := s.clients[0]
	bob.cut(true, true)
	s.must(s.host.ContinueWithout(s.now, 1))
	s.pump()
	want[event.SeatLeft](t, "the game host", s.seen)
	bob.back()
	says(t, "Bob", want[event.RoomLost](t, "Bob", bob.seen).Words, "does not wait for you")
}

// Nobody else gets in by saying that he was there.
func TestFalseReturn(t *testing.T) {
	s := playing(t, 1, nil)
	s.clients[0].cut(true, false)
	key, err := membership.NewKey(s.random)
	s.must(err)
	say := func(m message.Message) []byte {
		b, err := message.Encode(m)
		s.must(err)
		s.host.Receive(s.now, 9, b)
		return b
	}
	s.host.Connected(s.now, 9, "10.0.0.1:7000")
	hello := say(&message.Hello{Speaker: room.Speaker{Protocol: message.Protocol}})
	m := &message.Reconnect{Machine: 1, Round: 1}
	unsigned, err := message.Encode(m)
	s.must(err)
	said := membership.Transcript(hello, s.host.Outgoing()[0].Data, unsigned, membership.SignSize)
	m.Proof = membership.Sign(key, membership.Signed(membership.LabelReconnect, said))
	say(m)
	if answer, err := message.Decode(s.host.Outgoing()[0].Data); err != nil || answer.(*message.Refused).Code != room.CodeGone {
		t.Errorf("the answer is %+v, %v", answer, err)
	}
	s.pump()
	if _, there := s.host.Peer(1); there || count[event.PlayerReconnected](s.seen) > 0 {
		t.Error("a stranger is let in as Bob")
	}
}

// A player who comes back when the game is over is in the lobby, or out.
func TestBackAfterTheGame(t *testing.T) {
	s := playing(t, 2, nil)
	bob := s.clients[0]
	bob.cut(false, true)
	s.abort("enough")
	s.pump()
	bob.back()
	e := want[event.Ended](t, "Bob", bob.seen)
	says(t, "Bob", e.Why, "while the connection was gone")
	if bob.Phase() != room.PhaseLobby {
		t.Errorf("Bob is in phase %v", bob.Phase())
	}
	s.alike()
}

// The room waits for a machine that has played to the end and lost its connection before
// hearing of it; then it hears of it, and knows whether its last save counts.
func TestEndIsToldToDisconnectedPlayers(t *testing.T) {
	for _, noticed := range []bool{true, false} {
		s := playing(t, 2, nil)
		bob := s.clients[0]
		s.run()
		s.must(bob.Finished(s.now, 1, 600, s.built(), message.Stats{}))
		s.pump()
		bob.cut(noticed, true)
		s.must(s.clients[1].Finished(s.now, 1, 600, s.built(), message.Stats{}))
		s.must(s.host.Finished(s.now, 1, 600, s.built(), message.Stats{}))
		s.pump()
		if e := want[event.Ended](t, "the game host", s.seen); e.Outcome != message.OutcomeFinished || !s.host.ResultPending() {
			t.Fatalf("%+v, owing: %v", e, s.host.ResultPending())
		}
		if !noticed {
			s.host.Lost(s.now, bob.id, "silent")
		}
		s.wait(10 * time.Second)
		if err := s.host.Start(s.now); err == nil {
			t.Error("a game starts with a player whose connection is gone")
		}
		bob.back()
		if e := want[event.Ended](t, "Bob", bob.seen); e.Outcome != message.OutcomeFinished || !e.Results[1].Finished {
			t.Errorf("%+v", e)
		}
		s.ready()
		if s.host.ResultPending() {
			t.Error("Bob has heard, but his result is still pending")
		}
		s.alike()
	}
}

// But not for ever.
func TestEndIsNotToldForEver(t *testing.T) {
	s := playing(t, 1, nil)
	bob := s.clients[0]
	s.run()
	s.must(bob.Finished(s.now, 1, 600, s.built(), message.Stats{}))
	s.pump()
	bob.cut(true, true)
	s.must(s.host.Finished(s.now, 1, 600, s.built(), message.Stats{}))
	s.pump()
	s.wait(resultLimit + time.Second)
	if s.host.ResultPending() || len(s.host.Roster()) != 1 {
		t.Errorf("owing: %v, %d in the room", s.host.ResultPending(), len(s.host.Roster()))
	}
	bob.back()
	says(t, "Bob", want[event.RoomLost](t, "Bob", bob.seen).Words, "does not wait for you")
}

// A machine whose connection is gone goes on computing, and has things to say: they do not
// disturb its way back, and what must not be lost is heard then.
func TestSaidOnTheWayBack(t *testing.T) {
	s := playing(t, 1, nil)
	bob := s.clients[0]
	s.host.Horizon(100)
	bob.cut(true, true)
	s.must(bob.Hashes(s.now, 1, 30, s.built()))
	s.must(bob.RequestResync(s.now, 1, "a console crashed"))
	s.pump()
	bob.id += 100
	bob.linked = true
	s.host.Connected(s.now, bob.id, "198.51.100.7:1")
	bob.Connected(s.now, bob.id)
	s.must(bob.Hashes(s.now, 1, 60, s.built()))
	s.must(bob.Pause(s.now, true))
	s.pump()
	want[event.Reconnected](t, "Bob", bob.seen)
	says(t, "the game host", want[event.ResyncRequested](t, "the game host", s.seen).Words, "a console crashed")
	if count[event.ResyncRequested](s.seen) != 1 || count[event.HashReport](s.seen) != 0 {
		t.Errorf("heard %+v", s.seen)
	}
}

// A machine that comes back and claims a promise that nobody got does not push decisions
// away from the frame at which the others play.
func TestFalsePromise(t *testing.T) {
	s := playing(t, 1, nil)
	bob := s.clients[0]
	announced := s.host.Horizon(100).Frame
	bob.Promised(announced + 1)
	bob.cut(true, true)
	bob.back()
	want[event.RoomLost](t, "Bob", bob.seen)
	d, err := s.host.Decide(s.now, timeline.Decision{Kind: timeline.Pause})
	s.must(err)
	if d.Frame != announced {
		t.Errorf("a pause is at frame %d, all were promised %d", d.Frame, announced)
	}
}

// A machine that was promised more than another game host knows, and has not played it, does not
// count that promise any more. It is taken back.
func TestAPromiseThatFalls(t *testing.T) {
	s := playing(t, 1, nil)
	bob := s.clients[0]
	announced := s.host.Horizon(100).Frame
	bob.Promised(announced + 1)
	bob.cut(true, true)
	_, err := s.host.Decide(s.now, timeline.Decision{Kind: timeline.Pause})
	s.must(err)
	bob.Promised(100)
	bob.back()
	want[event.Reconnected](t, "Bob", bob.seen)
}

// To another game host one may come with more than it knows of, but not with more and
// more.
func TestFalsePromisesAfterAChange(t *testing.T) {
	s := playing(t, 2, nil)
	s.host.Horizon(100)
	_, err := s.host.GiveUpSeat(s.now, 0, 5)
	s.must(err)
	s.handOver()
	announced, carol := s.host.round.timeline.Announced().Frame, s.clients[0]
	for n := range 2 {
		carol.Promised(s.host.round.timeline.Announced().Frame + membership.MaxLead)
		carol.cut(n > 0, n > 0)
		carol.back()
		if _, out := last[event.RoomLost](carol.seen); out != (n > 0) {
			t.Fatalf("return %d: Carol is out: %v", n, out)
		}
	}
	carol.Leave(s.now, "")
	s.wait(time.Minute)
	want[event.SeatLeft](t, "the game host", s.seen)
	d, err := s.host.Decide(s.now, timeline.Decision{Kind: timeline.Leave, Seat: 2, InputEnd: 105})
	s.must(err)
	if d.Frame > announced+membership.MaxLead {
		t.Errorf("her seat leaves at frame %d, all were promised %d", d.Frame, announced)
	}
}

// A crowd at the door does not keep out who comes back; who does not get back at the first
// try, because the connection is slow or the room is busy, tries again.
func TestComingBackTakesSeveralTries(t *testing.T) {
	s := playing(t, 2, nil)
	bob := s.clients[0]
	bob.cut(true, true)
	knock := func(from, to int) {
		for i := from; i < to; i++ {
			s.host.Connected(s.now, ds.PeerID(1000+i), "192.0.2.1:1")
		}
	}
	knock(0, maxJoining+1)
	stranger := s.connect(nil)
	s.pump()
	if e := want[event.Refused](t, "a stranger", stranger.seen); e.Code != room.CodeBusy {
		t.Errorf("%+v", e)
	}
	bob.back()
	want[event.Reconnected](t, "Bob", bob.seen)

	bob.seen = nil
	bob.cut(true, true)
	knock(maxJoining+1, 2*maxJoining+maxReconnecting)
	bob.back() // more than a crowd: no room for him
	s.wait(6 * time.Second)
	bob.mute = true
	bob.back()
	s.wait(6 * time.Second) // what he says does not arrive in time
	bob.mute = false
	if bob.linked || count[event.RoomLost](bob.seen) > 0 {
		t.Fatalf("he is at the door still: %v, told %+v", bob.linked, bob.seen)
	}
	bob.back()
	want[event.Reconnected](t, "Bob", bob.seen)
}

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
	s.abort("enough")
	s.pump()
	s.must(carol.Reran(s.now, sent))
	s.host.Tell(s.now, "Bob's computer is odd")
	s.pump()
	if e := want[event.Reran](t, "the game host", s.seen); e.Machine != 2 {
		t.Errorf("%+v", e)
	}
	if l := want[event.ChatLine](t, "Bob", bob.seen); l.Text != "Bob's computer is odd" || l.Name != "" {
		t.Errorf("Bob was told %+v", l)
	}
	sent.Round = 2
	s.must(bob.Reran(s.now, sent))
	s.pump()
	says(t, "the game host", want[event.PlayerLeft](t, "the game host", s.seen).Words, "Bob", "game 2 again")
}
