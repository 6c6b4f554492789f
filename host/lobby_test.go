package host

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/client"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
)

// Everyone who holds up the start is named, with the reason.
func TestBlockers(t *testing.T) {
	zelda := room.ROMID{SHA256: [32]byte{0x12, 0x34, 0x56, 0x78}, Title: "Zelda"}
	tests := []struct {
		name string
		do   func(s *sim)
		says []string // "" when the start goes through
		seat ds.Seat
		why  room.Cause
	}{
		{"all is well", func(*sim) {}, nil, 0, 0},
		{"nobody there", func(s *sim) { s.clients[0].Leave(s.now, ""); s.clients[1].Leave(s.now, "") }, []string{"2 players are needed; only 1 is here"}, -1, room.CausePlayers},
		{"client not ready", func(s *sim) { s.clients[1].Report(s.now, room.Status{Revision: s.host.Room().Revision}) }, []string{"Carol is not ready"}, 2, room.CauseReady},
		{"game host not ready", func(s *sim) { s.host.Report(s.now, room.Status{Revision: s.host.Room().Revision}) }, []string{"you are not ready"}, 0, room.CauseReady},
		{"a problem", func(s *sim) {
			s.clients[0].Report(s.now, room.Status{Revision: s.host.Room().Revision, Ready: true, Problem: "the core has no option \"a\"", Cause: room.CauseOptions})
		}, []string{"Bob: the core has no option \"a\""}, 1, room.CauseOptions},
		{"another's game is missing", func(s *sim) {
			s.must(s.clients[1].SetROM(s.now, &zelda))
			s.ready()
			s.clients[0].Report(s.now, room.Status{Revision: s.host.Room().Revision, Ready: true, Missing: [][32]byte{zelda.SHA256, {0xff}}})
		}, []string{"Bob's computer does not have Zelda (12345678), which Carol plays", "ROM folders"}, 1, room.CauseGame},
		{"the game host's game is missing", func(s *sim) {
			s.must(s.clients[1].SetROM(s.now, &zelda))
			s.ready()
			s.clients[1].Report(s.now, room.Status{Revision: s.host.Room().Revision, Ready: true, Missing: [][32]byte{testROM.SHA256}})
		}, []string{"Carol's computer does not have Kart (aabbccdd), which Ann and Bob play"}, 2, room.CauseGame},
		{"a machine lacks what it alone plays", func(s *sim) {
			s.must(s.clients[1].SetROM(s.now, &zelda))
			s.ready()
			s.clients[1].Report(s.now, room.Status{Revision: s.host.Room().Revision, Ready: true, Missing: [][32]byte{zelda.SHA256}})
		}, []string{"Carol's computer does not have Zelda (12345678): add the same version of it"}, 2, room.CauseGame},
		{"another edition of it is here", func(s *sim) {
			zelda := zelda
			zelda.Edition = room.Edition{Code: "ABCE"}
			theirs := room.ROMID{SHA256: [32]byte{0x77}, Title: "Zelda", Edition: room.Edition{Code: "ABCP"}}
			s.must(s.clients[1].SetROM(s.now, &zelda))
			s.ready()
			s.clients[0].Report(s.now, room.Status{Revision: s.host.Room().Revision, Ready: true, Missing: [][32]byte{zelda.SHA256}, Near: []room.Near{{Of: zelda.SHA256, Game: theirs}}})
		}, []string{"Bob's computer does not have Zelda (12345678), which Carol plays; theirs is the European version, the room's is the American one: add the same version of it"}, 1, room.CauseGame},
		{"settings changed", func(s *sim) {
			set := s.host.Settings()
			set.Delay = 7
			s.must(s.host.SetSettings(s.now, set))
		}, []string{"Bob's computer is still looking at the games and settings"}, 1, room.CauseCheck},
		{"the game host changed the game", func(s *sim) { s.must(s.host.SetROM(s.now, zelda)) }, []string{"your computer is still looking"}, 0, room.CauseCheck},
		{"the core changed", func(s *sim) {
			set := s.host.Settings()
			set.Core = room.CoreID{Name: "melonDS DS", Version: "1.2.0", SHA256: [32]byte{9}}
			s.must(s.host.SetSettings(s.now, set))
			s.ready()
		}, []string{"the room plays on melonDS DS 1.2.0 (build 09000000), Bob's computer on DeSmuME"}, 1, room.CauseBuild},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := lobby(t, 2, nil)
			tt.do(s)
			s.wait(200 * time.Millisecond)
			err := s.host.Start(s.now)
			if tt.says == nil {
				if err != nil || s.host.Phase() != room.PhasePreparing {
					t.Fatalf("phase %v: %v", s.host.Phase(), err)
				}
				return
			}
			var blocked *BlockedError
			if !errors.As(err, &blocked) || s.host.Phase() != room.PhaseLobby {
				t.Fatalf("phase %v, error %v", s.host.Phase(), err)
			}
			says(t, "the game host", err.Error(), tt.says...)
			if n := strings.Count(err.Error(), "Ann"); tt.name == "the core changed" && n > 0 {
				t.Errorf("Ann, whose core it is, is blamed too: %v", err)
			}
			found := false
			for _, b := range blocked.Blockers {
				found = found || b.Seat == tt.seat && strings.Contains(b.Words, tt.says[0])
			}
			if !found {
				t.Errorf("nothing is said of seat %d in %+v", tt.seat, blocked.Blockers)
			}
			s.alike()
			if tt.seat > 0 && !strings.Contains(tt.says[0], "not ready") {
				for _, p := range s.clients[tt.seat%2].Room().Players { // of the other one
					if p.Seat == tt.seat && !strings.Contains(tt.says[0], p.Problem) && !strings.Contains(p.Problem, tt.says[0]) {
						t.Errorf("the others see the problem %q", p.Problem)
					}
				}
				if p := s.clients[tt.seat-1].Me(); strings.Contains(p.Problem, p.Nickname+"'s computer") {
					t.Errorf("%s is told %q", p.Nickname, p.Problem)
				}
			}
		})
	}
}

