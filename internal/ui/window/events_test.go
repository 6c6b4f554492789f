package window

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
	"github.com/veandco/go-sdl2/sdl"
)

// push puts an event where SDL's own come from.
func push[T any](t testing.TB, event T) {
	t.Helper()
	box := new(struct {
		event T
		_     [128]byte
	})
	box.event = event
	if _, err := sdl.PushEvent(any(&box.event).(sdl.Event)); err != nil {
		t.Error(err)
	}
}

func textEvent(s string) sdl.TextInputEvent {
	e := sdl.TextInputEvent{Type: sdl.TEXTINPUT}
	copy(e.Text[:], s)
	return e
}

func keyEvents(code sdl.Scancode, sym sdl.Keycode, mod uint16) (down, up sdl.KeyboardEvent) {
	k := sdl.Keysym{Scancode: code, Sym: sym, Mod: mod}
	return sdl.KeyboardEvent{Type: sdl.KEYDOWN, State: sdl.PRESSED, Keysym: k}, sdl.KeyboardEvent{Type: sdl.KEYUP, Keysym: k}
}

// Keys, clicks and drops come to the widgets in the order in which
// it happened, even when all of it is there at once.
func TestEventsInOrder(t *testing.T) {
	withWindow(t, Config{Title: "test", Software: true}, func(r *rig) {
		var name, chat string
		pressed, entered := 0, false
		var at [3]draw.Rect
		build := func(u *widgets.UI) {
			u.Field(widgets.Field{Name: "name"}, &name)
			at[0] = u.LastRect()
			entered = u.Field(widgets.Field{Name: "chat"}, &chat).Entered || entered
			at[1] = u.LastRect()
			if u.Button(widgets.Button{Text: "Start"}) {
				pressed++
			}
			at[2] = u.LastRect()
		}
		r.until(t, func(u *widgets.UI) bool { build(u); return true })
		click := func(at draw.Rect) {
			x, y := int32(at.Center().X*r.Scale()), int32(at.Center().Y*r.Scale())
			push(t, sdl.MouseButtonEvent{Type: sdl.MOUSEBUTTONDOWN, Button: sdl.BUTTON_LEFT, State: sdl.PRESSED, Clicks: 1, X: x, Y: y})
			push(t, sdl.MouseButtonEvent{Type: sdl.MOUSEBUTTONUP, Button: sdl.BUTTON_LEFT, Clicks: 1, X: x, Y: y})
		}
		typed := func(down, up sdl.KeyboardEvent) { push(t, down); push(t, up) }
		click(at[0])
		push(t, textEvent("Ann"))
		push(t, textEvent("a"))
		typed(keyEvents(sdl.SCANCODE_TAB, sdl.K_TAB, 0))
		push(t, textEvent("こんにちは"))
		typed(keyEvents(sdl.SCANCODE_RETURN, sdl.K_RETURN, 0))
		click(at[2])
		click(at[2])
		r.until(t, func(u *widgets.UI) bool { build(u); return pressed == 2 })
		if name != "Anna" || chat != "こんにちは" || !entered || pressed != 2 {
			t.Errorf("name %q, chat %q, entered %t, pressed %d", name, chat, entered, pressed)
		}
	})
}

func TestKeysForConsoles(t *testing.T) {
	withWindow(t, Config{Software: true}, func(r *rig) {
		down, up := keyEvents(sdl.SCANCODE_X, sdl.K_x, sdl.KMOD_LSHIFT)
		push(t, down)
		push(t, up)
		var keys []widgets.KeyPress
		for range 3 {
			in, _ := r.Next(0)
			keys = append(keys, in.Keys...)
		}
		want := []widgets.KeyPress{{Key: widgets.KeyX, Name: "X", Sym: 'x', Mods: widgets.Shift}, {Key: widgets.KeyX, Name: "X", Sym: 'x', Mods: widgets.Shift, Up: true}}
		if len(keys) != 2 || keys[0] != want[0] || keys[1] != want[1] {
			t.Errorf("got %+v, want %+v", keys, want)
		}
	})
}

