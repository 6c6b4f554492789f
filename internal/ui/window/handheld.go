package window

import (
	"math"
	"os"
	"slices"
	"strings"

	"github.com/veandco/go-sdl2/sdl"
)

// surroundings are where the window is, as far as it matters for how large things should be.
type surroundings struct {
	deck    bool     // a Steam Deck, or something that says it is one
	session bool     // see InGameSession
	size    sdl.Rect // the display's, in its pixels
	dpi     float64  // of the display, 0 if it is not known
}

// InGameSession reports whether gamescope shows the window, as on handhelds and at television
// sets: there is no desktop, and one window fills the display.
func InGameSession() bool {
	desktops := strings.Split(strings.ToLower(os.Getenv("XDG_CURRENT_DESKTOP")), ":")
	return os.Getenv("GAMESCOPE_WAYLAND_DISPLAY") != "" || slices.Contains(desktops, "gamescope")
}

// here looks around.
func here(display int) (s surroundings) {
	s.deck, s.session = os.Getenv("SteamDeck") == "1", InGameSession()
	if b, err := sdl.GetDisplayBounds(display); err == nil {
		s.size = b
	}
	if _, dpi, _, err := sdl.GetDisplayDPI(display); err == nil {
		s.dpi = float64(dpi)
	}
	return s
}

// Displays of handhelds have at least so many dots per inch, and are lower than so many
// inches. Displays that do not know their size say 96.
const (
	handheldDots = 140
	handheldHigh = 5.5
)

// distant reports whether the display is held at arm's length, or seen across a room.
func (s surroundings) distant() bool {
	high := float64(min(s.size.W, s.size.H))
	return s.deck || s.session || s.dpi >= handheldDots && high/s.dpi <= handheldHigh
}

// distantHigh is the height of a distant display in points: small text is then a 38th of it, 20 pixels of 800.
const distantHigh = 500

// scale returns the pixels that a point should be, in steps of a twentieth, 0 for no opinion.
func (s surroundings) scale() float64 {
	if !s.distant() || s.size.H <= 0 {
		return 0
	}
	return math.Round(20*float64(min(s.size.W, s.size.H))/distantHigh) / 20
}

// suiting is the factor of the display's scale as long as the user wants no other.
func (w *Window) suiting(display float64) float64 { return max(w.comfort/max(display, 0.5), 1) }

// SuitingScale returns the scale that 0 stands for on the display of the window.
func (w *Window) SuitingScale() float64 { return w.suiting(w.displayScale()) }
