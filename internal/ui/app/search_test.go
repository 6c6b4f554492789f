package app

import (
	"fmt"
	"image"
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/doctor"
	"github.com/nettplay/nettplay/internal/language"
	"github.com/nettplay/nettplay/internal/online"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/files"
	"github.com/nettplay/nettplay/internal/ui/screen/start"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// searched is a screen with a list, a word that finds one thing on it, and that thing and another as they are shown.
type searched struct {
	make               func(t *testing.T) *Shell
	word, shown, other string
}

func searches() map[string]searched {
	return map[string]searched{
		"home":       {withGames(func(*Shell) {}), "zebra", "Zebra Crossing", "Monster Trainers"},
		"games":      {withGames(func(m *Shell) { m.games.PickFor(start.ForHost) }), "zebra", "Zebra Crossing", "Puzzle"},
		"recordings": {atHome(manyRecordings), "ポケット", "ぽけっと だいぼうけん", "Advance Racer DS"},
		"moments": {momentsScene(func(m *Shell) {
			m.moments.List = []start.Moment{{GameFile: screen.GameFile{Name: "Before the boss"}}, {GameFile: screen.GameFile{Name: "Après"}}}
		}), "apres", "Après", "Before the boss"},
		"saves": {func(t *testing.T) *Shell { return savesShell(t) }, "zebra", "Zebra Crossing", "3 May 2026, 21:04"},
		"cores": {atHome(func(m *Shell) {
			m.Core.All = []emucore.Core{{Name: "melonDS DS", Path: "/a"}, {Name: "NooDS", Path: "/b"}}
			m.Go(screen.Cores)
		}), "noo", "NooDS", "melonDS DS"},
		"rooms and friends": {onlineScene(func(m *Shell) {
			view := openRooms()
			view.Friends = []online.Friend{{Nickname: "Zoe", State: online.There}, {Nickname: "Cem", State: online.There}}
			m.Config.Net.Friends = true
			m.online.See(view)
		}), "zoe", "Zoe", "Cem"},
		"rooms nearby": {atHome(func(m *Shell) {
			m.Go(screen.Join)
			m.join.Rooms = sampleRooms()
		}), "bob", "Bob's room", longName},
		"files": {filesScene(screen.WantFile, files.Listing{Dir: "/r", Entries: []files.Entry{{Name: "racer.nds"}, {Name: "zebra.nds"}}}), "zeb", "zebra.nds", "racer.nds"},
		"check": {func(t *testing.T) *Shell {
			m := homeShell(t)
			m.Go(screen.Check)
			m.check.Found(doctor.Finding{Subject: "speed", Words: "It is fast."})
			m.check.Found(doctor.Finding{Subject: "router", Group: doctor.TheNetwork, Words: "It is strict."})
			m.check.Over()
			return m
		}, "strict", "Router: It is strict.", "Speed: It is fast."},
		"settings": {atHome(func(m *Shell) { m.Go(screen.Settings) }), "volume", "Volume", "Birthday"},
	}
}

func (h *hand) shows(text string) bool {
	return slices.ContainsFunc(h.texts(), func(s string) bool { return strings.HasPrefix(s, text) })
}

// TestSearchEverywhere: on each screen with a list Ctrl+F leads to the search, what is written leaves what has it, in
// English and in the window's language, and Escape brings all back without leaving the screen.
func TestSearchEverywhere(t *testing.T) {
	for name, s := range searches() {
		for _, size := range []string{"small", "large"} {
			t.Run(name+" "+size, func(t *testing.T) {
				m := s.make(t)
				at, here := small, m.Current
				if size == "large" {
					at = large
				}
				h := newHand(t, m, at, 1)
				h.rest()
				if !h.shows(s.other) {
					t.Fatalf("%q does not show before: %q", s.other, h.texts())
				}
				h.letter('f', widgets.Ctrl)
				if h.ring() != "search" {
					t.Fatalf("Ctrl+F leads to %q", h.ring())
				}
				h.write(s.word)
				h.rest()
				if !h.shows(s.shown) || h.shows(s.other) {
					t.Errorf("%q shows %q", s.word, h.texts())
				}
				h.write("#")
				h.rest()
				if h.shows(s.shown) {
					t.Errorf("what nothing has shows %q", h.texts())
				}
				h.press("Escape")
				h.rest()
				if !h.shows(s.other) || m.Current != here {
					t.Errorf("Escape leads to %v, which shows %q", m.Current, h.texts())
				}
			})
		}
	}
}

// TestSearchTakesWhatItFinds: Enter leads from the search to what it found, and Enter there takes that one.
func TestSearchTakesWhatItFinds(t *testing.T) {
	m := atHome(manyRecordings)(t)
	h := newHand(t, m, large, 1)
	h.rest()
	h.letter('f', widgets.Ctrl)
	h.write("さくら trainers")
	h.press("Return")
	if h.ring() != "recordings" || m.recordings.At != 7 {
		t.Fatalf("Enter leads to %q, and number %d is lit", h.ring(), m.recordings.At)
	}
	h.press("Down", "Return")
	if w := m.viewer.Watching; m.recordings.At != 10 || w == nil {
		t.Errorf("number %d is lit, and %+v is watched", m.recordings.At, w)
	}
}

// TestNothingFoundIsNothingDone: what a search has put out of sight is neither watched nor deleted.
func TestNothingFoundIsNothingDone(t *testing.T) {
	m := atHome(manyRecordings)(t)
	m.recordings.Words = "no such thing"
	h := newHand(t, m, large, 1)
	h.rest()
	h.press("Return")
	h.key(widgets.KeyDelete)
	if m.viewer.Watching != nil || m.Question != nil || !h.shows(screen.NothingFound) {
		t.Errorf("watched is %+v, the question %+v: %q", m.viewer.Watching, m.Question, h.texts())
	}
}

// TestSearchWithoutKeyboard: a controller and a finger come to the search, and write in it with the keys on the screen.
func TestSearchWithoutKeyboard(t *testing.T) {
	for _, at := range []image.Point{smallest, large} {
		t.Run(at.String(), func(t *testing.T) {
			h := newHand(t, atHome(manyRecordings)(t), at, 1)
			h.rest()
			h.pad(widgets.NavUp)
			for range 3 {
				if h.ring() != "search" {
					h.pad(widgets.NavRight)
				}
			}
			if h.ring() != "search" {
				t.Fatalf("up and right of the list is %q", h.ring())
			}
			h.pad(widgets.NavAccept)
			if !h.shows("shift") {
				t.Errorf("A shows no keys: %q", h.texts())
			}

			h = newHand(t, atHome(manyRecordings)(t), at, 1)
			h.rest()
			r, _ := h.target("search")
			h.frame(func(in *widgets.Input) { in.Touch, in.Mouse, in.MouseIn = true, r.Center(), true })
			h.frame(func(in *widgets.Input) {
				in.Touch, in.Pressed, in.Held = true, widgets.LeftButton, widgets.Buttons(0).With(widgets.LeftButton)
			})
			h.frame(func(in *widgets.Input) { in.Touch, in.Released, in.Held = true, widgets.LeftButton, 0 })
			h.rest()
			if !h.shows("shift") {
				t.Errorf("a finger shows no keys: %q", h.texts())
			}
		})
	}
}

// TestSearchBesideALongTitle: where the field has no place beside the title, a button puts it in the title's place.
func TestSearchBesideALongTitle(t *testing.T) {
	m := atHome(func(m *Shell) {
		m.Go(screen.Moments)
		for i := range 12 {
			m.moments.List = append(m.moments.List, start.Moment{GameFile: screen.GameFile{Path: fmt.Sprint(i), Name: fmt.Sprint("evening ", i)}})
		}
	})(t)
	h := newHand(t, m, smallest, 1)
	h.use(t, "find")
	if h.ring() != "search" {
		t.Fatalf("the button leads to %q", h.ring())
	}
	h.write("11")
	if !h.shows("evening 11") || h.shows("evening 1 ") || h.shows("Continue another day") {
		t.Errorf("the search shows %q", h.texts())
	}
	h.press("Escape")
	if h.rest(); !h.shows("Continue another day") {
		t.Errorf("Escape brings the title not back: %q", h.texts())
	}
}

// TestSearchInTheLanguage: what a list shows is found as it is shown.
func TestSearchInTheLanguage(t *testing.T) {
	to, err := language.Open("de")
	must.Succeed(t, err)
	m := savesShell(t)
	m.saves.Words = to.Say("no saves")
	h := newHand(t, m, large, 1)
	h.ui.SetLanguage(to)
	h.rest()
	if m.saves.Words == "no saves" || h.shows("Monster Trainers") || !h.shows("Zebra Crossing") {
		t.Errorf("%q finds %q", m.saves.Words, h.texts())
	}
}
