package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	hostroom "github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/library"
	"github.com/nettplay/nettplay/internal/ui/memory"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// elsewhere are scenes that begin on a list, where Enter opens what is lit in it.
var elsewhere = []string{"files-folder", "files-file"}

// TestEnterPressesFilledButton: on every screen Enter does from the start what a click on its filled button does.
func TestEnterPressesFilledButton(t *testing.T) {
	found := 0
	for _, s := range append(scenes(), playScenes()...) {
		if slices.Contains(elsewhere, s.name) {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			begin := func() *hand {
				h := newHand(t, s.make(t), s.size, 1)
				for range 3 {
					h.rest()
				}
				calls(h.m)
				return h
			}
			did := func(h *hand) string {
				h.rest()
				s := fmt.Sprintf("%v, %s", h.m.Current, kinds(calls(h.m)))
				if q := h.m.Question; q != nil {
					s += ", " + q.Words
				}
				if tr := h.m.Trouble; tr != nil {
					s += ", " + tr.Title
				}
				return s
			}
			click, enter := begin(), begin()
			filled := slices.Clone(click.ui.Inspect().Filled)
			if len(filled) == 0 {
				return
			}
			found++
			for _, w := range click.ui.Inspect().Widgets {
				if w.ID == filled[0] {
					c := w.Place.Intersect(w.Clip).Center()
					click.click(c.X, c.Y)
				}
			}
			enter.press("Return")
			want, got := did(click), did(enter)
			if want != got {
				t.Errorf("Enter leads to %s, the filled button to %s", got, want)
			}
		})
	}
	if found < 20 {
		t.Errorf("only %d scenes have a filled button", found)
	}
}

// TestPagesByKeysDoNotBeginOnBack: a page that is entered by keys or a pad begins on what it is for, not on the way
// back, and so does Tab.
func TestPagesByKeysDoNotBeginOnBack(t *testing.T) {
	for _, s := range append(scenes(), playScenes()...) {
		t.Run(s.name, func(t *testing.T) {
			for _, by := range []string{"keys", "Tab"} {
				m := s.make(t)
				h := newHand(t, m, s.size, 1)
				if to := m.Current; by == "keys" {
					m.Current = screen.About // any other page
					h.rest()
					h.press("Tab", "Tab")
					m.Current = to
				}
				for range 3 {
					h.rest()
				}
				if by == "Tab" {
					if h.ui.Focused() != 0 {
						continue
					}
					h.press("Tab")
				}
				targets := h.ui.Targets()
				if i := number(h.ui, h.ui.Focused()); i >= 0 && targets[i].Name == "back" && len(targets) > 1 {
					t.Errorf("by %s it begins on Back, of %d widgets", by, len(targets))
				}
			}
		})
	}
}

// TestEscapeLeavesField: on every screen Escape leaves a field and nothing else; in a dialog it closes that.
func TestEscapeLeavesField(t *testing.T) {
	fields := 0
	for _, s := range scenes() {
		t.Run(s.name, func(t *testing.T) {
			m := s.make(t)
			h := newHand(t, m, s.size, 1)
			h.rest()
			h.rest()
			at, asked, trouble, keys := m.Current, m.Question, m.Trouble, m.Keys
			if asked != nil || trouble != nil || keys {
				return
			}
			for range len(h.ui.Targets()) {
				h.press("Tab")
				if !h.frame(func(*widgets.Input) {}).Typing {
					continue
				}
				fields++
				layers := func() (n int) {
					for _, w := range h.ui.Inspect().Widgets {
						n = max(n, w.Layer)
					}
					return n
				}
				before := layers()
				h.press("Escape")
				out := h.frame(func(*widgets.Input) {})
				if before > 0 {
					if layers() >= before || m.Current != at {
						t.Error("Escape in a dialog does not close it, and only that")
					}
					return
				}
				if out.Typing || m.Current != at || m.Question != nil {
					t.Fatalf("after Escape in a field: writing %v, at %v, asked %v", out.Typing, m.Current, m.Question)
				}
				return
			}
		})
	}
	if fields < 10 {
		t.Errorf("only %d scenes have fields", fields)
	}
}

