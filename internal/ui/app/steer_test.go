package app

import (
	"bufio"
	"fmt"
	"image"
	"os"

	"github.com/veandco/go-sdl2/sdl"

	"github.com/nettplay/nettplay/internal/testing/uitest"
)

// hands hold a controller of the program under test, as its standard input orders: "plug",
// "unplug", "press NAME", "hold NAME", "lift NAME"; "down X Y", "move X Y" and "up X Y" are a finger's; "close" closes the window; "copy
// TEXT" is what its player copies from a chat; "look" does nothing.
type hands struct {
	began bool
	pad   *uitest.Pad
	new   int // orders since the picture before
	heard int // orders of which the next picture hears
	done  int // orders of which a picture has heard
}

// serve is called after each picture.
func (h *hands) serve(p *program) {
	if h.began {
		h.done, h.heard, h.new = h.done+h.heard, h.new, 0
		return
	}
	h.began = true
	go func() {
		orders := bufio.NewScanner(os.Stdin)
		for orders.Scan() {
			line := orders.Text()
			p.post(func(*Shell) {
				if err := h.obey(p, line); err != nil {
					fmt.Fprintln(os.Stderr, line+":", err)
				}
				h.new++
				p.window.Wake() // SDL tells of it with the next picture
			})
		}
	}()
}

func (h *hands) obey(p *program, line string) (err error) {
	var do, name string
	if _, err := fmt.Sscan(line, &do, &name); err != nil && name != "" {
		return err
	}
	switch do {
	case "plug":
		h.pad, err = uitest.Attach()
	case "unplug":
		err = h.pad.Detach()
	case "hold":
		err = h.pad.Press(name, true)
	case "lift":
		err = h.pad.Press(name, false)
	case "press":
		err = h.pad.Press(name, true)
		sdl.JoystickUpdate()
		if err == nil {
			err = h.pad.Press(name, false)
		}
	case "close": // as the window manager's button does
		box := new(struct { // SDL copies as much as its largest event has
			event sdl.QuitEvent
			_     [128]byte
		})
		box.event.Type = sdl.QUIT
		_, err = sdl.PushEvent(&box.event)
	case "down", "move", "up":
		var x, y float32
		clicks := uint8(1) // of a double tap 2
		if n, err := fmt.Sscan(line, &do, &x, &y, &clicks); n < 3 {
			return err
		}
		err = finger(do, x, y, clicks, p.window.Size())
	case "look": // the next picture tells that it has heard of everything before
	case "copy":
		err = sdl.SetClipboardText(name)
	default:
		err = fmt.Errorf("no such order")
	}
	sdl.JoystickUpdate()
	return err
}

// finger does what SDL does for the first finger on a touch screen: its own event, and those of a mouse in its place.
func finger(do string, x, y float32, clicks uint8, size image.Point) error {
	kind := map[string]uint32{"down": sdl.FINGERDOWN, "move": sdl.FINGERMOTION, "up": sdl.FINGERUP}[do]
	touch := new(struct { // SDL copies as much as its largest event has
		event sdl.TouchFingerEvent
		_     [128]byte
	})
	touch.event = sdl.TouchFingerEvent{Type: kind, TouchID: 1, FingerID: 1, X: x / float32(size.X), Y: y / float32(size.Y), Pressure: 1}
	moved := new(struct {
		event sdl.MouseMotionEvent
		_     [128]byte
	})
	moved.event = sdl.MouseMotionEvent{Type: sdl.MOUSEMOTION, Which: sdl.TOUCH_MOUSEID, X: int32(x), Y: int32(y)}
	_, err := sdl.PushEvent(&touch.event)
	if _, e := sdl.PushEvent(&moved.event); e != nil {
		err = e
	}
	if do == "move" || err != nil {
		return err
	}
	button := new(struct {
		event sdl.MouseButtonEvent
		_     [128]byte
	})
	button.event = sdl.MouseButtonEvent{Type: map[string]uint32{"down": sdl.MOUSEBUTTONDOWN, "up": sdl.MOUSEBUTTONUP}[do], Which: sdl.TOUCH_MOUSEID, Button: sdl.BUTTON_LEFT, Clicks: clicks, X: int32(x), Y: int32(y)}
	_, err = sdl.PushEvent(&button.event)
	return err
}
