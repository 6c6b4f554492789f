package gameview

import (
	"image"
	"math/rand/v2"
	"testing"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/ds"
)

// Each 16-bit pixel there is has the colour that package emucore says, in each format.
func TestColoursLikeEmucore(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, format := range []emucore.PixelFormat{emucore.RGB565, emucore.XRGB1555, emucore.XRGB8888} {
		v := emucore.Video{Width: 256, Height: 384, Pitch: 256*format.Size() + 12, Format: format}
		v.Pix = make([]byte, v.Pitch*v.Height)
		for i := range v.Pix {
			v.Pix[i] = byte(random.Uint32())
		}
		for i := range 1 << 16 {
			if format.Size() == 2 {
				at := i/256*v.Pitch + i%256*2
				v.Pix[at], v.Pix[at+1] = byte(i), byte(i>>8)
			}
		}
		th := newTestView(t, 256, 384, 1)
		th.Begin(twoSeats[:1], []ds.Seat{0})
		view := th.Preferences()
		view.HUD = false
		th.SetPreferences(view)
		th.Show(0, emucore.Frame{Video: v})
		got, want := th.picture(), v.Image()
		for y := range 384 {
			for x := range 256 {
				g, w := got.RGBAAt(x, y), image.Image(want).At(x, y)
				r, gr, b, _ := w.RGBA()
				if uint32(g.R) != r>>8 || uint32(g.G) != gr>>8 || uint32(g.B) != b>>8 {
					t.Fatalf("%v at %d, %d: %v, want %v", format, x, y, g, w)
				}
			}
		}
	}
}

// A picture is asked for when there is something new to see, at once for a console of our
// own; the others' come along with the next of those.
func TestWakesForWhatIsNew(t *testing.T) {
	for name, test := range map[string]struct {
		mine []ds.Seat
		want [4]int // wakes after: a new picture of each console, twice the same, one of Bob, one of Ann
	}{
		"player":    {[]ds.Seat{0}, [4]int{1, 2, 2, 3}},
		"two of us": {[]ds.Seat{1, 0}, [4]int{2, 2, 3, 4}},
		"watching":  {nil, [4]int{1, 2, 2, 3}},
	} {
		th := newTestView(t, 640, 480, 1)
		th.Begin(twoSeats, test.mine)
		th.step(nil)
		th.wakes = 0
		for i, show := range []func(){
			func() { th.Show(0, plain(1, 1)); th.Show(1, plain(1, 2)) },
			func() {
				for range 2 {
					th.Show(0, plain(2, 1))
					th.Show(1, plain(2, 2))
				}
			},
			func() { th.Show(1, plain(3, 3)) },
			func() { th.Show(0, plain(3, 4)) },
		} {
			if show(); th.wakes != test.want[i] {
				t.Errorf("%s: %d wakes after step %d, want %d", name, th.wakes, i, test.want[i])
			}
		}
	}
}

// TestOffIsShown: which consoles are off comes with their frames, the same picture or not.
func TestOffIsShown(t *testing.T) {
	v := New(nil, &hand{}, func() {}, Preferences{})
	v.Begin([]Console{{Seat: 0}, {Seat: 3}}, []ds.Seat{0})
	black := emucore.Video{Width: 256, Height: 384, Pitch: 1024, Pix: make([]byte, 256*384*4), Format: emucore.XRGB8888}
	for _, off := range []bool{true, true, false, true} {
		v.Show(3, emucore.Frame{Off: off, Video: black})
		if got := v.off.Load() == 1<<3; got != off {
			t.Errorf("off is %v, shown as %b", off, v.off.Load())
		}
	}
	v.Begin([]Console{{Seat: 0}, {Seat: 3}}, []ds.Seat{0})
	if v.off.Load() != 0 {
		t.Error("a new game begins with a console off")
	}
}
