package window

import (
	"bytes"
	"reflect"
	"time"

	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
	"github.com/veandco/go-sdl2/sdl"
)

// Next waits until something happens, at most so long (negative: for ever; 0:
// not at all), and returns it. More tells that the next thing has happened
// already: build the picture, for the screen must hear each thing in turn, but
// there is no need to show it.
func (w *Window) Next(wait time.Duration) (in widgets.Input, more bool) {
	w.renew()
	w.gather(wait)
	for cut := false; !cut && len(w.pending) > 0; w.pending = w.pending[1:] {
		cut = w.take(w.pending[0])
	}
	w.in.Now, w.in.Size, w.in.Scale = time.Since(w.start), w.Size(), w.Scale()
	return w.in, len(w.pending) > 0
}

// renew makes the input that of another picture: what lasts remains.
func (w *Window) renew() {
	keys, fingers := w.in.Keys[:0], w.in.Fingers[:0]
	w.in = w.in.Lasting()
	w.in.Keys, w.in.Fingers = keys, fingers
	if w.in.Touch && w.in.Held == 0 {
		w.in.MouseIn = false // a finger that was lifted is over nothing
	}
}

// gather copies what SDL has into pending, and waits first if nothing is there.
func (w *Window) gather(wait time.Duration) {
	if len(w.pending) == 0 && wait != 0 {
		w.add(w.sleep(wait))
	}
	for e := sdl.PollEvent(); e != nil; e = sdl.PollEvent() {
		w.add(e)
	}
}

// sleep waits for an event.
func (w *Window) sleep(wait time.Duration) sdl.Event {
	if wait < 0 {
		return sdl.WaitEvent()
	}
	ms := (wait + time.Millisecond - 1) / time.Millisecond
	return sdl.WaitEventTimeout(int(min(ms, time.Hour/time.Millisecond)))
}

// maxPending is the greatest number of events that wait. A program that was stopped for a while does
// not have to hear of every move of the mouse.
const maxPending = 4096

// add keeps a copy of an event for the window: SDL's own is overwritten by the next.
func (w *Window) add(e sdl.Event) {
	if e == nil {
		return
	}
	if w.onEvent != nil {
		w.onEvent(e)
	}
	if e.GetType() == sdl.KEYMAPCHANGED {
		w.labels = nil
	}
	if e.GetType() == w.user.Load() {
		w.woken.Store(false)
		return
	}
	if c := copyOf(e); c != nil && len(w.pending) < maxPending {
		w.pending = append(w.pending, c)
	}
}

// copyOf copies an event that take knows; nil for others.
func copyOf(e sdl.Event) sdl.Event {
	switch e := e.(type) {
	case *sdl.CommonEvent:
		if e.Type == sdl.TEXTEDITING_EXT {
			return takeComposing(e)
		}
	case *sdl.MouseMotionEvent, *sdl.MouseButtonEvent, *sdl.MouseWheelEvent, *sdl.TouchFingerEvent, *sdl.KeyboardEvent,
		*sdl.TextInputEvent, *sdl.TextEditingEvent, *sdl.WindowEvent, *sdl.DisplayEvent, *sdl.DropEvent, *sdl.QuitEvent, *sdl.RenderEvent:
		c := reflect.New(reflect.TypeOf(e).Elem())
		c.Elem().Set(reflect.ValueOf(e).Elem())
		return c.Interface().(sdl.Event)
	}
	return nil
}

// take puts an event into the input. It tells whether the input ends there,
// because what comes next may go elsewhere.
func (w *Window) take(e sdl.Event) (cut bool) {
	switch e := e.(type) {
	case *sdl.MouseMotionEvent:
		w.moved(e.X, e.Y, e.Which)
	case *sdl.MouseButtonEvent:
		w.moved(e.X, e.Y, e.Which)
		return w.button(e)
	case *sdl.MouseWheelEvent:
		w.wheel(e)
	case *sdl.TouchFingerEvent:
		w.finger(e)
	case *sdl.KeyboardEvent:
		return w.key(e)
	case *sdl.TextInputEvent:
		w.in.Text += text(e.Text[:])
		w.in.Compose = widgets.Composition{}
	case *composed:
		w.in.Compose = e.Composition
	case *sdl.TextEditingEvent:
		w.in.Compose = widgets.Composition{Text: text(e.Text[:]), Caret: int(max(e.Start, 0))}
	case *sdl.WindowEvent:
		w.windowEvent(e)
	case *sdl.DisplayEvent:
		w.bringBack()
	case *sdl.DropEvent:
		if e.Type == sdl.DROPFILE && e.File != "" {
			w.in.Dropped = append(w.in.Dropped, e.File)
		}
	case *sdl.QuitEvent:
		w.in.Close = true
	case *sdl.RenderEvent:
		w.canvas.lost()
	}
	return false
}