// TestEscapeAsksBeforeItLeaves: a slip of Escape, or of B, leaves no room and ends no watching; the button that says
// so needs no question where nothing is lost.
func TestEscapeAsksBeforeItLeaves(t *testing.T) {
	client := func(t *testing.T) *Shell {
		m := homeShell(t)
		m.Go(screen.Join)
		m.join.Form.Address = "203.0.113.7"
		m.join.EnterRoom()
		m.session.Opened(&fakeControl{})
		m.session.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhaseLobby, playerIn(0, 0, "Bob", true), playerIn(1, 1, "Ann", false)), Me: 1})
		return m
	}
	alone := func(t *testing.T) *Shell {
		m, _ := hosted(t)
		m.session.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhaseLobby, playerIn(0, 0, "Ann", true))})
		return m
	}
	host := func(t *testing.T) *Shell { m, _ := hosted(t); return m }
	live := player.Status{Frame: 4400, Length: 4500, Live: true, Playing: true, Speed: 1}
	for _, tt := range []struct {
		name  string
		make  func(t *testing.T) *Shell
		words string
		does  string // the answer yes
	}{
		{"client", client, "Leave the room?", "EndSession"},
		{"host alone", alone, "Close the room?", "EndSession"},
		{"host", host, "Leave your room?", "EndSession"},
		{"watching", watchingScene(live), "Stop watching?", "StopReplay"},
		{"watching a lobby", watchingScene(player.Status{}), "Stop watching?", "StopReplay"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, by := range []func(h *hand){func(h *hand) { h.press("Escape") }, func(h *hand) { h.pad(widgets.NavBack) }} {
				m := tt.make(t)
				m.Game = func(*widgets.UI) {}
				h := newHand(t, m, large, 1)
				h.rest()
				at := m.Current
				calls(m)
				by(h)
				if m.Question == nil || m.Question.Words != tt.words || m.Current != at || strings.Contains(kinds(calls(m)), tt.does) {
					t.Fatalf("at %v it asks %+v", m.Current, m.Question)
				}
				by(h)
				if m.Question != nil || m.Current != at {
					t.Fatalf("a second time it does not close the question: at %v, %+v", m.Current, m.Question)
				}
				by(h)
				m.Answer(true)
				if got := kinds(calls(m)); !strings.Contains(got, tt.does) {
					t.Errorf("with yes it wants %q", got)
				}
			}
		})
	}
	m := watchingScene(live)(t)
	m.GoBack()
	m.viewer.Over(nil)
	if m.Question != nil || m.Current == screen.Watching {
		t.Error("when the room has closed, the question is still there")
	}
	m = homeShell(t)
	m.Go(screen.Join)
	m.join.Form.Address = "203.0.113.7"
	m.join.EnterRoom()
	calls(m)
	if m.GoBack(); m.Question != nil || kinds(calls(m)) != "EndSession" {
		t.Error("on the way into a room Escape does not just end that")
	}
}

// TestKeyboardComesBackBehindAQuestion: who leaves a page by answering a question has the keyboard on the page before
// where it was, not on what lies nearest to the place of the answer.
func TestKeyboardComesBackBehindAQuestion(t *testing.T) {
	m := homeShell(t)
	m.Go(screen.Join)
	m.join.Form.Address = "203.0.113.7"
	h := newHand(t, m, small, 1)
	h.rest()
	focused := func() string {
		if i := number(h.ui, h.ui.Focused()); i >= 0 {
			return h.ui.Targets()[i].Name
		}
		return ""
	}
	for range 20 {
		if h.press("Tab"); focused() == "watch" {
			break
		}
	}
	h.press("Return")
	at(t, m, screen.Watching)
	r := testRoom(hostroom.PhaseLobby, playerIn(0, 0, "Bob", true))
	r.Settings.Spectators = 4
	m.viewer.Notice(notice.RoomNotice{Room: r, Me: -1})
	h.rest()
	h.press("Escape", "Return")
	at(t, m, screen.Join)
	if h.rest(); focused() != "watch" {
		t.Errorf("the keyboard is at %q", focused())
	}
	h.press("Escape")
	at(t, m, screen.Home)
}

// TestHostByKeys: from the first start to the lobby of a room, and from there into the game, takes five presses of
// Enter at most.
func TestHostByKeys(t *testing.T) {
	m := newShell(config.Defaults(), memory.Memory{}, "1.0", fontStore())
	m.Tick(now)
	m.CoreFound(screen.Core{Found: true, Core: emucore.Core{Name: "melonDS DS", Version: "1.2.0", Wireless: true}})
	m.Games = library.List{Games: []library.Game{testGame("Pad test", 1), testGame("Zebra", 2)}}
	h := newHand(t, m, large, 1)
	h.rest()
	c, presses := &fakeControl{}, 0
	for ; presses < 12 && !slices.Contains(c.said, "start"); presses++ {
		if m.Current == screen.Joining {
			m.session.Opened(c)
			m.session.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhaseLobby, playerIn(0, 0, "Ann", true), playerIn(1, 1, "Bob", true))})
			presses--
			h.rest()
			continue
		}
		h.press("Return")
	}
	if presses > 5 || m.Current != screen.Lobby {
		t.Errorf("Enter was pressed %d times, and the screen is %v; the session was told %q", presses, m.Current, c.said)
	}
}
