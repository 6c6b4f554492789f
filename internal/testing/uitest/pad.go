package uitest

// #cgo pkg-config: sdl2
// #include <SDL.h>
// #include <stdlib.h>
import "C"

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/veandco/go-sdl2/sdl"
)

// Pad is a controller without hardware, which SDL takes for one that was plugged in, with the buttons and axes of an Xbox controller, by SDL's names. Its
// methods are for the main thread; what they do is seen with the next event.
type Pad struct{ joystick *C.SDL_Joystick }

// A PadModel is what a controller says that it is.
type PadModel struct {
	Name            string
	Vendor, Product uint16
	Strange         bool // SDL knows no buttons of it
}

// Attach plugs one in. SDL's controllers must have been started.
func Attach() (*Pad, error) { return AttachAs(PadModel{Name: "Virtual Controller"}) }

// AttachAs plugs in a controller of some model. SDL has neither serial number nor path of it. Its triggers rest at -32768, unless
// it is strange: then they rest in the middle, as all axes do.
func AttachAs(m PadModel) (*Pad, error) {
	name := C.CString(m.Name)
	defer C.free(unsafe.Pointer(name))
	description := C.SDL_VirtualJoystickDesc{
		version: C.SDL_VIRTUAL_JOYSTICK_DESC_VERSION, _type: C.SDL_JOYSTICK_TYPE_GAMECONTROLLER,
		naxes: C.SDL_CONTROLLER_AXIS_MAX, nbuttons: C.SDL_CONTROLLER_BUTTON_MAX, nhats: 1,
		vendor_id: C.Uint16(m.Vendor), product_id: C.Uint16(m.Product), name: name,
	}
	if m.Strange {
		description._type = C.SDL_JOYSTICK_TYPE_ARCADE_STICK
	}
	i := C.SDL_JoystickAttachVirtualEx(&description)
	if i < 0 {
		return nil, fmt.Errorf("plug in a virtual controller: %w", sdl.GetError())
	}
	p := &Pad{joystick: C.SDL_JoystickOpen(i)}
	if p.joystick == nil {
		return nil, fmt.Errorf("open a virtual controller: %w", sdl.GetError())
	}
	if m.Strange {
		return p, nil
	}
	return p, errors.Join(p.Move("lefttrigger", -32768), p.Move("righttrigger", -32768)) // at rest
}

// Turn moves its hat: 0, or one of SDL's bits for a way, up, right, down and left from 1 on.
func (p *Pad) Turn(hat uint8) error {
	if C.SDL_JoystickSetVirtualHat(p.joystick, 0, C.Uint8(hat)) < 0 {
		return sdl.GetError()
	}
	return nil
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
