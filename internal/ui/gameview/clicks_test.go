package gameview

import (
	"bufio"
	"fmt"
	"image"
	"image/color"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/uitest"
	"github.com/nettplay/nettplay/internal/ui/widgets"
	"github.com/nettplay/nettplay/internal/ui/window"
)

// clickedEnv is set in the process that shows the window to xdotool.
const clickedEnv = "NETTPLAY_TEST_CLICKED"

// clickedSizes are sizes of windows at which hardly a layout comes out at a whole multiple;
// the first is the largest, since the window stays where it was opened.
var clickedSizes = []image.Point{{913, 707}, {640, 480}}

// TestClicksInRealWindow clicks at every corner and at 100 random places of the bottom
// screen, in each layout and at several sizes, in a window on an X server: each click
// touches the pixel of the console whose colour the display shows there.
func TestClicksInRealWindow(t *testing.T) {
	uitest.NeedDisplay(t)
	d := uitest.NewDisplay(t, 1200, 1000, 24)
	child := exec.Command(os.Args[0], "-test.run", "^TestClicked$", "-test.v")
	child.Env = append(os.Environ(), clickedEnv+"=1", "DISPLAY="+d.Name, "SDL_VIDEODRIVER=x11", "WAYLAND_DISPLAY=")
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	must.Succeed(t, err)
	must.Succeed(t, uitest.Start(child))
	t.Cleanup(func() { _ = child.Process.Kill() })
	lines := bufio.NewScanner(out)
	next := func(format string, args ...any) bool {
		for lines.Scan() {
			if n, _ := fmt.Sscanf(lines.Text(), format, args...); n == len(args) {
				return true
			}
		}
		return false
	}
	random := rand.New(rand.NewPCG(1, 2))
	scenes := 0
	for {
		var r image.Rectangle
		if !next("scene %d %d %d %d", &r.Min.X, &r.Min.Y, &r.Max.X, &r.Max.Y) {
			break
		}
		scenes++
		clickAround(t, d, r, random, next)
	}
	if err := child.Wait(); err != nil {
		t.Error(err)
	}
	if want := len(clickedSizes) * len(exactly()); scenes != want {
		t.Errorf("%d scenes were clicked at, want %d", scenes, want)
	}
}

// clickAround clicks at a screen that is shown at r, and goes on to the next scene.
func clickAround(t *testing.T, d *uitest.Display, r image.Rectangle, random *rand.Rand, next func(string, ...any) bool) {
	t.Helper()
	places := []image.Point{r.Min, {r.Max.X - 1, r.Min.Y}, {r.Min.X, r.Max.Y - 1}, {r.Max.X - 1, r.Max.Y - 1}}
	for range 100 {
		places = append(places, r.Min.Add(image.Pt(random.IntN(r.Dx()), random.IntN(r.Dy()))))
	}
	shown := d.Picture(t)
	var script []string
	for _, p := range places {
		script = append(script, "mousemove", fmt.Sprint(p.X), fmt.Sprint(p.Y), "mousedown", "1", "mouseup", "1")
	}
	d.Do(t, script...)
	wrong := 0
	for _, p := range places {
		var x, y int
		if !next("touch 0: %d,%d", &x, &y) {
			t.Fatalf("%v: the click at %v touches nothing", r, p)
		}
		if got, want := shown.RGBAAt(p.X, p.Y), (color.RGBA{150, uint8(y), uint8(x), 255}); got != want {
			if wrong++; wrong < 4 {
				t.Errorf("%v: at %v is shown %v, touched %v", r, p, got, want)
			}
		}
	}
	d.Do(t, "mousemove", "1199", "999", "key", "n")
}

// TestClicked is the window's side of TestClicksInRealWindow.
func TestClicked(t *testing.T) {
	if os.Getenv(clickedEnv) == "" {
		t.Skip("part of TestClicksInRealWindow")
	}
	th := newTestView(t, 0, 0, 1)
	th.Begin(twoSeats, []ds.Seat{0})
	th.Show(0, coded(1))
	run(func() {
		win, err := window.Open(window.Config{Title: "game view", Width: clickedSizes[0].X, Height: clickedSizes[0].Y, Software: true}, th.store)
		if err != nil {
			t.Error(err)
			return
		}
		defer win.Close()
		th.SetLens(win)
		for _, size := range clickedSizes {
			win.SetSize(size.X, size.Y)
			for _, how := range exactly() {
				if !clicked(th, win, size, how) {
					t.Errorf("%v %+v: nobody clicks on", size, how)
					return
				}
			}
		}
	})
}

// clicked shows a scene and says what is touched, until somebody wants the next one.
func clicked(th *testView, win *window.Window, size image.Point, how Options) bool {
	v := th.Preferences()
	v.Options = how
	th.SetPreferences(v)
	told, shown := 0, 0
	th.hand.told = nil
	for range 4000 {
		in, more := win.Next(20 * time.Millisecond)
		out := th.ui.Frame(in, func(u *widgets.UI) { th.Build(u) })
		if !more && win.Show(out) != nil {
			return false
		}
		if in.Size == size && !more {
			shown++
		}
		if shown == 5 { // what the display does not keep up with has come
			shown++
			x, y := win.Position()
			r := th.plan.Mine[0].Screens.Bottom.Add(image.Pt(x, y))
			fmt.Println("scene", r.Min.X, r.Min.Y, r.Max.X, r.Max.Y)
		}
		down := false
		for ; told < len(th.hand.told); told++ {
			line := th.hand.told[told]
			down = down || in.Pressed == widgets.LeftButton && strings.HasPrefix(line, "touch")
			if down {
				fmt.Println(line)
				down = false
			}
			if line == "key N true" {
				return true
			}
		}
	}
	return false
}
