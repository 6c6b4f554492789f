package stage

import (
	"fmt"
	"image"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/session"
	"github.com/nettplay/nettplay/internal/ui/kit"
	"github.com/nettplay/nettplay/internal/ui/maintest"
	"github.com/nettplay/nettplay/internal/ui/window"
)

func TestMain(m *testing.M) { os.Exit(maintest.Main(m)) }

// run runs f on the main thread, where SDL must be.
func run(f func()) { maintest.Run(f) }

// realWindow opens a window that nobody sees, drawn without a graphics card.
func realWindow(tb testing.TB, th *theatre, w, h int) *window.Window {
	tb.Setenv("SDL_VIDEODRIVER", "dummy")
	win, err := window.Open(window.Config{Title: "stage", Width: w, Height: h, Software: true, Hidden: true}, th.store)
	if err != nil {
		panic(err) // not on the test's goroutine
	}
	th.in.Size, th.in.Scale = win.Size(), win.Scale()
	return win
}

// TestSeenInARealWindow compares what SDL draws with what is touched. SDL's own scaling rounds
// its step to 1/65536, so beside the edge of a pixel it can be one drawing pixel
// off; at whole multiples it is exact.
func TestSeenInARealWindow(t *testing.T) {
	for _, whole := range []bool{true, false} {
		for _, layout := range []Layout{Vertical, Horizontal, BottomOnly} {
			th := newTheatre(t, 0, 0, 1)
			th.Begin(twoSeats, []int{0})
			th.Show(0, coded(1))
			v := th.View()
			v.Layout, v.HUD, v.Integer, v.Others = layout, false, whole, false
			th.SetView(v)
			var img *image.RGBA
			run(func() {
				win := realWindow(t, th, 1100, 800)
				defer win.Close()
				th.step(nil)
				var err error
				if img, err = win.Screenshot(th.step(nil).List); err != nil {
					t.Error(err)
				}
			})
			checkReal(t, fmt.Sprint(layout, " ", whole), img, th.plan.Mine[0].Screens, whole)
		}
	}
}

// checkReal allows the neighbours of a drawing pixel unless whole is set.
func checkReal(t *testing.T, name string, img *image.RGBA, s Screens, whole bool) {
	if img == nil {
		return
	}
	off, far := 0, 0
	for y := s.Bottom.Min.Y; y < s.Bottom.Max.Y; y++ {
		for x := s.Bottom.Min.X; x < s.Bottom.Max.X; x++ {
			got := img.RGBAAt(x, y)
			near := false
			for _, d := range []image.Point{{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}} {
				px, py := s.Stylus(float64(x+d.X)+0.5, float64(y+d.Y)+0.5)
				is := got.B == px && got.G == py && got.R == 150
				near = near || is
				if !is && d == (image.Point{}) {
					off++
				}
			}
			if !near {
				far++
			}
		}
	}
	if far > 0 || whole && off > 0 {
		t.Errorf("%s at %v: %d pixels are off, %d by more than one", name, s.Bottom, off, far)
	}
	t.Logf("%s at %v: %d of %d drawing pixels beside an edge", name, s.Bottom, off, s.Bottom.Dx()*s.Bottom.Dy())
}

// BenchmarkPicture is the frontend's own cost of a frame with a window of 768x1152 and the software
// renderer: a frame taken over, two screens converted and uploaded, HUD, shown.
func BenchmarkPicture(b *testing.B) {
	for _, scene := range []struct {
		name   string
		seats  []Seat
		smooth bool
	}{{"alone", twoSeats[:1], false}, {"four", four, false}} {
		b.Run(scene.name, func(b *testing.B) {
			th := newTheatre(b, 0, 0, 1)
			th.Begin(scene.seats, []int{0})
			th.Notice(session.Figures{FPS: 59.8, Delay: 4, RTT: 42 * time.Millisecond, Agreed: 5, Sent: 9000, Received: 27_000})
			frame := plain(1, 0x35)
			run(func() { benchPicture(b, th, func() { th.Show(0, frame) }) })
		})
	}
}

func benchPicture(b *testing.B, th *theatre, show func()) {
	win := realWindow(b, th, 768, 1152)
	defer win.Close()
	var took []time.Duration
	in := th.in
	build := func(u *kit.UI) { th.Build(u) }
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
