package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/lan"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/gameview"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/start"
	"github.com/nettplay/nettplay/internal/ui/screen/viewer"
)

// TestSpectate watches a room, from the form to its end and back.
func TestSpectate(t *testing.T) {
	m := homeShell(t)
	m.Go(screen.Join)
	m.join.Spectate()
	if at(t, m, screen.Join); m.Trouble == nil {
		t.Fatal("watching nothing gives no word")
	}
	m.GoBack()
	m.join.Form.Address, m.join.Form.Password = " friend.example ", "pw"
	calls(m)
	m.join.Spectate()
	at(t, m, screen.Watching)
	if got := calls(m); !wants(got, "WatchRoom", "friend.example:21204", "pw") || len(m.Memory.Addresses) != 0 {
		t.Fatalf("wants %v, remembers %q before it was let in", got, m.Memory.Addresses)
	}
	w := m.viewer.Watching
	title, _ := w.WaitingWords()
	if !w.Waits() || title != "Connecting …" {
		t.Errorf("on the way in: %q", title)
	}
	lobby := testRoom(room.PhaseLobby, playerIn(0, 0, "Ann", true))
	m.viewer.Notice(notice.RoomNotice{Room: lobby, Me: -1})
	if !slices.Equal(m.Memory.Addresses, []string{"friend.example"}) {
		t.Errorf("remembered: %q", m.Memory.Addresses)
	}
	if title, words := w.WaitingWords(); title != "Ann's room" || words != "With Ann. The game has not started. It appears here as soon as it does." {
		t.Errorf("in the lobby: %q, %q", title, words)
	}
	m.viewer.Watched(&fakeRemote{})
	m.viewer.Status(player.Status{Frame: 9, Live: true})
	if w.Waits() {
		t.Error("the game does not show")
	}
	m.viewer.Notice(notice.GameOver{})
	if _, words := w.WaitingWords(); !w.Waits() || !strings.Contains(words, "The game is over.") {
		t.Errorf("after the game: %q", words)
	}
	m.viewer.Over(watchTrouble(&notice.Failure{Result: notice.ResultLost, Err: errors.New("the room is closed"), Hint: "x"}, true))
	if at(t, m, screen.Join); m.Trouble == nil || m.Trouble.Title != "There is nothing more to watch" || m.join.Form.Password != "pw" {
		t.Errorf("after all: %+v, form %+v", m.Trouble, m.join.Form)
	}
}

// TestWatchRoomOfTheList: a room that takes nobody more cannot be chosen for it.
func TestWatchRoomOfTheList(t *testing.T) {
	m := homeShell(t)
	m.Go(screen.Join)
	m.join.Form.Address = "203.0.113.7"
	if !m.join.MayWatch() {
		t.Error("an address that was typed may not be tried")
	}
	for _, watch := range []bool{false, true} {
		m.join.ChooseRoom(lan.Found{Beacon: lan.Beacon{Room: "R", Watch: watch}})
		if m.join.MayWatch() != watch {
			t.Errorf("a room that says %v: %v", watch, m.join.MayWatch())
		}
	}
}

// TestSettingsOfTheRoom: what the form and the settings say of late-comers and spectators is
// what the room gets, and the host changes it in the lobby.
func TestSettingsOfTheRoom(t *testing.T) {
	s := launch.RoomSettings(config.Defaults(), 2)
	if s.NoLateJoin || s.Spectators != 4 || s.SpectateDelay != 2 {
		t.Errorf("the usual settings give %+v", s)
	}
	m := homeShell(t)
	m.games.PickFor(start.ForHost)
	m.games.Pick(m.Games.Games[0])
	m.host.Form.LateJoin, m.host.Form.Spectators, m.host.Form.SpectateDelay = false, 7, time.Minute
	m.host.OpenRoom()
	if s := launch.RoomSettings(m.Config, 2); !s.NoLateJoin || s.Spectators != 7 || s.SpectateDelay != 60 {
		t.Errorf("the form gives %+v", s)
	}
	m, c := hosted(t)
	m.session.SetLateJoin(false)
	m.session.SetSpectators(99)
	m.session.SetSpectateDelay(9999)
	if s := c.settings; !s.NoLateJoin || s.Spectators != room.MaxSpectators || s.SpectateDelay != room.MaxSpectateDelay {
		t.Errorf("the lobby gives %+v", s)
	}
	m.session.AskKickSpectator(room.Spectator{Number: 3, Nickname: "Uma"})
	m.Answer(true)
	m.session.AskKickSpectator(room.Spectator{Number: 4, Nickname: "Mallory"})
	m.Question.DoElse()
	m.Answer(false)
	m.session.Notice(notice.Banned{List: []room.Banned{{Key: [32]byte{5}, Nickname: "Mallory"}}})
	m.session.Pardon(m.session.Room.Banned[0].Key)
	m.session.Room.Hosting = false
	m.session.SetSpectators(1)
	if got := c.said[3:]; !slices.Equal(got, []string{"kick spectator 3", "kick spectator 4 for good", "pardon 5"}) {
		t.Errorf("of the session is wanted %q", got)
	}
}

