package gameview

import (
	"fmt"
	"image"
	"slices"
	"testing"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/pads"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// fingers shows consoles on a handheld's display and lets fingers do something there.
func (th *testView) fingers(list ...widgets.Finger) (told []string) {
	th.hand.told = nil
	for _, f := range list {
		// As SDL has it, the first finger is the mouse as well.
		th.step(func(in *widgets.Input) {
			in.Fingers, in.Touch, in.Mouse = []widgets.Finger{f}, true, f.At
			if f.Down {
				in.Pressed, in.Held = widgets.LeftButton, in.Held.With(widgets.LeftButton)
			}
			if f.Up {
				in.Released, in.Held = widgets.LeftButton, in.Held.Without(widgets.LeftButton)
			}
		})
	}
	return th.hand.told
}

// middleOf is where the middle of a bottom screen's pixel is drawn.
func middleOf(at image.Rectangle, t pads.Turn, px, py uint8) draw.Point {
	r := rectOf(at, t, px, py)
	return draw.Pt(float32(r.Min.X+r.Max.X)/2, float32(r.Min.Y+r.Max.Y)/2)
}

// TestFingersTouchEachLayout: a finger touches the pixel that is under it, once, wherever an
// arrangement shows the bottom screen, on a handheld's display and on one of twice the dots.
func TestFingersTouchEachLayout(t *testing.T) {
	for _, scale := range []int{1, 2} {
		for _, how := range []Options{
			{}, {Layout: Horizontal}, {Layout: Horizontal, Emphasis: LargeDown}, {Layout: Hybrid}, {Layout: Hybrid, Swap: true}, {Layout: BottomOnly},
		} {
			th := newTestView(t, 1280*scale, 800*scale, float32(scale))
			th.Begin(twoSeats, []ds.Seat{0})
			p := th.Preferences()
			p.Options = how
			th.SetPreferences(p)
			th.step(nil)
			places := th.plan.Mine[0].Screens.bottoms()
			if want := map[bool]int{false: 1, true: 2}[how == Options{Layout: Hybrid, Swap: true}]; len(places) != want {
				t.Fatalf("%+v: shown at %v", how, places)
			}
			for _, at := range places {
				told := th.fingers(
					widgets.Finger{ID: 3, At: middleOf(at, pads.Upright, 17, 180), Down: true},
					widgets.Finger{ID: 3, At: middleOf(at, pads.Upright, 200, 3)},
					widgets.Finger{ID: 3, At: middleOf(at, pads.Upright, 200, 3).Add(draw.Pt(9000, 0))}, // along the edge
					widgets.Finger{ID: 3, At: middleOf(at, pads.Upright, 255, 191), Up: true})
				want := []string{"touch 0: 17,180", "touch 0: 200,3", "touch 0: 255,3", "touch 0: 255,191", "lift 0"}
				if !slices.Equal(told, want) {
					t.Errorf("%+v at %v: %q, want %q", how, at, told, want)
				}
			}
		}
	}
}

// TestThumbsDoNotMatter: with a thumb on the edge of the display, another finger touches, and
// only its lifting lifts the stylus.
func TestThumbsDoNotMatter(t *testing.T) {
	th := newTestView(t, 1280, 800, 1)
	th.Begin(twoSeats, []ds.Seat{0})
	th.step(nil)
	at := th.plan.Mine[0].Screens.Bottom
	told := th.fingers(
		widgets.Finger{ID: 1, At: draw.Pt(3, 790), Down: true},
		widgets.Finger{ID: 2, At: middleOf(at, pads.Upright, 100, 90), Down: true},
		widgets.Finger{ID: 4, At: middleOf(at, pads.Upright, 5, 5), Down: true},
		widgets.Finger{ID: 1, At: draw.Pt(4, 790), Up: true},
		widgets.Finger{ID: 2, At: middleOf(at, pads.Upright, 101, 90)},
		widgets.Finger{ID: 2, At: middleOf(at, pads.Upright, 101, 90), Up: true},
		widgets.Finger{ID: 4, At: middleOf(at, pads.Upright, 5, 5), Up: true})
	if want := []string{"touch 0: 100,90", "touch 0: 101,90", "touch 0: 101,90", "lift 0"}; !slices.Equal(told, want) {
		t.Errorf("%q, want %q", told, want)
	}
}

// TestHybridSwaps: each of both hotkeys makes the other screen large, says so, and is undone by
// a second press.
func TestHybridSwaps(t *testing.T) {
	th := newTestView(t, 1280, 800, 1)
	th.Begin(twoSeats, []ds.Seat{0})
	p := th.Preferences()
	p.Layout = Hybrid
	th.SetPreferences(p)
	for i, key := range []string{"F6", "F5", "F5", "F6"} {
		th.press(key, 0)
		s, large := th.plan.Mine[0].Screens, th.Preferences().LargeBottom()
		if large != (i%2 == 0) || large != (s.Bottom.Dx() > s.Top.Dx()) || large != s.AgainBottom {
			t.Errorf("after %s: %+v", key, s)
		}
		if want := fmt.Sprintf("The %s screen is large.", map[bool]string{true: "bottom", false: "top"}[large]); th.notice.text != want {
			t.Errorf("after %s it says %q", key, th.notice.text)
		}
	}
}
