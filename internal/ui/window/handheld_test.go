package window

import (
	"testing"

	"github.com/veandco/go-sdl2/sdl"
)

// TestScaleOfHandhelds: small text, 13 points, is 20 pixels high or more on a display of 800
// lines at arm's length, and as much of others. A desk keeps its display's own scale.
func TestScaleOfHandhelds(t *testing.T) {
	for name, tt := range map[string]struct {
		s    surroundings
		want float64
	}{
		"handheld in its session":    {surroundings{deck: true, session: true, size: sdl.Rect{W: 1280, H: 800}, dpi: 216}, 1.6},
		"display says nothing":       {surroundings{deck: true, size: sdl.Rect{W: 1280, H: 800}, dpi: 96}, 1.6},
		"upright panel":              {surroundings{deck: true, size: sdl.Rect{W: 800, H: 1280}}, 1.6},
		"television set":             {surroundings{session: true, size: sdl.Rect{W: 1920, H: 1080}, dpi: 40}, 2.15},
		"small display of many dots": {surroundings{size: sdl.Rect{W: 1920, H: 1200}, dpi: 280}, 2.4},
		"laptop of many dots":        {surroundings{size: sdl.Rect{W: 2880, H: 1800}, dpi: 240}, 0},
		"desk":                       {surroundings{size: sdl.Rect{W: 1920, H: 1080}, dpi: 96}, 0},
		"desk that does not know":    {surroundings{size: sdl.Rect{W: 640, H: 480}}, 0},
		"small display that lies":    {surroundings{size: sdl.Rect{W: 640, H: 480}, dpi: 96}, 0},
		"session without a display":  {surroundings{session: true}, 0},
	} {
		if got := tt.s.scale(); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
	if small := 13 * (surroundings{deck: true, size: sdl.Rect{W: 1280, H: 800}}).scale(); small < 20 {
		t.Errorf("small text is %.1f pixels high", small)
	}
}

// TestSuitingScale: what the display's own scale has done already is not done twice, and
// nothing becomes smaller.
func TestSuitingScale(t *testing.T) {
	w := &Window{comfort: 1.6}
	for display, want := range map[float64]float64{1: 1.6, 1.25: 1.28, 2.25: 1} {
		if got := w.suiting(display); got != want {
			t.Errorf("on a display of %v: %v, want %v", display, got, want)
		}
	}
	if got := (&Window{}).suiting(1); got != 1 {
		t.Errorf("at a desk: %v", got)
	}
}

// TestInGameSession: gamescope is known by its own variable, or as the desktop.
func TestInGameSession(t *testing.T) {
	for _, tt := range []struct {
		display, desktop string
		want             bool
	}{{"", "", false}, {"gamescope-0", "", true}, {"", "gamescope", true}, {"", "KDE", false}, {"", "Steam:GameScope", true}} {
		t.Setenv("GAMESCOPE_WAYLAND_DISPLAY", tt.display)
		t.Setenv("XDG_CURRENT_DESKTOP", tt.desktop)
		if got := InGameSession(); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}
