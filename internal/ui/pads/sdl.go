package pads

import (
	"fmt"

	"github.com/veandco/go-sdl2/sdl"
)

// Controllers opens game controllers as they come and go, and tells a Mapper what
// is pressed on them. Main thread only, all of it.
type Controllers struct {
	mapper *Mapper
	open   map[ID]*sdl.GameController
	closed bool
}

// OpenControllers starts SDL's controllers. Those that are there already are opened.
// Without it, or after an error, one plays by keyboard. Controllers are heard also
// while the window has no keyboard only if SDL's hint for it is set, which is left alone.
func OpenControllers(m *Mapper) (*Controllers, error) {
	if err := sdl.InitSubSystem(sdl.INIT_GAMECONTROLLER); err != nil {
		return nil, fmt.Errorf("start game controllers: %w", err)
	}
	c := &Controllers{mapper: m, open: map[ID]*sdl.GameController{}}
	for i := range sdl.NumJoysticks() {
		c.add(i)
	}
	return c, nil
}

// Look returns the names of the controllers that are plugged in. Main thread only.
func Look() (names []string, err error) {
	if err := sdl.InitSubSystem(sdl.INIT_GAMECONTROLLER); err != nil {
		return nil, fmt.Errorf("start game controllers: %w", err)
	}
	defer sdl.QuitSubSystem(sdl.INIT_GAMECONTROLLER)
	for i := range sdl.NumJoysticks() {
		if sdl.IsGameController(i) {
			names = append(names, sdl.GameControllerNameForIndex(i))
		}
	}
	return names, nil
}

// Event takes an event of SDL's, of any kind: pass it all there are, such as by
// window.Window.OnEvent.
func (c *Controllers) Event(e sdl.Event) {
	if c == nil || c.closed {
		return
	}
	switch e := e.(type) {
	case *sdl.ControllerDeviceEvent:
		switch e.Type {
		case sdl.CONTROLLERDEVICEADDED:
			c.add(int(e.Which))
		case sdl.CONTROLLERDEVICEREMOVED:
			c.remove(ID(e.Which))
		}
	case *sdl.ControllerButtonEvent:
		name := sdl.GameControllerGetStringForButton(sdl.GameControllerButton(e.Button))
		c.mapper.Button(ID(e.Which), name, e.State == sdl.PRESSED)
	case *sdl.ControllerAxisEvent:
		name := sdl.GameControllerGetStringForAxis(sdl.GameControllerAxis(e.Axis))
		c.mapper.Axis(ID(e.Which), name, e.Value)
	}
}

// add opens controller i, as they are numbered now, unless SDL knows no mapping of it.
func (c *Controllers) add(i int) {
	if !sdl.IsGameController(i) {
		return
	}
	pad := sdl.GameControllerOpen(i)
	if pad == nil {
		return // unplugged again
	}
	id := ID(pad.Joystick().InstanceID())
	if c.open[id] != nil {
		pad.Close() // SDL counts how often it was opened
		return
	}
	c.open[id] = pad
	c.mapper.Connect(id, pad.Name())
}

func (c *Controllers) remove(id ID) {
	pad := c.open[id]
	if pad == nil {
		return
	}
	delete(c.open, id)
	pad.Close()
	c.mapper.Disconnect(id)
}

// Close closes all controllers. It can be called again.
func (c *Controllers) Close() {
	if c == nil || c.closed {
		return
	}
	for id := range c.open {
		c.remove(id)
	}
	c.closed = true
	sdl.QuitSubSystem(sdl.INIT_GAMECONTROLLER)
}
