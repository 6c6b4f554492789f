package app

import (
	"image"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/nettplay/nettplay/config"
	hostroom "github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
	"github.com/nettplay/nettplay/internal/ui/screen/viewer"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// monkey presses and types anything anywhere, and answers what the screens want.
type monkey struct {
	*rand.Rand
	m       *Shell
	screens map[screen.ID]bool
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
func (k *monkey) answer(c call) {
	switch c.name {
	case "OpenSession":
		k.m.session.Opened(&fakeControl{})
		k.m.session.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhaseLobby, playerIn(0, 0, "Ann", true), playerIn(1, 1, "Bob", true))})
		k.m.session.Notice(notice.Blockers{})
	case "EndSession":
		k.m.session.Over(notice.Report{}, nil)
	case "FindCore":
		core := k.m.Core
		core.Found = true
		k.m.CoreFound(core)
	case "ListReplays":
		k.m.recordings.List = []viewer.Recording{{GameFile: screen.GameFile{Path: "/a", Game: "A"}}, {GameFile: screen.GameFile{Path: "/b", Game: "B", Why: "It is cut off."}}}
	case "WatchReplay":
		k.m.viewer.Watched(&player.Player{})
	}
}

// TestMonkey: whatever is clicked and typed, nothing breaks, every screen is
// reached, and the settings stay valid.
func TestMonkey(t *testing.T) {
	k := &monkey{Rand: rand.New(rand.NewPCG(1, 3)), m: homeShell(t), screens: map[screen.ID]bool{}}
	fullShelf(k.m)
	ui := widgets.New(fontsIn(t, k.m.Store), nil)
	in := widgets.Input{Size: image.Pt(800, 600), Scale: 1, Focused: true}
	var valid config.Config
	for step := 0; step < 6000 || len(k.missed()) > 0 && step < 90_000; step++ {
		now := in
		k.press(&now)
		ui.Frame(now, k.m.Build)
		if now.Pressed != 0 {
			now.Pressed, now.Released, now.Held = 0, widgets.LeftButton, 0
			ui.Frame(now, k.m.Build)
		}
		for _, c := range calls(k.m) {
			k.answer(c)
		}
		if k.m.Current == screen.Lobby && step%7 == 0 {
			k.m.session.Notice(notice.Playing{})
		}
		if k.m.Current == screen.Playing && step%97 == 0 {
			k.m.session.Notice(notice.GameOver{})
		}
		if step%500 == 499 && k.m.session.Room == nil {
			k.m.Go(screen.Settings) // a small button that is hard to hit
			k.m.settings.At = settings.Page(step / 500 % len(settings.Pages()))
		}
		if k.m.session.Room != nil && step%300 == 299 {
			k.m.session.Over(notice.Report{}, nil) // the first screen leads back into a room soon enough
		}
		if k.m.Current == screen.Home && step%20 == 0 {
			k.m.Go(screen.About) // another one
		}
		k.screens[k.m.Current] = true
		in.Now += 16 * time.Millisecond
		if reflect.DeepEqual(k.m.Config, valid) {
			continue
		}
		if err := k.m.Config.Validate(); err != nil {
			t.Fatalf("step %d: the settings are not valid any more: %v", step, err)
		}
		valid = settings.Clone(k.m.Config)
	}
	for _, s := range k.missed() {
		t.Errorf("the screen %v was never reached", s)
	}
}

// missed are the screens that were never reached.
func (k *monkey) missed() (list []screen.ID) {
	for _, s := range []screen.ID{
		screen.Home, screen.Games, screen.Host, screen.Join, screen.Alone, screen.Lobby, screen.Playing, screen.Recordings, screen.Settings, screen.About,
	} {
		if !k.screens[s] {
			list = append(list, s)
		}
	}
	return list
}
