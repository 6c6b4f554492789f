package app

import (
	"image"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ui/pads"
	"github.com/nettplay/nettplay/internal/ui/widgets"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// A handheld's display of 1280x800 at the interface size that suits it is 800x500 points, see
// window.surroundings.
var (
	handheld              = image.Pt(800, 500)
	handheldScale float32 = 1.6
)

// onHandheld are the scenes that a player sees in an evening.
var onHandheld = []string{
	"welcome", "home", "games", "host", "join-rooms", "join-writing", "online", "lobby", "lobby-code", "play-alone", "play-four", "play-hybrid",
	"play-horizontal", "menu", "keys", "settings-pages", "ended-lost",
}

// TestScreensOnAHandheld: on a handheld, used by a controller alone, all of every such screen can be
// seen and reached, no text is smaller than 20 pixels, and all looks as in its golden picture.
func TestScreensOnAHandheld(t *testing.T) {
	must.HaveLinux(t, "paths of Linux in the pictures")
	all := append(scenes(), playScenes()...)
	for _, name := range onHandheld {
		t.Run(name, func(t *testing.T) {
			i := slices.IndexFunc(all, func(s scene) bool { return s.name == name })
			if i < 0 {
				t.Fatal("there is no such scene")
			}
			p := inspect(t, all[i], handheld, handheldScale)
			if pressed[name] == nil {
				p.in.Nav = widgets.NavDown
				p.frame(20 * time.Millisecond)
			}
			least := p.ui.Canvas().LineHeight(widgets.StyleSmall)
			if high := widgets.StyleSmall.Size * handheldScale; high < 20 {
				t.Errorf("small text is %.1f pixels high", high)
			}
			for _, w := range p.ui.Canvas().Texts() {
				if w.Place.H < least-1 {
					t.Errorf("%q is lower than small text", w.Text)
				}
			}
			compare(t, filepath.Join("testdata", "handheld", name+".png"), p.pictured(t))
		})
	}
}

// TestScreensByPad: a controller changes how the screens stand while a game runs, which is remembered
// for the game; in the menu its buttons are not for that.
func TestScreensByPad(t *testing.T) {
	p := &program{ui: plainUI(t)}
	p.shell = gameScene(longNames[:2], 1, func(_ *Shell, b *hub) { p.hub = b })(t)
	show := func() {
		p.hub.mute(p.shell)
		p.ui.Frame(widgets.Input{Size: image.Pt(1280, 800), Scale: 1.6, Focused: true}, p.shell.Build)
	}
	show()
	for range 2 {
		p.screens(pads.Move{Layout: true})
	}
	p.screens(pads.Move{Swap: true})
	control := &fakeControl{}
	p.shell.session.Opened(control)
	p.screens(pads.Move{Clip: true})
	if !slices.Contains(control.said, "clip") {
		t.Errorf("the button for a clip does %q", control.said)
	}
	show()
	if v := p.shell.Video(); v.Layout != "hybrid" || !v.Swap {
		t.Errorf("after three presses the screens stand as %+v", v)
	}
	p.shell.session.ToggleMenu()
	show()
	p.screens(pads.Move{Layout: true, Swap: true})
	show()
	if v := p.shell.Video(); v.Layout != "hybrid" || !v.Swap {
		t.Errorf("in the menu the screens are changed: %+v", v)
	}
}