// TestFingers: each finger is told of, in pixels of the drawing area, also at its far edge.
func TestFingers(t *testing.T) {
	withWindow(t, Config{Software: true}, func(r *rig) {
		for _, e := range []sdl.TouchFingerEvent{
			{Type: sdl.FINGERDOWN, FingerID: 7, X: 0.25, Y: 0.5},
			{Type: sdl.FINGERDOWN, FingerID: 8, X: 1, Y: 1},
			{Type: sdl.FINGERMOTION, FingerID: 7, X: 0.5, Y: 0.5},
			{Type: sdl.FINGERUP, FingerID: 8, X: 1, Y: 0},
		} {
			push(t, e)
		}
		var got []widgets.Finger
		for range 6 {
			in, _ := r.Next(0)
			got = append(got, in.Fingers...)
		}
		w, h := float32(r.Size().X), float32(r.Size().Y)
		want := []widgets.Finger{
			{ID: 7, At: draw.Pt(w/4, h/2), Down: true},
			{ID: 8, At: draw.Pt(w-0.01, h-0.01), Down: true},
			{ID: 7, At: draw.Pt(w/2, h/2)},
			{ID: 8, At: draw.Pt(w-0.01, 0), Up: true},
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	})
}

func TestDropCloseAndFocus(t *testing.T) {
	withWindow(t, Config{Software: true}, func(r *rig) {
		push(t, sdl.WindowEvent{Type: sdl.WINDOWEVENT, Event: sdl.WINDOWEVENT_FOCUS_LOST})
		push(t, sdl.QuitEvent{Type: sdl.QUIT})
		lost, closed := false, false
		r.until(t, func(u *widgets.UI) bool {
			in := u.Input()
			lost, closed = lost || in.Lost && !in.Focused, closed || in.Close
			return closed
		})
		if !lost || !closed {
			t.Errorf("lost %t, closed %t", lost, closed)
		}
	})
}

func TestComposition(t *testing.T) {
	withWindow(t, Config{Software: true}, func(r *rig) {
		var name string
		build := func(u *widgets.UI) { u.Field(widgets.Field{Name: "name", Focus: true}, &name) }
		r.until(t, func(u *widgets.UI) bool { build(u); return true })
		if sdl.IsTextInputActive() != true {
			t.Error("text input is off while a field has the focus")
		}
		e := sdl.TextEditingEvent{Type: sdl.TEXTEDITING, Start: 2}
		copy(e.Text[:], "かな")
		push(t, e)
		r.until(t, func(u *widgets.UI) bool {
			build(u)
			return u.Input().Compose == widgets.Composition{Text: "かな", Caret: 2}
		})
		const long = "これはとてもながいぶんしょうですけど" // more than an event of SDL's has room for
		file := filepath.Join(t.TempDir(), "text")
		must.Succeed(t, os.WriteFile(file, []byte(long+"\x00"), 0o600))
		memory, _ := sdl.LoadFile(file) // SDL's own, as that of an input method is
		push(t, composing{CommonEvent: sdl.CommonEvent{Type: sdl.TEXTEDITING_EXT}, Text: &memory[0], Start: 18})
		r.until(t, func(u *widgets.UI) bool {
			build(u)
			return u.Input().Compose == widgets.Composition{Text: long, Caret: 18}
		})
		if name != "" {
			t.Errorf("what is being composed is in the field already: %q", name)
		}
		push(t, textEvent("仮名"))
		r.until(t, func(u *widgets.UI) bool { build(u); return name == "仮名" && u.Input().Compose.Text == "" })
		r.until(t, func(u *widgets.UI) bool { u.SetFocus(0); u.Label("nothing to type in"); return true })
		r.until(t, func(*widgets.UI) bool { return true })
		if sdl.IsTextInputActive() {
			t.Error("text input is on while nothing can be typed")
		}
	})
}

func TestClipboard(t *testing.T) {
	withWindow(t, Config{Software: true}, func(r *rig) {
		r.Copy("部屋 1")
		if got := r.Paste(); got != "部屋 1" {
			t.Errorf("got %q", got)
		}
	})
}

// On Wayland nobody gets what is copied before a key or a click; a finger, which comes as a mouse, too, is none.
func TestMayCopy(t *testing.T) {
	for _, tt := range []struct {
		driver  string
		pressed bool
		want    bool
	}{{"x11", false, true}, {"windows", false, true}, {wayland, false, false}, {wayland, true, true}} {
		if got := mayCopy(tt.driver, tt.pressed); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
	down, _ := keyEvents(sdl.SCANCODE_A, sdl.K_a, 0)
	for _, tt := range []struct {
		event sdl.Event
		want  bool
	}{
		{&down, true},
		{&sdl.MouseButtonEvent{Type: sdl.MOUSEBUTTONDOWN, Button: sdl.BUTTON_LEFT}, true},
		{&sdl.MouseButtonEvent{Type: sdl.MOUSEBUTTONDOWN, Button: sdl.BUTTON_LEFT, Which: sdl.TOUCH_MOUSEID}, false},
	} {
		withWindow(t, Config{Software: true}, func(r *rig) {
			if r.take(tt.event); r.pressed != tt.want {
				t.Errorf("%T: %v", tt.event, r.pressed)
			}
		})
	}
}