func TestSoloForTests(t *testing.T) {
	s := newSim(t, func(c *Config) { c.Settings.MinPlayers = 1 })
	s.ready()
	s.prepare()
	s.install()
	if s.host.Phase() != room.PhasePlaying {
		t.Fatalf("phase %v", s.host.Phase())
	}
}

// A player who says that he is ready without having seen the newest settings is not.
func TestReadyIsForTheSettingsThatWereSeen(t *testing.T) {
	s := lobby(t, 1, nil)
	bob := s.clients[0]
	old := bob.Room().Revision
	set := s.host.Settings()
	set.Delay = 9
	s.must(s.host.SetSettings(s.now, set))
	s.wait(time.Second)
	if bob.Me().Ready || bob.Room().Revision == old || bob.Settings().Delay != 9 {
		t.Fatalf("after a change Bob sees %+v", bob.Room())
	}
	bob.Report(s.now, room.Status{Revision: old, Ready: true, Problem: "x"}) // crossed with the change
	s.wait(time.Second)
	if s.host.Roster()[1].Ready {
		t.Error("ready for old settings counts")
	}
	bob.Report(s.now, room.Status{Revision: bob.Room().Revision, Ready: true})
	s.wait(time.Second)
	if !s.host.Roster()[1].Ready {
		t.Error("ready for the new settings does not count")
	}
	s.alike()
}

