package host

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/client"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/relay"
)

// admitted is a room in which two play and Carol is let in: she has been told all that
// was decided, and the others that she comes.
func admitted(t *testing.T) (*sim, *simClient) {
	t.Helper()
	s, carol := comingIn(t)
	s.must(s.host.Admit(s.now, 2, 0))
	s.pump()
	return s, carol
}

// comingIn is a room in which two play and Carol is ready to be let in.
func comingIn(t *testing.T) (*sim, *simClient) {
	t.Helper()
	s := playing(t, 1, nil)
	s.host.Horizon(100)
	_, err := s.host.Decide(s.now, timeline.Decision{Kind: timeline.SetDelay, Delay: 6})
	s.must(err)
	s.pump()
	carol := s.join(nil)
	if !carol.Waiting() || len(s.host.LateJoiners()) != 0 {
		t.Fatalf("Carol waits: %v; who could come in: %v", carol.Waiting(), s.host.LateJoiners())
	}
	carol.Report(s.now, room.Status{Revision: carol.Room().Revision, Ready: true})
	s.wait(time.Second)
	s.pump()
	if n := s.host.LateJoiners(); len(n) != 1 || n[0] != 2 {
		t.Fatalf("who could come in: %v", n)
	}
	return s, carol
}

// TestAdmittedUnheard: who is let in while the connection is gone hears of it on the next one.
func TestAdmittedUnheard(t *testing.T) {
	for _, noticed := range []bool{true, false} {
		s, carol := comingIn(t)
		carol.linked = false
		s.must(s.host.Admit(s.now, 2, 0))
		carol.cut(noticed, true)
		s.wait(time.Second)
		carol.back()
		if e := want[event.LateJoined](t, "Carol", carol.seen); e.Round != 1 || count[event.LateJoined](carol.seen) != 1 {
			t.Errorf("she enters %+v", e)
		}
		if mine, others := carol.Decisions(), s.clients[0].Decisions(); mine.Digest() != others.Digest() {
			t.Errorf("she knows %+v, Bob %+v", mine, others)
		}
		hashes := s.built()
		s.must(s.clients[0].Remade(s.now, 1, 1, hashes))
		s.must(s.host.Remade(s.now, 1, 1, hashes))
		s.must(carol.Remade(s.now, 1, 1, hashes))
		s.pump()
		s.alike()
	}
}

func TestAdmit(t *testing.T) {
	s, carol := admitted(t)
	e := want[event.LateJoined](t, "Carol", carol.seen)
	if e.Round != 1 || len(e.Seats) != 2 {
		t.Errorf("she enters %+v", e)
	}
	mine, others := carol.Decisions(), s.clients[0].Decisions()
	if len(mine) != len(others) || mine[len(mine)-2].Plan.Nickname != "Carol" || mine[len(mine)-1].Kind != timeline.Resync {
		t.Errorf("she knows %+v, Bob %+v", mine, others)
	}
	hashes := s.built()
	if len(hashes) != 3 {
		t.Fatalf("%d consoles are to be built", len(hashes))
	}
	s.must(s.clients[0].Remade(s.now, 1, 1, hashes))
	s.must(s.host.Remade(s.now, 1, 1, hashes))
	s.pump()
	if d := s.host.Decisions(); d[len(d)-1].Kind != timeline.Resync {
		t.Fatal("the game goes on before Carol has her consoles")
	}
	s.must(carol.Remade(s.now, 1, 1, hashes))
	s.pump()
	for _, c := range s.clients {
		if e := want[event.Decided](t, "a client", c.seen); e.Decision.Kind != timeline.Resynced || e.Decision.Why != "" {
			t.Errorf("%+v: nothing differed, so nothing is to be told", e)
		}
	}
	s.alike()
}

// A late joiner that vanishes after having been let in leaves like anybody else.
func TestAdmittedVanishes(t *testing.T) {
	s, carol := admitted(t)
	hashes := s.built()
	s.must(s.clients[0].Remade(s.now, 1, 1, hashes))
	s.must(s.host.Remade(s.now, 1, 1, hashes))
	s.pump()
	carol.Leave(s.now, "")
	s.pump()
	if e := want[event.SeatLeft](t, "the game host", s.seen); e.Seat != 2 || e.Machine != 2 {
		t.Errorf("%+v", e)
	}
	if d := s.host.Decisions(); d[len(d)-1].Kind != timeline.Resynced {
		t.Errorf("the game does not go on without Carol: %+v", d)
	}
}

