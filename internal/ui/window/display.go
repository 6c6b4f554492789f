package window

import (
	"time"

	"github.com/veandco/go-sdl2/sdl"
)

// display is all that is known of the display and of how it takes pictures.
type display struct {
	presented time.Time     // when the last picture was
	asked     time.Time     // when what follows was: SDL is slow to tell on X11
	refresh   time.Duration // from one to the next, 0 if unknown
	scale     float64       // by its dots per inch
}

// look asks SDL once a second: the window may be on another display then.
func (w *Window) look() *display {
	d := &w.display
	if time.Since(d.asked) <= time.Second {
		return d
	}
	d.asked, d.refresh, d.scale = time.Now(), 0, 1
	i, err := w.window.GetDisplayIndex()
	if err != nil {
		return d
	}
	if mode, err := sdl.GetCurrentDisplayMode(i); err == nil && mode.RefreshRate > 0 {
		d.refresh = time.Second / time.Duration(mode.RefreshRate)
	}
	if _, dpi, _, err := sdl.GetDisplayDPI(i); err == nil {
		d.scale = stepped(float64(dpi))
	}
	return d
}

// Presented returns the time at which the last picture had been painted, and was given to the display:
// from then on the display may have held up Paint.
func (w *Window) Presented() time.Time { return w.display.presented }

// Refresh is the time between two refreshes of the display by its own account, while pictures wait for them;
// 0 where they do not, and where it is unknown.
func (w *Window) Refresh() time.Duration {
	if !w.config.VSync {
		return 0
	}
	return w.look().refresh
}

// displayScale returns how many pixels a point is by the display: as many as a unit has, where that is
// more than one (Wayland, macOS), otherwise what the dots per inch say.
func (w *Window) displayScale() float64 {
	units, _ := w.window.GetSize()
	if ratio := float64(w.Size().X) / float64(max(units, 1)); ratio > 1.05 {
		return ratio
	}
	if !pixelUnits() {
		return 1
	}
	return w.look().scale
}

// pixelUnits reports whether units of windows are pixels on each display, as on X11, and on Windows for a program that says
// that it knows displays of many dots (packaging/windows/nettplay.manifest).
func pixelUnits() bool {
	driver, _ := sdl.GetCurrentVideoDriver()
	return driver == "x11" || driver == "windows"
}

// stepped turns dots per inch into a scale, 1 to 4 in quarters: displays lie a little.
func stepped(dpi float64) float64 {
	s := float64(int(dpi/96*4+0.25)) / 4
	return max(1, min(s, 4))
}
