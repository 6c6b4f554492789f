package host

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
)

func TestStartOnAllMachines(t *testing.T) {
	for n := 1; n <= 15; n++ {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			s := lobby(t, n, nil)
			s.prepare()
			mine := want[event.Prepare](t, "the game host", s.seen)
			for _, c := range s.clients {
				p := want[event.Prepare](t, "a client", c.seen)
				if p.Round != 1 || !p.Settings.Equal(mine.Settings) || !slices.Equal(p.Seats, mine.Seats) || len(p.Seats) != n+1 {
					t.Fatalf("%s prepares\n%+v\nthe game host\n%+v", c.Me().Nickname, p, mine)
				}
				if c.Phase() != room.PhasePreparing || c.Room().Round != 1 {
					t.Errorf("phase %v of round %d", c.Phase(), c.Room().Round)
				}
			}
			late := s.clients[n-1]
			s.install(late)
			if s.host.Phase() != room.PhasePreparing {
				t.Fatal("the game began without the last machine")
			}
			s.must(late.Installed(s.now, 1, s.built()))
			s.pump()
			b := want[event.Begin](t, "the game host", s.seen)
			for _, c := range s.clients {
				got := want[event.Begin](t, "a client", c.seen)
				if got.Round != b.Round || got.Horizon != b.Horizon || !slices.Equal(got.Decisions, b.Decisions) || !slices.Equal(c.Decisions(), b.Decisions) {
					t.Errorf("%s begins with %+v, the game host with %+v", c.Me().Nickname, got, b)
				}
				if c.Phase() != room.PhasePlaying {
					t.Errorf("phase %v", c.Phase())
				}
			}
			if want := []timeline.Decision{{Kind: timeline.Start}, {Kind: timeline.End, Frame: 600, Why: "all frames are played"}}; !slices.Equal(b.Decisions, want) {
				t.Errorf("decisions %+v", b.Decisions)
			}
			if want := (ds.Horizon{Frame: timeline.Margin(4), Decisions: 2}); b.Horizon != want {
				t.Errorf("horizon %+v, want %+v", b.Horizon, want)
			}
			s.alike()
		})
	}
}

func TestOpenEnd(t *testing.T) {
	s := playing(t, 1, func(c *Config) { c.Settings.Frames = 0 })
	if d := s.clients[0].Decisions(); len(d) != 1 || d[0].Kind != timeline.Start {
		t.Errorf("a game without end begins with %+v", d)
	}
}

// A start that fails takes everyone back to the lobby, with the reason.
func TestStartFails(t *testing.T) {
	tests := []struct {
		name     string
		do       func(s *sim)
		says     []string
		machines []int
		cause    room.Cause
		gone     bool // Carol is not there any more
	}{
		{"a client's machine fails", func(s *sim) {
			s.must(s.clients[1].Failed(s.now, 1, room.CauseCore, "the core crashed (signal 11)"))
		}, []string{"Carol's computer failed: the core crashed (signal 11)"}, []int{2}, room.CauseCore, false},
		{"the game host's computer fails", func(s *sim) {
			s.must(s.host.Failed(s.now, 1, room.CauseCore, "no memory"))
		}, []string{"Ann's computer failed: no memory"}, []int{0}, room.CauseCore, false},
		{"the game host calls it off", func(s *sim) {
			s.must(s.host.CallOff(s.now))
		}, []string{"Ann called it off"}, []int{0}, room.CauseCalledOff, false},
		{"a client vanishes", func(s *sim) { s.clients[1].vanish() }, []string{"Carol lost the connection (timed out)"}, []int{2}, room.CauseGone, true},
		{"a client vanishes after its part", func(s *sim) {
			s.install(s.clients[0])
			s.clients[1].vanish()
		}, []string{"Carol lost the connection"}, []int{2}, room.CauseGone, true},
		{"a client leaves", func(s *sim) { s.clients[1].Leave(s.now, "") }, []string{"Carol left the room"}, []int{2}, room.CauseGone, true},
		{"a client is removed", func(s *sim) { s.must(s.host.Kick(s.now, 2, "", false)) }, []string{"Carol was removed"}, []int{2}, room.CauseGone, true},
		{"a client is late", func(s *sim) {
			s.clients[1].Report(s.now, room.Status{Down: room.Progress{Done: 10_000_000, Total: 20_000_000}, Up: room.Progress{Done: 500_000, Total: 500_000}})
			s.host.Moved(s.now, 2, 7_000_000) // of earlier games
			s.host.Moved(s.now, 2, 8_500_000)
			s.install(s.clients[1])
			s.wait(31 * time.Second)
		}, []string{"Carol's computer (1.5 MB of 20.5 MB)", "nothing moved for 30 seconds"}, []int{2}, room.CauseLate, false},
		{"two are late", func(s *sim) {
			s.must(s.host.Installed(s.now, 1, s.built()))
			s.wait(31 * time.Second)
		}, []string{"not ready in time on Bob's computer and Carol's computer: nothing moved"}, []int{1, 2}, room.CauseLate, false},
		{"the game host is late", func(s *sim) {
			for _, c := range s.clients {
				s.must(c.Installed(s.now, 1, s.built()))
			}
			s.wait(31 * time.Second)
		}, []string{"Ann's computer", "not ready in time"}, []int{0}, room.CauseLate, false},
		{"one differs", func(s *sim) {
			odd := s.built()
			odd[1].Hash.RAM++
			s.install(s.clients[1])
			s.must(s.clients[1].Installed(s.now, 1, odd))
		}, []string{"Bob's console did not come out the same on Carol's computer as on the others", "main RAM differs", "core build"}, []int{2}, room.CauseDiffer, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := lobby(t, 2, nil)
			s.prepare()
			tt.do(s)
			s.pump()
			mine := want[event.StartFailed](t, "the game host", s.seen)
			says(t, "the game host", mine.Why, tt.says...)
			if !slices.Equal(mine.Machines, tt.machines) || mine.Round != 1 || mine.Cause != tt.cause {
				t.Errorf("machines %v in round %d, cause %d", mine.Machines, mine.Round, mine.Cause)
			}
			for _, c := range s.clients {
				if c.Phase() == room.PhaseClosed {
					continue
				}
				got := want[event.StartFailed](t, "a client", c.seen)
				if got.Why != mine.Why || got.Cause != mine.Cause || c.Phase() != room.PhaseLobby || c.Me().Ready {
					t.Errorf("%s was told %q in phase %v", c.Me().Nickname, got.Why, c.Phase())
				}
			}
			if n, want := len(s.host.Roster()), 3; tt.gone != (n != want) {
				t.Errorf("%d are there", n)
			}
			if err := s.host.Start(s.now); err == nil {
				t.Error("the next start did not ask whether all are ready")
			}
			s.alike()

			// And a second try can go well.
			for tt.gone && len(s.host.Roster()) < 3 {
				s.join(nil)
			}
			s.ready()
			s.prepare()
			s.install()
			if s.host.Phase() != room.PhasePlaying || s.host.Room().Round != 2 {
				t.Errorf("after a second try the room is %v in round %d: %v", s.host.Phase(), s.host.Room().Round, s.seen)
			}
		})
	}
}