// Nobody is let in while something else goes on, and nobody twice.
func TestAdmitAtTheWrongTime(t *testing.T) {
	s := playing(t, 1, nil)
	carol := s.join(nil)
	carol.Report(s.now, room.Status{Revision: carol.Room().Revision, Ready: true})
	s.wait(time.Second)
	s.pump()
	s.must(s.host.Pause(s.now, true))
	if err := s.host.Admit(s.now, 2, 0); !errors.Is(err, room.ErrPhase) {
		t.Errorf("admitted during a pause: %v", err)
	}
	s.must(s.host.Pause(s.now, false))
	s.must(s.host.Admit(s.now, 2, 0))
	if err := s.host.Admit(s.now, 2, 0); err == nil {
		t.Error("admitted twice")
	}
	if _, err := s.host.Decide(s.now, timeline.Decision{Kind: timeline.Enter, Plan: room.SeatPlan{Seat: 9, Machine: 9}}); err == nil {
		t.Error("a console came in that nobody owns")
	}
}

// In a game the seats of those who left are not given to others, and after it everybody
// has one of the room's again.
func TestSeatsCloseUp(t *testing.T) {
	s := playing(t, 1, func(c *Config) { c.Settings.Seats = 2 })
	s.clients[0].Leave(s.now, "")
	s.pump()
	carol := s.join(nil)
	if me := carol.Me(); me.Seat != 2 || me.Machine != 2 {
		t.Fatalf("Carol is %+v", me)
	}
	s.abort("enough")
	s.pump()
	if me := carol.Me(); me.Seat != 1 {
		t.Errorf("after the game Carol has seat %v of 2", me.Seat)
	}
}

// A late joiner whose machine builds something else does not come in, and ends nobody's game:
// not even where only one other machine plays.
func TestLateJoinerBuildsOtherwise(t *testing.T) {
	s, carol := admitted(t)
	for _, alone := range []bool{false, true} {
		hashes := s.built()
		if alone {
			s, carol = admitted(t)
			s.clients[0].Leave(s.now, "")
			s.pump()
		} else {
			s.must(s.clients[0].Remade(s.now, 1, 1, hashes))
		}
		s.must(s.host.Remade(s.now, 1, 1, hashes))
		wrong := s.built()
		wrong[2].Hash.RAM++ // her own console
		s.must(carol.Remade(s.now, 1, 1, wrong))
		s.pump()
		if e, over := last[event.Ended](s.seen); over {
			t.Fatalf("for who is alike: outcome %d, %s", e.Outcome, e.Why)
		}
		if e := want[event.SeatLeft](t, "the game host", s.seen); e.Machine != 2 {
			t.Errorf("%+v", e)
		}
		if d := s.host.Decisions(); d.Resyncing() {
			t.Errorf("the game does not go on: %+v", d)
		}
		if !chatted(carol.seen, "goes on without Carol", "the same core build") {
			t.Errorf("Carol is told %+v", carol.seen)
		}
	}
}

// again joins as Bob, as all in the room know him, from an address.
func again(s *sim, addr string, key [32]byte, change func(*client.Config)) *simClient {
	c := s.connectFrom(addr, func(c *client.Config) {
		c.Nickname, c.Firmware = "Bob", s.clients[0].Me().Firmware
		if change != nil {
			change(c)
		}
	})
	s.host.Proven(c.id, key)
	s.pump()
	return c
}

// A program that was started anew ends the wait for itself, even in a full room: it comes from
// the same address, or it is the same installation.
func TestStartedAnew(t *testing.T) {
	for addr, key := range map[string][32]byte{"10.0.0.1:9": {}, mailbox(2): {1}} {
		s := playing(t, 2, func(c *Config) { c.Settings.Seats = 3 })
		s.host.Proven(s.clients[0].id, [32]byte{1})
		s.clients[0].cut(true, true)
		bob := again(s, addr, key, nil)
		if e := want[event.SeatLeft](t, "the game host", s.seen); e.Machine != 1 || !bob.Waiting() || bob.Me().Nickname != "Bob" {
			t.Errorf("%+v; Bob is %+v", e, bob.Me())
		}
	}
}

// A stranger who knows a console's address does not end the wait for its player: not from
// elsewhere, and not without being let in.
func TestStrangerDoesNotEndTheWait(t *testing.T) {
	for _, tt := range []struct {
		addr   string
		change func(*client.Config)
	}{
		{"10.0.0.99:1", nil},
		{mailbox(2), nil},
		{"10.0.0.1:1", func(c *client.Config) { c.Core = room.CoreID{Name: "x"} }},
	} {
		s := playing(t, 2, nil)
		bob := s.clients[0]
		s.host.Proven(bob.id, [32]byte{1})
		s.host.members[1].reached.addrs = []string{mailbox(1)}
		bob.cut(true, true)
		mallory := again(s, tt.addr, [32]byte{2}, tt.change)
		if e, lost := last[event.SeatLeft](s.seen); lost {
			t.Errorf("from %s: %+v", tt.addr, e)
		}
		if in := mallory.Waiting(); in != (tt.change == nil) {
			t.Errorf("from %s: Mallory is let in: %v", tt.addr, in)
		}
		bob.back()
		want[event.Reconnected](t, "Bob", bob.seen)
	}
}

