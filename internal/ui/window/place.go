package window

import (
	"slices"
	"time"

	"github.com/veandco/go-sdl2/sdl"
)

// Place is where a window is on the desktop, and how large, in SDL's units. Its zero value is none.
type Place struct {
	X, Y          int // of the inside; on Wayland programs do not know it
	Width, Height int // while it is not maximized
	Maximized     bool
}

// placed is what is known of the window's place.
type placed struct {
	place   Place
	changed time.Time // when the window was moved or changed its size; zero after it was looked at
}

// settled is how long a window must have stayed as it is to be looked at: a desktop tells of a maximized window in
// several steps.
const settled = 500 * time.Millisecond

// Place returns where the window was last while it was neither full screen nor minimized, and whether that has
// changed since the last call. A window that moves still has not changed yet, unless now asks for what there is.
func (w *Window) Place(now bool) (p Place, changed bool) {
	l := &w.placed
	if l.changed.IsZero() || !now && time.Since(l.changed) < settled {
		return l.place, false
	}
	l.changed = time.Time{}
	before, flags := l.place, w.window.GetFlags()
	if flags&(sdl.WINDOW_FULLSCREEN_DESKTOP|sdl.WINDOW_MINIMIZED|sdl.WINDOW_HIDDEN) != 0 {
		return before, false
	}
	if l.place.Maximized = flags&sdl.WINDOW_MAXIMIZED != 0; !l.place.Maximized {
		x, y := w.window.GetPosition()
		width, height := w.window.GetSize()
		l.place = Place{X: int(x), Y: int(y), Width: int(width), Height: int(height)}
	}
	return l.place, l.place != before
}

// The part of a window's upper edge that must be on a display, in SDL's units, to be taken hold of.
const (
	holdWide = 96
	holdHigh = 24
)

// heldOn returns the number of the display on which a window can be taken hold of; -1: on none.
func (p Place) heldOn(displays []sdl.Rect) int {
	edge := sdl.Rect{X: int32(p.X), Y: int32(p.Y), W: int32(p.Width), H: holdHigh}
	return slices.IndexFunc(displays, func(d sdl.Rect) bool {
		seen, there := d.Intersect(&edge)
		return there && seen.W >= min(holdWide, edge.W) && seen.H == holdHigh
	})
}

// within returns a place that can be taken hold of on displays, and seen whole on one if it was larger. The first display
// has what is elsewhere, in its middle. Wider than a display is no fault where there are several.
func (p Place) within(displays []sdl.Rect) Place {
	if len(displays) == 0 {
		return p
	}
	at := p.heldOn(displays)
	d := displays[max(at, 0)]
	large := p.Height > int(d.H) || p.Width > int(d.W) && len(displays) == 1
	if at >= 0 && !large {
		return p
	}
	p.Width, p.Height = min(p.Width, int(d.W)), min(p.Height, int(d.H))
	if at < 0 {
		p.X, p.Y = int(d.X)+(int(d.W)-p.Width)/2, int(d.Y)+(int(d.H)-p.Height)/2
	}
	p.X = max(int(d.X), min(p.X, int(d.X+d.W)-p.Width))
	p.Y = max(int(d.Y), min(p.Y, int(d.Y+d.H)-p.Height))
	return p
}

// displaysNow returns what windows can use of each display.
func displaysNow() (list []sdl.Rect) {
	n, _ := sdl.GetNumVideoDisplays()
	for i := range n {
		if b, err := sdl.GetDisplayUsableBounds(i); err == nil {
			list = append(list, b)
		}
	}
	return list
}

// bringBack brings a window back whose display is gone.
func (w *Window) bringBack() {
	const elsewhere = sdl.WINDOW_FULLSCREEN_DESKTOP | sdl.WINDOW_MAXIMIZED | sdl.WINDOW_MINIMIZED
	if !knowsPlace() || w.window.GetFlags()&elsewhere != 0 {
		return // the desktop sees to it
	}
	x, y := w.window.GetPosition()
	width, height := w.window.GetSize()
	was := Place{X: int(x), Y: int(y), Width: int(width), Height: int(height)}
	if now := was.within(displaysNow()); now != was {
		w.window.SetSize(int32(now.Width), int32(now.Height))
		w.window.SetPosition(int32(now.X), int32(now.Y))
	}
}

// knowsPlace reports whether programs know where their windows are, as everywhere but on Wayland.
func knowsPlace() bool { return driver() != wayland }

// wayland is SDL's name of it.
const wayland = "wayland"

func driver() string {
	name, _ := sdl.GetCurrentVideoDriver()
	return name
}

// stay puts a window that has just appeared where it is to be: window managers place the frame there, not the inside,
// and without this it would go down by the height of a title at each start.
func (w *Window) stay() {
	p := w.config.Place
	if w.stayed || p.Width == 0 || p.Maximized || !knowsPlace() {
		return
	}
	w.stayed = true
	if x, y := w.window.GetPosition(); int(x) != w.begins.X || int(y) != w.begins.Y {
		w.window.SetPosition(int32(w.begins.X), int32(w.begins.Y))
	}
}