// A joining player with a game that is there already does not disturb; one with a new
// game makes everyone look again.
func TestSettingsChangeWithTheGames(t *testing.T) {
	s := lobby(t, 1, nil)
	revision := s.host.Room().Revision
	s.join(nil)
	if got := s.host.Room().Revision; got != revision {
		t.Errorf("a joining player with the same game changed the settings %d to %d", revision, got)
	}
	c := s.join(func(c *client.Config) { c.ROM = &room.ROMID{SHA256: [32]byte{1}, Title: "Zelda\x1b]0;x\a"} })
	if got := s.host.Room().Revision; got == revision {
		t.Error("a joining player with another game did not change the settings")
	}
	s.alike()
	if p := s.clients[0].Room().Players[3]; p.ROM.Title != "Zelda]0;x" || !p.OwnROM {
		t.Errorf("the others see the game %+v", p.ROM)
	}
	revision = s.host.Room().Revision
	s.must(c.SetROM(s.now, nil))
	s.wait(time.Second)
	if p := s.clients[0].Room().Players[3]; p.ROM != testROM || p.OwnROM || s.host.Room().Revision == revision {
		t.Errorf("back with the game host's game the others see %+v", p)
	}
	s.alike()
}

func TestSettingsOnlyInTheLobby(t *testing.T) {
	s := lobby(t, 2, nil)
	set := s.host.Settings()
	set.Seats = 2
	if err := s.host.SetSettings(s.now, set); err == nil || !strings.Contains(err.Error(), "Carol has seat 3") {
		t.Errorf("a seat was taken away: %v", err)
	}
	s.prepare()
	set.Seats = 16
	if err := s.host.SetSettings(s.now, set); !errors.Is(err, room.ErrPhase) {
		t.Errorf("settings changed in the middle: %v", err)
	}
	if err := s.host.SetROM(s.now, testROM); !errors.Is(err, room.ErrPhase) {
		t.Errorf("the game changed in the middle: %v", err)
	}
	late, err := message.Encode(&message.Game{ROM: &room.ROMID{SHA256: [32]byte{1}, Title: "Zelda"}}) // crossed with the start
	s.must(err)
	s.host.Receive(s.now, s.clients[0].id, late)
	if p := s.host.Roster()[1]; p.ROM != testROM {
		t.Errorf("a client's game changed to %v while the consoles are built", p.ROM)
	}
	if err := s.clients[0].SetROM(s.now, nil); !errors.Is(err, room.ErrPhase) {
		t.Errorf("a client's game changed in the middle: %v", err)
	}
}

func TestKick(t *testing.T) {
	for _, ban := range []bool{false, true} {
		t.Run(fmt.Sprint(ban), func(t *testing.T) {
			s := lobby(t, 2, nil)
			if err := s.host.Kick(s.now, 0, "", false); err == nil {
				t.Error("the game host removed himself")
			}
			if err := s.host.Kick(s.now, 9, "", false); err == nil {
				t.Error("nobody was removed")
			}
			bob, did, told := s.clients[0], "Bob was removed by the game host", "the game host removed you from the room"
			if ban {
				did, told = "Bob was banned by the game host", "the game host banned you from this room"
				if err := s.host.Kick(s.now, 1, "", true); err == nil || !bob.linked {
					t.Errorf("somebody without a key was banned: %v", err)
				}
			}
			s.host.Proven(bob.id, [32]byte{1})
			s.must(s.host.Kick(s.now, 1, "no\x07 manners", ban))
			s.pump()
			c := want[event.RoomClosed](t, "Bob", bob.seen)
			says(t, "Bob", c.Words, told+" (no manners)")
			says(t, "the game host", want[event.PlayerLeft](t, "the game host", s.seen).Words, did+" (no manners)")
			if c.Reason != message.ClosedKicked || bob.linked || !chatted(s.clients[1].seen, did) {
				t.Errorf("reason %d, linked %v, Carol was told %v", c.Reason, bob.linked, s.clients[1].seen)
			}
			if brother := s.connectFrom("10.0.0.1:12344", nil); brother != nil { // behind the same router
				s.host.Proven(brother.id, [32]byte{2})
				s.pump()
				if brother.Phase() != room.PhaseLobby {
					t.Error("somebody at the same address is kept out")
				}
			}
			come := func() *simClient {
				c := s.connectFrom("10.7.7.7:12345", nil) // from wherever Bob is now
				s.host.Proven(c.id, [32]byte{1})
				s.pump()
				return c
			}
			again := come()
			if !ban {
				if again.Phase() != room.PhaseLobby {
					t.Error("who was removed once cannot come back")
				}
				return
			}
			r := want[event.Refused](t, "Bob", again.seen)
			says(t, "Bob", r.Sentence, "banned")
			if r.Code != room.CodeBanned {
				t.Errorf("code %d", r.Code)
			}
			b := s.host.Banned()
			if len(b) != 1 || b[0].Nickname != "Bob" || s.host.Pardon(s.now, [32]byte{9}) == nil {
				t.Fatalf("those kept out are %+v", b)
			}
			s.must(s.host.Pardon(s.now, b[0].Key))
			s.pump()
			if come().Phase() != room.PhaseLobby {
				t.Error("who may come again cannot")
			}
		})
	}
}

