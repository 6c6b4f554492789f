// Package virtual has a controller without hardware, for the tests of the packages beside it:
// SDL takes it for one that was plugged in.
package virtual

// #cgo pkg-config: sdl2
// #include <SDL.h>
import "C"

import (
	"errors"
	"fmt"

	"github.com/veandco/go-sdl2/sdl"
)

// Pad is a controller with the buttons and axes of an Xbox controller, by SDL's names. Its
// methods are for the main thread; what they do is seen with the next event.
type Pad struct{ joystick *C.SDL_Joystick }

// Attach plugs one in. SDL's controllers must have been started.
func Attach() (*Pad, error) {
	i := C.SDL_JoystickAttachVirtual(C.SDL_JOYSTICK_TYPE_GAMECONTROLLER, C.SDL_CONTROLLER_AXIS_MAX, C.SDL_CONTROLLER_BUTTON_MAX, 0)
	if i < 0 {
		return nil, fmt.Errorf("plug in a virtual controller: %w", sdl.GetError())
	}
	p := &Pad{joystick: C.SDL_JoystickOpen(i)}
	if p.joystick == nil {
		return nil, fmt.Errorf("open a virtual controller: %w", sdl.GetError())
	}
	return p, errors.Join(p.Move("lefttrigger", -32768), p.Move("righttrigger", -32768)) // at rest
}

// Press presses a button, or lets go of it.
func (p *Pad) Press(name string, down bool) error {
	button := sdl.GameControllerGetButtonFromString(name)
	if button == sdl.CONTROLLER_BUTTON_INVALID {
		return errors.New("no button is called " + name)
	}
	value := C.Uint8(0)
	if down {
		value = 1
	}
	if C.SDL_JoystickSetVirtualButton(p.joystick, C.int(button), value) < 0 {
		return sdl.GetError()
	}
	return nil
}

// Move moves an axis.
func (p *Pad) Move(name string, value int16) error {
	axis := sdl.GameControllerGetAxisFromString(name)
	if axis == sdl.CONTROLLER_AXIS_INVALID {
		return errors.New("no axis is called " + name)
	}
	if C.SDL_JoystickSetVirtualAxis(p.joystick, C.int(axis), C.Sint16(value)) < 0 {
		return sdl.GetError()
	}
	return nil
}

// Detach unplugs it.
func (p *Pad) Detach() error {
	id := C.SDL_JoystickInstanceID(p.joystick)
	C.SDL_JoystickClose(p.joystick)
	for i := range C.SDL_NumJoysticks() {
		if C.SDL_JoystickGetDeviceInstanceID(i) == id {
			if C.SDL_JoystickDetachVirtual(i) < 0 {
				return sdl.GetError()
			}
			return nil
		}
	}
	return errors.New("the virtual controller is unplugged already")
}