// recordedIO writes down whose consoles are shown.
type recordedIO struct {
	GameIO
	mu    sync.Mutex
	said  []string
	shown int
}

func (p *recordedIO) say(what string, consoles []gameview.Console, mine []ds.Seat) {
	p.mu.Lock()
	defer p.mu.Unlock()
	names := ""
	for _, s := range consoles {
		names += fmt.Sprintf(" %d:%s", s.Seat, s.Name)
	}
	p.said = append(p.said, fmt.Sprintf("%s%s mine %d", what, names, mine))
}

func (p *recordedIO) Begin(consoles []gameview.Console, mine []ds.Seat) {
	p.say("begin", consoles, mine)
}

func (p *recordedIO) Change(consoles []gameview.Console, mine []ds.Seat) {
	p.say("change", consoles, mine)
}
func (p *recordedIO) Show(ds.Seat, emucore.Frame) { p.shown++ }

// TestRoster: a player who comes into a running game is shown, and one who has left is not any more.
func TestRoster(t *testing.T) {
	p := &recordedIO{}
	c := newRoster(p)
	ann, bob, eve := playerIn(0, 0, "Ann", true), playerIn(1, 1, "Bob", true), playerIn(2, 2, "Eve", true)
	c.show(5, emucore.Frame{}) // of no game
	c.begin([]gameview.Console{{Seat: 0, Name: "Ann"}, {Seat: 1, Name: "Bob"}}, []ds.Seat{0}, nil)
	c.show(1, emucore.Frame{})
	c.room(testRoom(room.PhasePlaying, ann, bob, eve))
	c.show(2, emucore.Frame{})
	c.show(2, emucore.Frame{})
	bob.Present = false
	c.room(testRoom(room.PhasePlaying, ann, bob, eve))
	c.show(1, emucore.Frame{}) // its last frames
	c.end()
	c.show(3, emucore.Frame{})
	want := []string{"begin 0:Ann 1:Bob mine [0]", "change 0:Ann 1:Bob 2:Eve mine [0]", "change 0:Ann 2:Eve mine [0]"}
	if !slices.Equal(p.said, want) || p.shown != 6 {
		t.Errorf("the game view was told %q, of %d frames", p.said, p.shown)
	}
	// A spectator has no console.
	p.said = nil
	c.begin(nil, nil, func() []room.SeatPlan {
		return []room.SeatPlan{{Seat: 0, Nickname: "Ann"}, {Seat: 3, Nickname: "Dora"}}
	})
	c.show(3, emucore.Frame{})
	c.show(0, emucore.Frame{})
	want = []string{"begin mine []", "change 3:Dora mine [3]", "change 0:Ann 3:Dora mine [0 3]"}
	if !slices.Equal(p.said, want) {
		t.Errorf("of a room that is watched the game view was told %q", p.said)
	}
}

