package pads

import (
	"os"
	"slices"
	"testing"

	"github.com/veandco/go-sdl2/sdl"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/uitest"
)

func TestMain(m *testing.M) { os.Exit(uitest.Main(m)) }

// run runs f on the main thread, where SDL must be.
func run(f func()) { uitest.Run(f) }

// The names of buttons in the settings are SDL's.
func TestNamesAreSDLs(t *testing.T) {
	run(func() {
		for _, name := range config.PadNames() {
			if name[0] == '-' || name[0] == '+' {
				name = name[1:]
			}
			button, axis := sdl.GameControllerGetButtonFromString(name), sdl.GameControllerGetAxisFromString(name)
			if button == sdl.CONTROLLER_BUTTON_INVALID && axis == sdl.CONTROLLER_AXIS_INVALID {
				t.Errorf("button %q is not known", name)
			}
		}
		for _, axis := range []string{AxisLeftX, AxisLeftY, AxisRightX, AxisRightY, AxisLeft, AxisRight} {
			if sdl.GameControllerGetAxisFromString(axis) == sdl.CONTROLLER_AXIS_INVALID {
				t.Errorf("axis %q is not known", axis)
			}
		}
	})
}

func TestControllersWithoutAny(t *testing.T) {
	run(func() {
		m := usual(nil)
		c, err := OpenControllers(m, "")
		must.Succeed(t, err)
		c.Event(&sdl.ControllerDeviceEvent{Type: sdl.CONTROLLERDEVICEADDED, Which: 99})
		c.Event(&sdl.ControllerDeviceEvent{Type: sdl.CONTROLLERDEVICEREMOVED, Which: 99})
		c.Event(&sdl.QuitEvent{})
		c.Close()
		c.Close()
		c.Event(&sdl.ControllerDeviceEvent{Type: sdl.CONTROLLERDEVICEADDED})
		var none *Controllers
		none.Event(nil)
		none.Close()
	})
}

// Events of SDL for buttons and axes reach the consoles.
func TestControllerEvents(t *testing.T) {
	run(func() {
		m := usual(nil)
		c, err := OpenControllers(m, "")
		must.Succeed(t, err)
		defer c.Close()
		m.Connect(3, Hardware{Name: "pad"})
		c.Event(&sdl.ControllerButtonEvent{Which: 3, Button: sdl.CONTROLLER_BUTTON_B, State: sdl.PRESSED})
		c.Event(&sdl.ControllerAxisEvent{Which: 3, Axis: sdl.CONTROLLER_AXIS_LEFTY, Value: -32768})
		c.Event(&sdl.ControllerButtonEvent{Which: 9, Button: sdl.CONTROLLER_BUTTON_A, State: sdl.PRESSED})
		want(t, m, 0, "A+UP")
		if got := m.Pads()[0].Held; !slices.Equal(got, []string{"-lefty", "b"}) {
			t.Errorf("held: %q", got)
		}
		c.Event(&sdl.ControllerButtonEvent{Which: 3, Button: sdl.CONTROLLER_BUTTON_B, State: sdl.RELEASED})
		want(t, m, 0, "UP")
	})
}

// A controller that is plugged in is heard through all of SDL, and one that is unplugged lets go.
func TestVirtualPad(t *testing.T) {
	run(func() {
		m := usual(nil)
		c, err := OpenControllers(m, "")
		must.Succeed(t, err)
		defer c.Close()
		pump := func() {
			for e := sdl.PollEvent(); e != nil; e = sdl.PollEvent() {
				c.Event(e)
			}
		}
		pad, err := uitest.Attach()
		must.Succeed(t, err)
		if pump(); len(m.Pads()) != 1 {
			t.Fatalf("the controllers are %+v", m.Pads())
		}
		for _, err := range []error{pad.Press("b", true), pad.Press("dpup", true), pad.Move("rightx", 32767)} {
			must.Succeed(t, err)
		}
		pump()
		want(t, m, 0, "A+UP")
		if p := m.Pads()[0]; !slices.Equal(p.Held, []string{"+rightx", "b", "dpup"}) || p.Axes["rightx"] != 1 {
			t.Errorf("it holds %q at %v", p.Held, p.Axes)
		}
		must.Succeed(t, pad.Detach())
		pump()
		want(t, m, 0, "")
		if pad.Press("nothing", true) == nil || pad.Move("nothing", 0) == nil || len(m.Pads()) != 0 {
			t.Errorf("after it was unplugged: %+v", m.Pads())
		}
	})
}
