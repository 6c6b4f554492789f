package window

import (
	"image"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/veandco/go-sdl2/sdl"

	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/uitest"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// TestPlaceIsBroughtBack: a window that was on a display that is gone comes back onto one that is there.
func TestPlaceIsBroughtBack(t *testing.T) {
	one := []sdl.Rect{{X: 0, Y: 27, W: 1366, H: 741}}
	two := []sdl.Rect{{X: 0, Y: 27, W: 1366, H: 741}, {X: 1366, Y: -300, W: 2560, H: 1440}}
	for _, tt := range []struct {
		name     string
		p        Place
		displays []sdl.Rect
		want     Place
	}{
		{"as it was", Place{100, 60, 1120, 690, false}, one, Place{100, 60, 1120, 690, false}},
		{"partly beyond the edge", Place{1200, 700, 800, 600, false}, one, Place{1200, 700, 800, 600, false}},
		{"to the left", Place{-700, 60, 800, 600, false}, one, Place{-700, 60, 800, 600, false}},
		{"on the second", Place{2000, -200, 1600, 1200, true}, two, Place{2000, -200, 1600, 1200, true}},
		{"the second is gone", Place{2000, -200, 1600, 1200, true}, one, Place{0, 27, 1366, 741, true}},
		{"the second is gone, small", Place{2000, 100, 800, 600, false}, one, Place{283, 97, 800, 600, false}},
		{"its title is above", Place{100, -40, 800, 600, false}, one, Place{283, 97, 800, 600, false}},
		{"too far to the left", Place{-790, 60, 800, 600, false}, one, Place{283, 97, 800, 600, false}},
		{"below", Place{100, 760, 800, 600, false}, one, Place{283, 97, 800, 600, false}},
		{"larger than it", Place{0, 27, 1920, 1080, false}, one, Place{0, 27, 1366, 741, false}},
		{"taller than it", Place{900, 500, 800, 900, false}, one, Place{566, 27, 800, 741, false}},
		{"over both", Place{300, 60, 2400, 700, false}, two, Place{300, 60, 2400, 700, false}},
		{"no display", Place{9000, 9000, 800, 600, false}, nil, Place{9000, 9000, 800, 600, false}},
	} {
		if got := tt.p.within(tt.displays); got != tt.want {
			t.Errorf("%s: %+v comes to %+v, want %+v", tt.name, tt.p, got, tt.want)
		}
	}
}

// onDisplay has windows be on a display, with a window manager, if there is one.
func onDisplay(t *testing.T, width, height int, manager string) *uitest.Display {
	t.Helper()
	uitest.NeedDisplay(t)
	d := uitest.NewDisplay(t, width, height, 24)
	t.Setenv("DISPLAY", d.Name)
	t.Setenv("SDL_VIDEODRIVER", "x11")
	if manager == "" {
		return d
	}
	if _, err := exec.LookPath(manager); err != nil {
		t.Skipf("PLACES AMONG FRAMES ARE NOT TESTED: %v (apt install %s)", err, manager)
	}
	cmd := exec.Command(manager)
	cmd.Env = append(os.Environ(), "DISPLAY="+d.Name, "HOME="+t.TempDir())
	must.Succeed(t, uitest.Start(cmd))
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	for range 200 { // until it is there
		if out, _ := exec.Command("xprop", "-display", d.Name, "-root", "_NET_SUPPORTING_WM_CHECK").CombinedOutput(); strings.Contains(string(out), "window id") {
			time.Sleep(time.Second) // it manages no window before it has drawn its own
			return d
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("%s does not start", manager)
	return d
}

// pass lets some time pass in a window.
func (r *rig) pass(t *testing.T, d time.Duration) {
	t.Helper()
	for end := time.Now().Add(d); time.Now().Before(end); {
		in, _ := r.Next(20 * time.Millisecond)
		if err := r.Show(r.ui.Frame(in, func(*widgets.UI) {})); err != nil {
			t.Error(err)
		}
	}
}

// TestPlaceIsRemembered: a window that was moved and made larger opens there again, again and again, with the frame of
// a desktop around it and without; maximized, it knows the size to which it goes back.
func TestPlaceIsRemembered(t *testing.T) {
	for _, manager := range []string{"", "openbox"} {
		t.Run("manager "+manager, func(t *testing.T) {
			onDisplay(t, 1366, 768, manager)
			place := Place{}
			withWindow(t, Config{Title: "nettplay place", Width: 1120, Height: 720, Software: true}, func(r *rig) {
				r.pass(t, time.Second)
				if first, changed := r.Place(false); !changed || first.Width != 1120 || first.Height > 728 || first.Height < 600 {
					t.Errorf("a new window is at %+v (%v), not 1120x720 as far as that fits", first, changed)
				}
				r.window.SetSize(900, 600) // as by the mouse
				r.window.SetPosition(77, 88)
				r.pass(t, time.Second)
				var changed bool
				if place, changed = r.Place(false); !changed || place.Width != 900 || place.Height != 600 {
					t.Errorf("moved, it is at %+v (%v)", place, changed)
				}
				if _, again := r.Place(true); again {
					t.Error("it is told twice")
				}
			})
			for i := range 3 {
				withWindow(t, Config{Title: "nettplay place", Place: place, Software: true}, func(r *rig) {
					r.pass(t, time.Second)
					if got, changed := r.Place(true); got != place || changed {
						t.Errorf("%d: it opens at %+v (%v), want %+v", i, got, changed, place)
					}
				})
			}
			if manager == "" {
				return
			}
			place.Maximized = true
			withWindow(t, Config{Title: "nettplay place", Place: place, Software: true}, func(r *rig) {
				r.pass(t, time.Second)
				if size := r.Size(); size.X < 1300 {
					t.Errorf("a maximized window is %v", size)
				}
				if got, _ := r.Place(true); got != place {
					t.Errorf("maximized, it would open at %+v, want %+v", got, place)
				}
				if err := r.SetFullScreen(true); err != nil {
					t.Error(err)
				}
				r.pass(t, time.Second)
				if got, changed := r.Place(true); got != place || changed {
					t.Errorf("full screen, it would open at %+v", got)
				}
			})
		})
	}
}

// TestSizeOfAMaximizedWindow: a size that is chosen while the window is maximized is the window's, and not what is drawn for alone.
func TestSizeOfAMaximizedWindow(t *testing.T) {
	display := onDisplay(t, 1366, 768, "openbox")
	withWindow(t, Config{Place: Place{X: 50, Y: 60, Width: 900, Height: 600, Maximized: true}, Software: true}, func(r *rig) {
		r.pass(t, time.Second)
		if size := r.Size(); size.X < 1300 {
			t.Fatalf("a maximized window is %v", size)
		}
		r.SetSize(800, 640)
		r.pass(t, time.Second)
		if size := r.Size(); size != image.Pt(800, 640) {
			t.Errorf("it is drawn for %v", size)
		}
		if out := display.Do(t, "getactivewindow", "getwindowgeometry"); !strings.Contains(out, "800x640") {
			t.Errorf("the display has it elsewhere: %s", out)
		}
	})
}

// TestOffTheDisplay: a place that no display has any more.
func TestOffTheDisplay(t *testing.T) {
	onDisplay(t, 1366, 768, "")
	withWindow(t, Config{Place: Place{X: 3000, Y: 400, Width: 1600, Height: 1000}, Software: true}, func(r *rig) {
		r.pass(t, 300*time.Millisecond)
		x, y := r.Position()
		if size := r.Size(); x != 0 || y != 0 || size != image.Pt(1366, 768) {
			t.Errorf("it opens at %d,%d, %v large", x, y, size)
		}
		r.window.SetSize(700, 500)
		r.window.SetPosition(2000, 2000) // as if its display had been there
		push(t, sdl.DisplayEvent{Type: sdl.DISPLAYEVENT, Event: 3})
		r.pass(t, 300*time.Millisecond)
		if x, y := r.Position(); x != 333 || y != 134 {
			t.Errorf("after a display has gone it is at %s", strconv.Itoa(x)+","+strconv.Itoa(y))
		}
	})
}

// TestFirstSize: a new window is no larger than a display leaves room for, with its frame, and not smaller in all when
// only its height is too much.
func TestFirstSize(t *testing.T) {
	for _, tt := range []struct{ width, height, wantW, wantH int }{
		{1366, 768, 1120, 720}, {1280, 720, 1120, 680}, {1920, 1080, 1120, 720}, {1024, 600, 1024, 560}, {640, 480, 640, 440},
	} {
		t.Run(strconv.Itoa(tt.width), func(t *testing.T) {
			onDisplay(t, tt.width, tt.height, "")
			withWindow(t, Config{Width: 1120, Height: 720, Software: true}, func(r *rig) {
				if got := r.Size(); got != image.Pt(tt.wantW, tt.wantH) {
					t.Errorf("on %dx%d it is %v", tt.width, tt.height, got)
				}
			})
		})
	}
}