// Behind a relay a ban is for the installation: not for the others there, and another mailbox is
// of no use.
func TestBanBehindARelay(t *testing.T) {
	s := newSim(t, nil)
	come := func(n int, key byte) *simClient {
		c := s.connectFrom(mailbox(n), nil)
		s.host.Proven(c.id, [32]byte{key})
		s.pump()
		return c
	}
	come(1, 1)
	s.must(s.host.Kick(s.now, 1, "", true))
	s.pump()
	if r := want[event.Refused](t, "Bob", come(2, 1).seen); r.Code != room.CodeBanned {
		t.Errorf("Bob is told %v", r)
	}
	if f := want[event.JoinFailed](t, "the game host", s.seen); strings.Contains(f.Words, "relay=") || !strings.HasPrefix(f.Words, "someone at the relay relay.example:21206") {
		t.Errorf("the game host is told %q", f.Words)
	}
	if c := come(3, 2); c.Phase() != room.PhaseLobby {
		t.Errorf("another behind the relay is told %+v", c.seen)
	}
}

func TestPingsReachEveryone(t *testing.T) {
	s := lobby(t, 2, nil)
	s.host.Measured(1, room.Beat{Ping: 80 * time.Millisecond, Jitter: 5 * time.Millisecond})
	s.host.Measured(2, room.Beat{Ping: 40 * time.Millisecond, Jitter: 2 * time.Millisecond})
	s.host.Measured(0, room.Beat{Ping: time.Hour, Jitter: time.Hour}) // itself
	s.wait(2 * time.Second)
	p := s.clients[1].Room().Players
	if p[1].Ping != 80*time.Millisecond || p[1].Jitter != 5*time.Millisecond || p[2].Ping != 40*time.Millisecond || p[0].Ping != 0 {
		t.Errorf("Carol sees %+v", p)
	}
	if got, want := room.SuggestRoomDelay(p, room.Lockstep), room.SuggestDelay(120*time.Millisecond, 7*time.Millisecond); got != want {
		t.Errorf("the room should use delay %d, want %d", got, want)
	}
	s.alike()
}

// A program that hangs while its connection lives is found out, on both sides.
func TestSilenceInTheRoom(t *testing.T) {
	s := lobby(t, 2, nil)
	s.clients[0].mute = true
	s.wait(29 * time.Second)
	if n := len(s.host.Roster()); n != 3 {
		t.Fatalf("after 29 s %d are there", n)
	}
	s.wait(2 * time.Second)
	says(t, "the game host", want[event.PlayerLeft](t, "the game host", s.seen).Words, "Bob was dropped", "has said nothing for 30 seconds")
	if s.clients[1].Phase() != room.PhaseLobby {
		t.Error("Carol, who is well, was dropped too")
	}
	carol := s.clients[1]
	for range 31 * 20 { // now the game host is silent
		s.now = s.now.Add(50 * time.Millisecond)
		carol.Tick(s.now)
		carol.Outgoing()
	}
	says(t, "Carol", want[event.ConnectionLost](t, "Carol", carol.Events()).Words, "the connection to the game host Ann was lost", "this computer takes over the room")
}