// As long as bytes move somewhere nobody is late, but not for ever. All see a
// machine's claims, and they count for nothing.
func TestProgressIsWaitedFor(t *testing.T) {
	s := lobby(t, 2, nil)
	s.prepare()
	s.install(s.clients...)
	s.host.Moved(s.now, 1, 0)
	bob := s.clients[0]
	for done := range int64(10) {
		bob.Report(s.now, room.Status{Up: room.Progress{Done: done * 1000, Total: 1 << 20}})
		s.host.Moved(s.now, 1, done+1)
		s.wait(20 * time.Second)
	}
	if s.host.Phase() != room.PhasePreparing {
		t.Fatalf("with progress every 20 s: %v", want[event.StartFailed](t, "the game host", s.seen))
	}
	if p := s.clients[1].Room().Players[1].Up; p != (room.Progress{Done: 9000, Total: 1 << 20}) {
		t.Errorf("Carol sees Bob's progress %+v", p)
	}
	for done := int64(10); s.host.Phase() == room.PhasePreparing && done < 1000; done++ {
		s.host.Moved(s.now, 1, done+1)
		s.wait(20 * time.Second)
	}
	says(t, "all", want[event.StartFailed](t, "the game host", s.seen).Why, "Bob's computer", "Carol's computer", "more than 20 minutes")
}

// While the consoles are built everyone sees the others' progress at once, and
// a machine that is ready shows that things move.
func TestProgressIsSeen(t *testing.T) {
	s := lobby(t, 2, nil)
	s.prepare()
	bob, carol := s.clients[0], s.clients[1]
	bob.Report(s.now, room.Status{Revision: bob.Room().Revision, Ready: true, Up: room.Progress{Done: 5, Total: 10}})
	s.wait(700 * time.Millisecond)
	if p := carol.Room().Players[1].Up; p != (room.Progress{Done: 5, Total: 10}) {
		t.Errorf("after 0.7 s Carol sees %+v", p)
	}
	s.wait(20 * time.Second)
	s.must(bob.Installed(s.now, 1, s.built()))
	s.wait(20 * time.Second)
	if s.host.Phase() != room.PhasePreparing {
		t.Error("20 s after the last machine was ready the start failed")
	}
}

// Going back and forth is no progress.
func TestSameProgressIsNone(t *testing.T) {
	s := lobby(t, 1, nil)
	s.prepare()
	for i := range int64(100) {
		s.clients[0].Report(s.now, room.Status{Up: room.Progress{Done: i % 2, Total: 1 << 20}})
		s.wait(time.Second)
	}
	if s.host.Phase() != room.PhaseLobby {
		t.Errorf("the room is still %v", s.host.Phase())
	}
}

