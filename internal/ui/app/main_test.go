package app

import (
	"context"
	"encoding/json"
	"fmt"
	"image"
	"net/netip"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"syscall"
	"testing"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/lan"
	"github.com/nettplay/nettplay/internal/language"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/testcore"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/gameview"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// appVariable makes this test binary the program itself: tests start it as a
// process of its own, and say where beacons go. Emulator workers are the same
// executable too.
const appVariable = "NETTPLAY_TEST_APP"

func init() {
	if os.Getenv(appVariable) != "" {
		runtime.LockOSThread() // the window wants the main thread
	}
}

func TestMain(m *testing.M) {
	_ = os.Setenv(language.Variable, "en") // tests look for English words
	beacons := os.Getenv(appVariable)
	if beacons == "" {
		os.Exit(testcore.Main(m))
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if err := runApp(ctx, beacons); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// seen is what a test sees of the program, a line of JSON each time that it is
// another: it waits for that instead of for time.
type seen struct {
	Screen     string
	Settled    bool   // core and games are known
	Core       string // that of the settings
	Games      int
	Game       string // of the room
	Rooms      int
	Present    int
	Ready      int
	Chat       string // the last line
	Invitation string // for friends of the room
	Port       int
	Blocked    []string
	Agreed     int64
	Frame      int64
	Menu       bool
	Watched    int64 // frames of a recording, or of a room
	Live       bool  // of a room whose game runs
	Trouble    string
	Words      string // of an end
	Spectators int
	Relay      string // that carries our game
	Top        image.Rectangle
	Bottom     image.Rectangle // of our console
	Widgets    []spot          // that can have the keyboard
	Texts      []spot
	Focus      int // which of Widgets has the keyboard; -1: none
	Forward    int // which of them is the way forward; -1: none
	Items      []string
	Lit        int // of Items, which the screen's list has
	Delay      int
	Auto       string // by which preset the game's delay keeps itself
	Asked      string // the question that shows
	Done       int    // orders for the controller that were heard
	Calm       bool   // presses do nothing for a moment, since a game has just ended
}

// spot is something in the window, in pixels.
type spot struct {
	Name string
	At   image.Rectangle // the part of it that is in sight
	All  image.Rectangle
}

func runApp(ctx context.Context, beacons string) error {
	at, err := netip.ParseAddrPort(beacons)
	if err != nil {
		return err
	}
	places, err := FindPlaces("")
	if err != nil {
		return err
	}
	var last string
	hands := &hands{}
	return Run(ctx, Options{
		Places: places, Version: "test", Software: true, Beacons: []netip.AddrPort{at}, Listen: at,
		observe: func(p *program) {
			hands.serve(p)
			if line, err := json.Marshal(look(p, hands.done)); err == nil && string(line) != last {
				last = string(line)
				fmt.Println(last)
			}
		},
	})
}

func look(p *program, done int) seen {
	m := p.shell
	s := seen{Done: done, Calm: m.calm.on(), Screen: m.Current.String(), Settled: !m.Core.Looking && !m.Games.Scanning, Core: m.Core.Core.Name, Games: len(m.Games.Games), Rooms: len(m.join.Rooms), Words: m.session.Ending.Words}
	s.Widgets, s.Texts = spots(p.ui)
	s.Focus, s.Forward = number(p.ui, p.ui.Focused()), number(p.ui, p.ui.Forward())
	s.Items, s.Lit = items(m)
	if m.Question != nil {
		s.Asked = m.Question.Words
	}
	if m.Trouble != nil {
		s.Trouble = m.Trouble.Title + ": " + m.Trouble.Words
	}
	if m.viewer.Watching != nil {
		s.Watched, s.Live = m.viewer.Watching.Status.Frame, m.viewer.Watching.Status.Live
		if seen := m.viewer.Watching.Room; seen != nil && !m.viewer.Watching.Waits() {
			s.Top, s.Bottom = placed(p, seatsOf(seen.Room), nil)
		}
	}
	r := m.session.Room
	if r == nil {
		return s
	}
	s.Present, s.Blocked, s.Frame, s.Agreed, s.Menu = r.Present(), notice.Blockers{List: r.Blockers}.Words(), r.Run.Figures.Frame, r.Run.Figures.Agreed, r.Run.Menu
	if r.Game != nil {
		s.Game = r.Game.Title
	}
	s.Relay, s.Auto = r.Run.Figures.Relay, r.Run.Figures.Auto.Preset
	s.Delay, s.Invitation, s.Port = r.Room.Settings.Delay, r.Invited.Text, r.Port
	s.Spectators = len(r.Room.Spectators)
	for _, p := range r.Room.Players {
		if p.Ready {
			s.Ready++
		}
	}
	if n := len(r.Lines); n > 0 {
		s.Chat = r.Lines[n-1].From + ": " + r.Lines[n-1].Text
	}
	s.Top, s.Bottom = screensOf(p)
	return s
}

// screensOf is where the two screens of our console are, as the game view places them.
func screensOf(p *program) (top, bottom image.Rectangle) {
	mine := ds.Seat(p.hub.main.Load())
	return placed(p, []ds.Seat{mine}, slices.DeleteFunc(seatsOf(p.shell.session.Room.Room), func(seat ds.Seat) bool { return seat == mine }))
}

// seatsOf are the seats of those who are in a room.
func seatsOf(room room.Room) (seats []ds.Seat) {
	for _, player := range room.Players {
		if player.Present {
			seats = append(seats, player.Seat)
		}
	}
	return seats
}

// placed is where the two screens of the first of our consoles are.
func placed(p *program, mine, others []ds.Seat) (top, bottom image.Rectangle) {
	c := p.ui.Canvas()
	plan := gameview.Arrange(gameview.Area{
		Width: c.Size().X, Height: c.Size().Y, Scale: float64(c.Scale()), Line: int(c.LineHeight(widgets.StyleSmall)*c.Scale()) + 2,
	}, mine, others, p.hub.view.Preferences().Options)
	return plan.Mine[0].Screens.Top, plan.Mine[0].Screens.Bottom
}

// spots are the widgets and the texts that are in sight.
func spots(u *widgets.UI) (targets, texts []spot) {
	pixels := func(r draw.Rect) image.Rectangle {
		r = r.Mul(u.Canvas().Scale())
		return image.Rect(int(r.X), int(r.Y), int(r.Right()), int(r.Bottom()))
	}
	for _, t := range u.Targets() {
		targets = append(targets, spot{t.Name, pixels(t.Seen), pixels(t.Rect)})
	}
	for _, w := range u.Canvas().Texts() {
		if at := w.Place.Intersect(w.Clip); !at.Empty() {
			texts = append(texts, spot{w.Text, pixels(at), pixels(w.Place)})
		}
	}
	return targets, texts
}

// number is which of the widgets has an ID; -1 for none.
func number(u *widgets.UI, id widgets.ID) int {
	return slices.IndexFunc(u.Targets(), func(t widgets.Target) bool { return t.ID == id })
}

// items are what the list of a screen has, and which of them is lit.
func items(m *Shell) (list []string, lit int) {
	switch m.Current {
	case screen.Games:
		lit = m.games.Lit
		for _, g := range m.games.Shown() {
			list = append(list, g.Title)
		}
	case screen.Files:
		lit = m.files.Lit
		for _, e := range m.files.Shown() {
			list = append(list, e.Name)
		}
	case screen.Join:
		lit = slices.IndexFunc(m.join.Rooms, func(f lan.Found) bool { return m.join.Form.Room != nil && f.Addr == m.join.Form.Room.Addr })
		for _, f := range m.join.Rooms {
			list = append(list, f.Room)
		}
	case screen.Online:
		list, lit = m.online.Names()
	case screen.Moments:
		for _, k := range m.moments.List {
			list = append(list, k.Title())
		}
	case screen.Recordings:
		for _, r := range m.recordings.List {
			list = append(list, r.Title())
		}
	case screen.Saves:
		lit = m.saves.Lit
		if k, _ := m.saves.Shown(); k != nil {
			for _, s := range k.Saves {
				list = append(list, fmt.Sprint(s.Number))
			}
		}
	}
	return list, lit
}
