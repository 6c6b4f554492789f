package app

import (
	"image"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/session"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// monkey presses and types anything anywhere, and answers what the model wants.
type monkey struct {
	*rand.Rand
	m       *Model
	screens map[Screen]bool
}

// press is one thing that a player may do.
func (k *monkey) press(in *widgets.Input) {
	in.Mouse = draw.Pt(k.Float32()*float32(in.Size.X), k.Float32()*float32(in.Size.Y))
	in.MouseIn = true
	keys := []widgets.Key{widgets.KeyTab, widgets.KeyEnter, widgets.KeyEscape, widgets.KeyDown, widgets.KeyUp, widgets.KeyLeft, widgets.KeyRight, widgets.KeySpace}
	switch k.IntN(6) {
	case 0, 1, 2:
		in.Pressed, in.Held, in.Clicks = widgets.LeftButton, widgets.Buttons(0).With(widgets.LeftButton), 1+k.IntN(2)
	case 3:
		in.Press = widgets.KeyPress{Key: keys[k.IntN(len(keys))]}
		in.Keys = []widgets.KeyPress{in.Press}
	case 4:
		in.Text = string(rune('0' + k.IntN(60)))
	case 5:
		in.Nav = widgets.Nav(k.IntN(9))
		in.Control = "b"
	}
}

// answer is what the world does.
func (k *monkey) answer(c Command) {
	switch c.(type) {
	case OpenSession:
		k.m.Opened(&fakeControl{})
		k.m.Notice(session.RoomNotice{Room: room(host.PhaseLobby, player(0, 0, "Ann", true), player(1, 1, "Bob", true))})
		k.m.Notice(session.Blockers{})
	case EndSession:
		k.m.Over(session.Report{}, nil)
	case FindCore:
		core := k.m.Core
		core.Found = true
		k.m.CoreFound(core)
	case ListReplays:
		k.m.Recordings = []Recording{{Path: "/a", Game: "A"}, {Path: "/b", Game: "B", Why: "It is cut off."}}
	case WatchReplay:
		k.m.Watched(&session.Player{})
	}
}

// TestMonkey: whatever is clicked and typed, nothing breaks, every screen is
// reached, and the settings stay valid.
func TestMonkey(t *testing.T) {
	k := &monkey{Rand: rand.New(rand.NewPCG(1, 2)), m: homeModel(t), screens: map[Screen]bool{}}
	fullShelf(k.m)
	store := &draw.Store{}
	v := NewView(k.m, store)
	fonts, err := draw.NewFonts(store, draw.FontConfig{System: []string{}})
	if err != nil {
		t.Fatal(err)
	}
	ui := widgets.New(fonts, nil)
	in := widgets.Input{Size: image.Pt(800, 600), Scale: 1, Focused: true}
	for step := range 6000 {
		now := in
		k.press(&now)
		ui.Frame(now, v.Build)
		if now.Pressed != 0 {
			now.Pressed, now.Released, now.Held = 0, widgets.LeftButton, 0
			ui.Frame(now, v.Build)
		}
		for _, c := range k.m.Commands() {
			k.answer(c)
		}
		if k.m.Screen == ScreenLobby && step%7 == 0 {
			k.m.Notice(session.Playing{})
		}
		if k.m.Screen == ScreenPlaying && step%97 == 0 {
			k.m.Notice(session.GameOver{})
		}
		if step%500 == 499 && k.m.Room == nil {
			k.m.GoSettings() // a small button that is hard to hit
			k.m.Settings.Page = Page(step / 500 % len(Pages()))
		}
		k.screens[k.m.Screen] = true
		in.Now += 16 * time.Millisecond
		if err := k.m.Config.Validate(); err != nil {
			t.Fatalf("step %d: the settings are not valid any more: %v", step, err)
		}
	}
	for _, s := range []Screen{
		ScreenHome, ScreenGames, ScreenHost, ScreenJoin, ScreenAlone, ScreenLobby, ScreenPlaying, ScreenRecordings, ScreenSettings, ScreenAbout,
	} {
		if !k.screens[s] {
			t.Errorf("the screen %v was never reached", s)
		}
	}
}