// TestRosterOfARecording: whose console there is goes by where a recording stands, forwards
// and back.
func TestRosterOfARecording(t *testing.T) {
	plans := []room.SeatPlan{{Seat: 0, Nickname: "Ann"}, {Seat: 1, Nickname: "Bob"}, {Seat: 2, Nickname: "Eve"}}
	all := func() []room.SeatPlan { return plans }
	for _, test := range []struct {
		consoles []gameview.Console
		mine     []ds.Seat
		want     []string
	}{
		{
			[]gameview.Console{{Seat: 0, Name: "Ann"}, {Seat: 1, Name: "Bob"}},
			[]ds.Seat{1},
			[]string{"begin 0:Ann 1:Bob mine [1]", "change 0:Ann 1:Bob 2:Eve mine [1]", "change 1:Bob 2:Eve mine [1]", "change 1:Bob mine [1]", "change 0:Ann 1:Bob mine [1]"},
		},
		{
			nil, nil,
			[]string{
				"begin mine []", "change 0:Ann mine [0]", "change 0:Ann 1:Bob mine [0 1]", "change 0:Ann 1:Bob 2:Eve mine [0 1 2]",
				"change 1:Bob 2:Eve mine [1 2]", "change 1:Bob mine [1]", "change 0:Ann 1:Bob mine [0 1]",
			},
		},
	} {
		p := &recordedIO{}
		c := newRoster(p)
		show := func(consoles ...ds.Seat) {
			for _, seat := range consoles {
				c.show(seat, emucore.Frame{})
			}
		}
		c.begin(test.consoles, test.mine, all)
		c.at(plans[:2])
		show(0, 1)
		c.at(plans)
		show(0, 1, 2)
		c.at(plans[1:]) // Ann has left
		show(0, 1, 2)
		c.at(nil) // nothing is known: as before
		c.at(plans[:2])
		show(0, 1)
		c.at(plans[:2])
		show(0, 1, 2) // Eve's last picture before the place was changed
		if !slices.Equal(p.said, test.want) {
			t.Errorf("the game view was told\n%q, want\n%q", p.said, test.want)
		}
	}
}

// TestRosterEnlarges: whose screens are large is for who watches to say, as long as that
// console is there.
func TestRosterEnlarges(t *testing.T) {
	p := &recordedIO{}
	c := newRoster(p)
	c.enlarge(0) // nothing is shown
	plans := []room.SeatPlan{{Seat: 0, Nickname: "Ann"}, {Seat: 1, Nickname: "Bob"}}
	c.begin([]gameview.Console{{Seat: 0, Name: "Ann"}, {Seat: 1, Name: "Bob"}}, []ds.Seat{0}, func() []room.SeatPlan { return plans })
	c.enlarge(1)
	c.enlarge(7) // who is not there
	if seats, large := c.shown(); len(seats) != 2 || large != 1 {
		t.Errorf("%v are seen, and %d is large", seats, large)
	}
	c.enlarge(viewer.AllSeats)
	c.enlarge(1)
	c.at(plans[:1]) // Bob has left
	if seats, large := c.shown(); len(seats) != 1 || large != viewer.AllSeats {
		t.Errorf("%v are seen, and %d is large", seats, large)
	}
	want := []string{"begin 0:Ann 1:Bob mine [0]", "change 0:Ann 1:Bob mine [1]", "change 0:Ann 1:Bob mine [0 1]", "change 0:Ann 1:Bob mine [1]", "change 0:Ann mine [0]"}
	if !slices.Equal(p.said, want) {
		t.Errorf("the game view was told\n%q, want\n%q", p.said, want)
	}
}

// TestWatchingSomethingElse: what is over too late does not end what is watched since.
func TestWatchingSomethingElse(t *testing.T) {
	m := homeShell(t)
	posts := make(chan func(*Shell), 100)
	e := newEngine(Places{}, "test", &recordedIO{}, func(f func(*Shell)) { posts <- f })
	defer e.close()
	hold := make(chan struct{})
	m.viewer.Watch(viewer.Recording{GameFile: screen.GameFile{Path: "/a"}})
	e.shell = m
	e.watch(func(context.Context, launch.Machine, *showing) *screen.Trouble { <-hold; return nil })
	m.GoBack()
	m.viewer.Watch(viewer.Recording{GameFile: screen.GameFile{Path: "/b"}})
	e.watching.stop()
	close(hold)
	(<-posts)(m)
	if at(t, m, screen.Watching); m.viewer.Watching == nil {
		t.Error("the end of the first has ended the second")
	}
}