// A late joiner that never gets its consoles holds up the others for a short time only,
// whatever it claims, and nobody comes in again from its address at once.
func TestLateJoinersDoNotHoldUp(t *testing.T) {
	for _, tt := range []struct {
		name    string
		bytes   int64 // that it takes a second
		seconds int   // that the others wait
	}{
		{"takes nothing", 0, 10},
		{"takes a byte", 1, 10},
		{"has a slow line", 50 << 10, 60},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, carol := admitted(t)
			s.wait(20 * time.Second) // of the others' own
			s.must(s.clients[0].Remade(s.now, 1, 1, s.built()))
			s.must(s.host.Remade(s.now, 1, 1, s.built()))
			s.pump()
			s.host.Moved(s.now, 2, 0)
			eve := s.join(nil)
			s.host.peer(eve.id).member.key = [32]byte{5}
			waited := 0
			for ; s.host.Decisions().Resyncing() && waited < 200; waited++ {
				s.wait(time.Second)
				carol.Report(s.now, room.Status{Down: room.Progress{Done: int64(waited) << 20, Total: 1 << 30}})
				s.host.Moved(s.now, 2, int64(waited+1)*tt.bytes)
			}
			if waited < tt.seconds || waited > tt.seconds+1 {
				t.Errorf("the others waited for %d s, want %d", waited, tt.seconds)
			}
			if !chatted(s.seen, "Nobody new can join the game from Carol's address for 1 minute") {
				t.Errorf("the players are told %+v", s.seen)
			}
			carol.Leave(s.now, "")
			s.pump()
			s.host.peer(eve.id).member.reached.seen = "10.0.0.2:9" // behind Carol's router, since before
			comes := func(id ds.PeerID) bool {
				return slices.ContainsFunc(s.host.LateJoiners(), func(m int) bool { p, ok := s.host.Peer(m); return ok && p == id })
			}
			back, dave := s.join(nil), s.join(nil)
			s.host.peer(back.id).member.reached.seen = "10.0.0.2:9" // Carol's
			for _, c := range []*simClient{back, dave, eve} {
				c.Report(s.now, room.Status{Revision: c.Room().Revision, Ready: true})
			}
			s.wait(time.Second)
			if comes(back.id) || !comes(dave.id) || !comes(eve.id) {
				t.Errorf("right after it Carol comes in: %v, Dave: %v, Eve: %v", comes(back.id), comes(dave.id), comes(eve.id))
			}
			if s.wait(time.Minute); !comes(back.id) {
				t.Error("a minute later Carol does not come in")
			}
		})
	}
}

// Those who come and go while a game runs, and never are in it, use up no seats.
func TestComingAndGoingUsesNoSeats(t *testing.T) {
	s := playing(t, 1, nil)
	for range 40 {
		s.join(nil).Leave(s.now, "")
		s.pump()
	}
	carol := s.join(nil)
	if me := carol.Me(); me.Seat != 2 || me.Machine != 2 {
		t.Errorf("after 40 who came and went Carol is %+v", me)
	}
}

// mailbox is one of many that a machine can have at a relay.
func mailbox(n int) string {
	return relay.Place("relay.example:21206", relay.Mailbox{byte(n), byte(n >> 8)})
}

// One address sends only so many a minute, and so does a relay.
func TestComingAndGoingFromOneAddress(t *testing.T) {
	for name, addr := range map[string]func(n int) string{
		"address": func(n int) string { return fmt.Sprintf("10.9.9.9:%d", n) }, "relay": mailbox,
	} {
		t.Run(name, func(t *testing.T) { comeAndGo(t, addr) })
	}
}

func comeAndGo(t *testing.T, addr func(n int) string) {
	s := playing(t, 1, nil)
	in := 0
	for n := range 60 {
		c := s.connectFrom(addr(n), nil)
		if s.pump(); c.Phase() == room.PhasePlaying {
			in++
			c.Leave(s.now, "")
			s.pump()
		} else {
			says(t, "one of many", want[event.Refused](t, "one of many", c.seen).Error(), "from your address", "in a minute")
		}
	}
	if in != 40 {
		t.Errorf("%d of 60 came in", in)
	}
	s.join(nil)
	s.wait(time.Minute)
	c := s.connectFrom(addr(99), nil)
	if s.pump(); c.Phase() != room.PhasePlaying {
		t.Error("a minute later nobody else comes in from there")
	}
}

// TestPlayersAreReadyWhileTheyPlay: for somebody who comes later, those who play are ready, though
// they say that they are not ready for another game.
func TestPlayersAreReadyWhileTheyPlay(t *testing.T) {
	s := playing(t, 1, nil)
	s.clients[0].Report(s.now, room.Status{Revision: s.host.Room().Revision})
	s.host.Report(s.now, room.Status{Revision: s.host.Room().Revision})
	carol := s.join(nil)
	s.wait(time.Second)
	s.pump()
	for _, p := range carol.Room().Players {
		if plays := p.Nickname != "Carol"; p.Ready != plays {
			t.Errorf("%s is ready: %t", p.Nickname, p.Ready)
		}
	}
}
