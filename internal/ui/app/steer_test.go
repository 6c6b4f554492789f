package app

import (
	"bufio"
	"fmt"
	"os"

	"github.com/veandco/go-sdl2/sdl"

	"github.com/nettplay/nettplay/internal/testing/uitest"
)

// hands hold a controller of the program under test, as its standard input orders: "plug",
// "unplug", "press NAME", "hold NAME", "lift NAME"; "close" closes the window; "copy
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
				if err := h.obey(line); err != nil {
					fmt.Fprintln(os.Stderr, line+":", err)
				}
				h.new++
				p.window.Wake() // SDL tells of it with the next picture
			})
		}
	}()
}

func (h *hands) obey(line string) (err error) {
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
	case "look": // the next picture tells that it has heard of everything before
	case "copy":
		err = sdl.SetClipboardText(name)
	default:
		err = fmt.Errorf("no such order")
	}
	sdl.JoystickUpdate()
	return err
}