// A quiet room lives for ever: both sides show signs of life.
func TestQuietRoomStays(t *testing.T) {
	s := lobby(t, 2, nil)
	s.wait(10 * time.Minute)
	if len(s.host.Roster()) != 3 || s.clients[0].Phase() != room.PhaseLobby {
		t.Errorf("after ten quiet minutes: %+v", s.host.Roster())
	}
}

// A computer that slept for an hour blames nobody.
func TestSleepBlamesNobody(t *testing.T) {
	s := lobby(t, 2, nil)
	s.prepare()
	s.now = s.now.Add(time.Hour)
	s.host.Tick(s.now)
	for _, c := range s.clients {
		c.Tick(s.now)
	}
	s.pump()
	if s.host.Phase() != room.PhasePreparing || len(s.host.Roster()) != 3 {
		t.Errorf("after a sleep: phase %v, events %v", s.host.Phase(), s.seen)
	}
}

func TestLeavingAndClosing(t *testing.T) {
	s := lobby(t, 3, nil)
	bob, carol, dave := s.clients[0], s.clients[1], s.clients[2]
	bob.Leave(s.now, "dinner")
	bob.Leave(s.now, "twice")
	s.pump()
	says(t, "the game host", want[event.PlayerLeft](t, "the game host", s.seen).Words, "Bob left the room (dinner)")
	if bob.linked || bob.Phase() != room.PhaseClosed || len(s.host.Roster()) != 3 {
		t.Errorf("Bob left, but: linked %v, phase %v", bob.linked, bob.Phase())
	}
	if err := bob.Chat(s.now, "still here"); !errors.Is(err, room.ErrPhase) {
		t.Errorf("Bob may still talk: %v", err)
	}
	erin := s.join(nil)
	if erin.Me().Seat != 1 || erin.Me().Machine != 1 {
		t.Errorf("the free seat was not given: %+v", erin.Me())
	}
	dave.vanish()
	says(t, "Dave", want[event.RoomLost](t, "Dave", dave.seen).Words, "the connection to the game host Ann was lost (timed out)")
	s.alike()

	s.host.Close(s.now, "good night")
	s.host.Close(s.now, "twice")
	s.pump()
	for _, c := range []*simClient{carol, erin} {
		closed := want[event.RoomClosed](t, "a client", c.seen)
		says(t, "a client", closed.Words, "the game host closed the room (good night)")
		if closed.Reason != message.ClosedByHost || c.linked || count[event.RoomLost](c.seen) > 0 {
			t.Errorf("reason %d, linked %v, events %v", closed.Reason, c.linked, c.seen)
		}
	}
	if s.host.Phase() != room.PhaseClosed || s.host.Chat(s.now, "x") == nil {
		t.Error("the room is not closed")
	}
	s.host.Connected(s.now, 1000, "")
	s.host.Tick(s.now)
	if out := s.host.Outgoing(); out != nil {
		t.Errorf("a closed room says %v", out)
	}
}

// A room does not let in more of them than it can tell others of: the one who was banned first may come again.
func TestBannedAreBounded(t *testing.T) {
	s := newSim(t, nil)
	for i := range room.MaxBanned + 1 {
		s.host.ban([32]byte{byte(i + 1)}, "Mallory")
	}
	if b := s.host.Banned(); len(b) != room.MaxBanned || s.host.isBanned([32]byte{1}) || !s.host.isBanned([32]byte{2}) {
		t.Errorf("%d are kept out", len(b))
	}
	bob := s.join(nil)
	if !bob.linked {
		t.Error("Bob cannot be told of all")
	}
}