// text returns the text in a buffer of SDL's, which ends with a zero.
func text(b []byte) string {
	b, _, _ = bytes.Cut(b, []byte{0})
	return string(bytes.ToValidUTF8(b, nil))
}

// moved notes where the mouse is: SDL counts in units, which can be several pixels.
func (w *Window) moved(x, y int32, which uint32) {
	ww, wh := w.window.GetSize()
	size := w.Size()
	w.in.Mouse = draw.Pt(
		(float32(x)+0.5)*float32(size.X)/float32(max(ww, 1)),
		(float32(y)+0.5)*float32(size.Y)/float32(max(wh, 1)))
	w.in.MouseIn = true
	w.in.Touch = which == sdl.TOUCH_MOUSEID
}

func (w *Window) button(e *sdl.MouseButtonEvent) (cut bool) {
	w.pressed = w.pressed || e.Which != sdl.TOUCH_MOUSEID
	b := map[uint8]widgets.MouseButton{
		sdl.BUTTON_LEFT: widgets.LeftButton, sdl.BUTTON_MIDDLE: widgets.MiddleButton, sdl.BUTTON_RIGHT: widgets.RightButton,
	}[e.Button]
	if b == widgets.NoButton {
		return false
	}
	if e.Type == sdl.MOUSEBUTTONDOWN {
		w.in.Pressed, w.in.Clicks, w.in.Held = b, int(e.Clicks), w.in.Held.With(b)
	} else {
		w.in.Released, w.in.Held = b, w.in.Held.Without(b)
	}
	return true
}

// finger notes what a finger did. SDL counts in shares of the window.
func (w *Window) finger(e *sdl.TouchFingerEvent) {
	size := w.Size()
	at := func(share float32, size int) float32 {
		return min(max(share*float32(size), 0), float32(size)-0.01) // the edge is inside
	}
	w.in.Fingers = append(w.in.Fingers, widgets.Finger{
		ID: int64(e.FingerID), At: draw.Pt(at(e.X, size.X), at(e.Y, size.Y)),
		Down: e.Type == sdl.FINGERDOWN, Up: e.Type == sdl.FINGERUP,
	})
}

func (w *Window) wheel(e *sdl.MouseWheelEvent) {
	d := draw.Pt(e.PreciseX, e.PreciseY)
	if d == (draw.Point{}) {
		d = draw.Pt(float32(e.X), float32(e.Y))
	}
	if e.Direction == sdl.MOUSEWHEEL_FLIPPED {
		d = d.Mul(-1)
	}
	w.in.Wheel = w.in.Wheel.Add(d)
}

func (w *Window) key(e *sdl.KeyboardEvent) (cut bool) {
	w.pressed = true
	p := widgets.KeyPress{
		Key: widgets.Key(e.Keysym.Scancode), Name: keyName(e.Keysym.Scancode),
		Mods: mods(e.Keysym.Mod), Up: e.Type == sdl.KEYUP, Repeat: e.Repeat != 0,
	}
	if s := e.Keysym.Sym; s > 0x20 && s < 0x40000000 && s != sdl.K_DELETE {
		p.Sym = rune(s)
	}
	w.in.Keys = append(w.in.Keys, p)
	if p.Up || p.Key == 0 {
		return false
	}
	w.in.Press = p
	return true
}

// mods returns which keys are held. The right Alt is none: as AltGr it writes.
func mods(m uint16) (out widgets.Mods) {
	if m&sdl.KMOD_SHIFT != 0 {
		out |= widgets.Shift
	}
	if m&(sdl.KMOD_CTRL|sdl.KMOD_GUI) != 0 {
		out |= widgets.Ctrl
	}
	if m&sdl.KMOD_LALT != 0 {
		out |= widgets.Alt
	}
	return out
}

func (w *Window) windowEvent(e *sdl.WindowEvent) {
	switch e.Event {
	case sdl.WINDOWEVENT_CLOSE:
		w.in.Close = true
	case sdl.WINDOWEVENT_FOCUS_GAINED:
		w.in.Focused = true
	case sdl.WINDOWEVENT_FOCUS_LOST:
		w.in.Focused, w.in.Lost, w.in.Held = false, true, 0
		w.in.Compose = widgets.Composition{}
	case sdl.WINDOWEVENT_SHOWN, sdl.WINDOWEVENT_EXPOSED, sdl.WINDOWEVENT_SIZE_CHANGED, sdl.WINDOWEVENT_RESTORED:
		w.canvas.stale()
		if e.Event != sdl.WINDOWEVENT_EXPOSED {
			w.placed.changed = time.Now()
			w.stay()
		}
	case sdl.WINDOWEVENT_MOVED, sdl.WINDOWEVENT_MAXIMIZED:
		w.placed.changed = time.Now()
	case sdl.WINDOWEVENT_ENTER:
		w.in.MouseIn = true
	case sdl.WINDOWEVENT_LEAVE:
		w.in.MouseIn = w.in.Held != 0
	}
}