// Messages of a start that has failed do not reach the next one.
func TestLateWordsOfAFailedStart(t *testing.T) {
	s := lobby(t, 2, nil)
	s.prepare()
	bob := s.clients[0]
	s.must(bob.Installed(s.now, 1, s.built())) // on its way when the start fails
	s.must(s.host.CallOff(s.now))
	s.pump()
	if bob.Phase() != room.PhaseLobby {
		t.Fatalf("Bob is in phase %v: %v", bob.Phase(), bob.seen)
	}
	if err := bob.Installed(s.now, 1, s.built()); !errors.Is(err, room.ErrPhase) {
		t.Errorf("installed after the end: %v", err)
	}
	s.ready()
	s.prepare()
	b, err := message.Encode(&message.Installed{Round: 1, Hashes: s.built()})
	s.must(err)
	s.host.Receive(s.now, bob.id, b)
	if s.host.round.part(1).installed != nil || !bob.linked {
		t.Error("what was installed for the first start counts for the second")
	}
	if err := s.host.Installed(s.now, 1, s.built()); !errors.Is(err, room.ErrPhase) {
		t.Errorf("installed for the start before: %v", err)
	}
	s.install()
	if s.host.Phase() != room.PhasePlaying {
		t.Error("the second start failed")
	}
}

// A client that says what cannot be loses its connection; the others only their start.
func TestLiesWhilePreparing(t *testing.T) {
	short := []room.SeatHash{{Seat: 0}}
	for name, msg := range map[string]message.Message{
		"too few consoles":     &message.Installed{Round: 1, Hashes: short},
		"a console of nobody":  &message.Installed{Round: 1, Hashes: []room.SeatHash{{Seat: 0}, {Seat: 1}, {Seat: 9}}},
		"a game to come":       &message.Installed{Round: 2, Hashes: short},
		"no game":              &message.Failed{Round: 0},
		"a game already ended": &message.Finished{Round: 1},
		"hashes already":       &message.Hashes{Round: 1, Hashes: short},
		"host's words":         &message.Begin{Round: 1},
		"hello again":          &message.Hello{Speaker: room.Speaker{Protocol: message.Protocol, Program: "1"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := lobby(t, 2, nil)
			s.prepare()
			b, err := message.Encode(msg)
			s.must(err)
			s.host.Receive(s.now, s.clients[0].id, b)
			s.pump()
			says(t, "Bob", want[event.RoomClosed](t, "Bob", s.clients[0].seen).Words, "your computer broke the rules of the room")
			says(t, "the others", want[event.StartFailed](t, "Carol", s.clients[1].seen).Why, "Bob was dropped: the computer broke the rules")
			if s.clients[1].Phase() != room.PhaseLobby || len(s.host.Roster()) != 2 {
				t.Errorf("Carol is in phase %v, %d are there", s.clients[1].Phase(), len(s.host.Roster()))
			}
		})
	}
}

func TestCompareStart(t *testing.T) {
	hash := func(ram, video, sram uint64) ds.Hash { return ds.Hash{RAM: ram, Video: video, SRAM: sram} }
	good := hash(1, 2, 3)
	seats := []room.SeatPlan{{Seat: 0, Machine: 0, Nickname: "Ann"}, {Seat: 3, Machine: 1, Nickname: "Bob"}}
	who := []string{"Ann", "Bob", "Carol", "Dave"}
	tests := []struct {
		name  string
		seat3 []ds.Hash // by machine
		words []string
		odd   []int
	}{
		{"equal", []ds.Hash{good, good, good}, nil, nil},
		{"majority against the owner", []ds.Hash{good, hash(9, 2, 3), good}, []string{"Bob's console", "on Bob's computer as on the others", "main RAM"}, []int{1}},
		{"two machines: the owner is right", []ds.Hash{hash(9, 9, 9), good}, []string{"Bob's console", "on Ann's computer as on Bob's own", "main RAM"}, []int{0}},
		{"two and two", []ds.Hash{good, good, hash(1, 2, 8), hash(1, 2, 8)}, []string{"on Carol and Dave's computer as on Bob's own", "save memory"}, []int{2, 3}},
		{"all differ", []ds.Hash{hash(1, 5, 3), good, hash(1, 6, 3)}, []string{"on Ann and Carol's computer as on Bob's own", "the picture"}, []int{0, 2}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var built []room.Installation
			for m, h := range tt.seat3 {
				built = append(built, room.Installation{Machine: m, Nickname: who[m], Hashes: []room.SeatHash{{Seat: 0, Hash: good}, {Seat: 3, Hash: h}}})
			}
			d := room.CompareStart(seats, built)
			words, odd := d.Words, d.Odd
			if (words == "") != (tt.words == nil) || !slices.Equal(odd, tt.odd) {
				t.Errorf("machines %v, words %q", odd, words)
			}
			says(t, "everyone", words, tt.words...)
		})
	}
}
