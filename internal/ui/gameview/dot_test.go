package gameview

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// TestHowTheGameGoes: one sign for good, late and waiting.
func TestHowTheGameGoes(t *testing.T) {
	fine := notice.Figures{FPS: 59.8, RTT: 42 * time.Millisecond, Delay: 4}
	with := func(change func(f *notice.Figures)) notice.Figures {
		f := fine
		change(&f)
		return f
	}
	for _, tt := range []struct {
		f     notice.Figures
		alone bool
		how   goes
		words string
	}{
		{notice.Figures{}, false, unknown, ""},
		{fine, false, good, "Good: ping 42 ms, delay 4"},
		{fine, true, unknown, ""},
		{with(func(f *notice.Figures) { f.FPS = 58.2 }), false, good, "Good: ping 42 ms, delay 4"},
		{with(func(f *notice.Figures) { f.Repeated = 3 }), false, good, "Good: ping 42 ms, delay 4"},
		{with(func(f *notice.Figures) { f.Repeated = 13 }), false, late, "Late: 13 of your last 600 inputs"},
		{with(func(f *notice.Figures) { f.FPS = 41.2 }), false, late, "Slow: 41 frames a second"},
		{with(func(f *notice.Figures) { f.FPS, f.Slow = 41.2, 0.6 }), true, late, "Slow: this computer cannot keep up"},
		{with(func(f *notice.Figures) { f.Waiting, f.FPS = []string{"Ben", "Cleo"}, 3 }), false, waiting, "Waiting for Ben and Cleo"},
	} {
		how, words := goesWords(tt.f, tt.alone)
		if how != tt.how || words != tt.words {
			t.Errorf("%+v: %v, %q; want %v, %q", tt.f, how, words, tt.how, tt.words)
		}
	}
}

// TestDotInsteadOfFigures: a new game shows no figures but a dot, beside the consoles where there is room, with its
// words where the mouse is; F8 shows the figures instead.
func TestDotInsteadOfFigures(t *testing.T) {
	for _, size := range [][2]int{{1120, 720}, {300, 460}, {640, 480}} {
		th := newTestView(t, size[0], size[1], 1)
		th.SetPreferences(PreferencesOf(config.Defaults()))
		th.Begin([]Console{{Seat: 0, Name: "Ann"}, {Seat: 1, Name: "Ben"}}, []ds.Seat{0})
		th.Show(0, coded(1))
		th.Show(1, coded(1))
		th.Notice(notice.Figures{FPS: 59.8, RTT: 42 * time.Millisecond, Delay: 4, Frame: 900})
		says := func(part string) bool {
			return slices.ContainsFunc(th.texts(), func(w draw.Written) bool { return strings.Contains(w.Text, part) })
		}
		if says("fps") || says("ping") || len(th.plates) != 1 {
			t.Fatalf("%v: it shows %v and %d plates", size, th.texts(), len(th.plates))
		}
		at := th.plates[0]
		_, free := th.beside(th.ui.Canvas(), draw.Pt(dotPlate, dotPlate))
		for _, c := range th.plan.all() {
			if over := points(th.ui.Canvas(), c.Screens.Bounds()).Intersect(at); free && !over.Empty() {
				t.Errorf("%v: the dot at %v lies over a console", size, at)
			}
		}
		th.in.MouseIn, th.in.Mouse = true, at.Center()
		if !says("Good: ping 42 ms, delay 4") || !says("F8") {
			t.Errorf("%v: with the mouse on the dot it says %v", size, th.texts())
		}
		for _, w := range th.texts() {
			if all := th.ui.Canvas().Bounds(); w.Cut || w.Place.Right() > all.Right() || w.Place.X < 0 || w.Place.Bottom() > all.Bottom() {
				t.Errorf("%v: %q is not whole, at %v", size, w.Text, w.Place)
			}
		}
		th.in.MouseIn = false
		th.press("F8", widgets.Key(65))
		th.in.Now += time.Minute
		if !says("fps") || says("Good") {
			t.Errorf("%v: after F8 it shows %v", size, th.texts())
		}
	}
}
