package gameview

import (
	"fmt"
	"image"
	"image/color"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/uitest"
	"github.com/nettplay/nettplay/internal/ui/widgets"
	"github.com/nettplay/nettplay/internal/ui/window"
)

func TestMain(m *testing.M) { os.Exit(uitest.Main(m)) }

// run runs f on the main thread, where SDL must be.
func run(f func()) { uitest.Run(f) }

// realWindow opens a window that nobody sees, drawn without a graphics card.
func realWindow(tb testing.TB, th *testView, w, h int) *window.Window {
	tb.Setenv("SDL_VIDEODRIVER", "dummy")
	win, err := window.Open(window.Config{Title: "game view", Width: w, Height: h, Software: true, Hidden: true}, th.store)
	if err != nil {
		panic(err) // not on the test's goroutine
	}
	th.in.Size, th.in.Scale = win.Size(), win.Scale()
	return win
}

// TestSeenInARealWindow: what SDL draws at each place is what is touched there, in every
// layout, and at any size.
func TestSeenInARealWindow(t *testing.T) {
	for _, size := range []image.Point{{640, 480}, {1100, 800}, {768, 1152}, {913, 707}} {
		for _, how := range exactly() {
			th := newTestView(t, 0, 0, 1)
			th.Begin(twoSeats, []ds.Seat{0})
			th.Show(0, coded(1))
			v := th.Preferences()
			v.Options = how
			th.SetPreferences(v)
			var img *image.RGBA
			run(func() {
				win := realWindow(t, th, size.X, size.Y)
				defer win.Close()
				th.SetLens(win)
				th.step(nil)
				var err error
				if img, err = win.Screenshot(th.step(nil).List); err != nil {
					t.Error(err)
				}
			})
			checkReal(t, fmt.Sprintf("%v %+v", size, how), img, th.plan.Mine[0])
		}
	}
}

// exactly are arrangements with a bottom screen, of all kinds.
func exactly() (list []Options) {
	for _, e := range []string{Even, LargeTop, LargeDown} {
		list = append(list, Options{Layout: Vertical, Emphasis: e}, Options{Layout: Horizontal, Emphasis: e, Gap: 11, Swap: e == LargeTop})
	}
	list = append(list, Options{Layout: Hybrid}, Options{Layout: Hybrid, Swap: true, Gap: 9})
	for _, rotation := range []string{TurnedLeft, TurnedRight} {
		list = append(list, Options{Rotation: rotation}, Options{Rotation: rotation, Layout: Horizontal, Emphasis: LargeDown, Gap: 5}, Options{Rotation: rotation, Layout: Hybrid, Swap: true})
	}
	return append(list, Options{Layout: BottomOnly}, Options{Layout: TopOnly, Swap: true}, Options{Integer: true})
}

func checkReal(t *testing.T, name string, img *image.RGBA, c Placed) {
	t.Helper()
	if img == nil || c.Screens.Bottom.Empty() {
		t.Errorf("%s: nothing is drawn", name)
		return
	}
	for place, r := range c.Screens.bottoms() {
		off, guessed := 0, 0
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				got := img.RGBAAt(x, y)
				if px, py := c.stylus(place, float64(x)+0.5, float64(y)+0.5); got != (color.RGBA{150, py, px, 255}) {
					off++
				}
				if px, py := pixelIn(r, c.Screens.Turn, float64(x)+0.5, float64(y)+0.5); got.B != px || got.G != py {
					guessed++
				}
			}
		}
		if off > 0 {
			t.Errorf("%s: %d pixels of %v are touched elsewhere than seen", name, off, r)
		}
		t.Logf("%s at %v: without looking %d would be", name, r, guessed)
	}
}

// BenchmarkPicture is the frontend's own cost of a frame with a window of 768x1152 and the software
// renderer: a frame taken over, two screens converted and uploaded, HUD, shown.
func BenchmarkPicture(b *testing.B) {
	for _, scene := range []struct {
		name   string
		seats  []Console
		smooth bool
	}{{"alone", twoSeats[:1], false}, {"four", four, false}} {
		b.Run(scene.name, func(b *testing.B) {
			th := newTestView(b, 0, 0, 1)
			th.Begin(scene.seats, []ds.Seat{0})
			th.Notice(notice.Figures{FPS: 59.8, Delay: 4, RTT: 42 * time.Millisecond, Agreed: 5, Sent: 9000, Received: 27_000})
			frame := plain(1, 0x35)
			run(func() { benchPicture(b, th, func() { th.Show(0, frame) }) })
		})
	}
}

func benchPicture(b *testing.B, th *testView, show func()) {
	win := realWindow(b, th, 768, 1152)
	defer win.Close()
	var took []time.Duration
	in := th.in
	build := func(u *widgets.UI) { th.Build(u) }
	for b.Loop() {
		in.Now += 16 * time.Millisecond
		start := time.Now()
		show()
		if err := win.Show(th.ui.Frame(in, build)); err != nil {
			b.Error(err)
			return
		}
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
}
