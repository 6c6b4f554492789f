package pads

import (
	"testing"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

func TestMenuMoves(t *testing.T) {
	m := usual(nil)
	m.Connect(1, Hardware{Name: "pad"})
	m.Button(1, "dpdown", true)
	m.Button(1, "dpdown", false)
	m.Button(1, "a", true)
	m.Button(1, "x", true)
	for _, want := range []Move{
		{Nav: widgets.NavDown, Control: "dpdown", More: true, Wake: -1},
		{Nav: widgets.NavAccept, Control: "a", More: true, Wake: -1},
		{Control: "x", Wake: -1},
		{Wake: -1},
	} {
		if got := m.Menu(time.Second); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

// TestMenuOfTheGame: its own button asks for it at once, START and SELECT after a second, once.
func TestMenuOfTheGame(t *testing.T) {
	m := usual(nil)
	m.Connect(1, Hardware{Name: "pad"})
	asks := func(want bool, at time.Duration) {
		t.Helper()
		if got := m.Menu(at); got.Open != want {
			t.Errorf("at %v: %+v, want %t", at, got, want)
		}
	}
	m.Button(1, "guide", true)
	asks(true, 0)
	asks(false, time.Second)
	m.Button(1, "back", true)
	asks(false, 10*time.Second)
	m.Button(1, "start", true)
	asks(false, 20*time.Second)
	if got := m.Menu(20*time.Second + 200*time.Millisecond); got.Wake <= 0 || got.Wake > 800*time.Millisecond {
		t.Errorf("it is to be asked again after %v", got.Wake)
	}
	asks(true, 21*time.Second)
	asks(false, 30*time.Second)
	m.Button(1, "back", false)
	asks(false, 31*time.Second)
	m.Button(1, "back", true)
	asks(false, 32*time.Second)
	m.Disconnect(1)
	asks(false, 40*time.Second)
}

func TestMenuRepeats(t *testing.T) {
	m := usual(nil)
	m.Connect(1, Hardware{Name: "pad"})
	m.Axis(1, AxisLeftY, 32767)
	at := 5 * time.Second
	if got := m.Menu(at); got.Nav != widgets.NavDown || got.Control != "+lefty" || got.Wake != repeatFirst {
		t.Errorf("%+v", got)
	}
	if got := m.Menu(at + repeatFirst/2); got.Nav != widgets.NoNav || got.Wake != repeatFirst/2 {
		t.Errorf("too early: %+v", got)
	}
	at += repeatFirst
	for range 5 {
		if got := m.Menu(at); got.Nav != widgets.NavDown || got.Control != "" || got.Wake != repeatNext {
			t.Errorf("%+v", got)
		}
		at += repeatNext
	}
	m.Axis(1, AxisLeftY, 0)
	if got := m.Menu(at + time.Hour); got != (Move{Wake: -1}) {
		t.Errorf("let go: %+v", got)
	}
}

func TestMenuEndsWithItsPad(t *testing.T) {
	m := usual(nil)
	m.Connect(1, Hardware{Name: "pad"})
	m.Button(1, "dpup", true)
	m.Menu(0)
	m.Disconnect(1)
	if got := m.Menu(time.Hour); got != (Move{Wake: -1}) {
		t.Errorf("%+v", got)
	}
}

// Presses that nobody takes are forgotten beyond some.
func TestMenuIsBounded(t *testing.T) {
	m := usual(nil)
	m.Connect(1, Hardware{Name: "pad"})
	for i := range 1000 {
		m.Button(1, "a", i%2 == 0)
	}
	if len(m.menu.pressed) != maxMoves {
		t.Errorf("%d wait", len(m.menu.pressed))
	}
}

// TestScreensByPad: buttons for the screens ask once a press, also as a trigger that is pulled;
// what a controller's own mapping makes of such a button goes first.
func TestScreensByPad(t *testing.T) {
	m := usual(func(c *config.Config) {
		c.Pads.Own, c.Pads.Clip = map[string]string{"own": "mic: lefttrigger"}, []string{"paddle2"}
	})
	m.Connect(1, Hardware{Name: "pad"})
	m.Connect(2, Hardware{Name: "own"})
	m.Axis(1, AxisLeft, 32767)
	m.Button(1, "touchpad", true)
	if got := m.Menu(0); !got.Swap || !got.Layout {
		t.Errorf("both were pressed: %+v", got)
	}
	if got := m.Menu(0); got.Swap || got.Layout {
		t.Errorf("a press asks twice: %+v", got)
	}
	m.Button(1, "paddle2", true)
	if got := m.Menu(0); !got.Clip || got.Swap || m.Menu(0).Clip {
		t.Errorf("the button for a clip asks for %+v", got)
	}
	m.Axis(2, AxisLeft, 32767)
	if got := m.Menu(0); got.Swap {
		t.Error("a button of the console swaps the screens")
	}
}
