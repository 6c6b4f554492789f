package pads

import (
	"testing"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/inputdelay"
)

// TestCrossTurnsWithThePicture: what is up as the player sees it is at the right of a console that is turned to the left,
// for keys and controllers; opposite keys cancel, and other buttons are as they are.
func TestCrossTurnsWithThePicture(t *testing.T) {
	const up, right, down, left = inputdelay.KeyUp, inputdelay.KeyRight, inputdelay.KeyDown, inputdelay.KeyLeft
	for turn, want := range map[Turn]map[string]inputdelay.Keys{
		Upright: {"Up": up, "Right": right, "Down": down, "Left": left, "X": inputdelay.KeyA},
		Left:    {"Up": right, "Right": down, "Down": left, "Left": up, "X": inputdelay.KeyA},
		Right:   {"Up": left, "Right": up, "Down": right, "Left": down, "X": inputdelay.KeyA},
	} {
		m := NewMapper(config.Defaults())
		m.Turn(turn, true)
		for key, console := range want {
			m.Key(key, true)
			if got := m.Input(0).Keys; got != console {
				t.Errorf("turn %d: %s presses %v, want %v", turn, key, got, console)
			}
			m.Turn(turn, false)
			if got, plain := m.Input(0).Keys, (map[string]inputdelay.Keys{"Up": up, "Right": right, "Down": down, "Left": left, "X": inputdelay.KeyA})[key]; got != plain {
				t.Errorf("turn %d without the cross: %s presses %v, want %v", turn, key, got, plain)
			}
			m.Turn(turn, true)
			m.Key(key, false)
		}
		m.Connect(1, Hardware{Name: "pad"})
		m.Axis(1, AxisLeftY, -32768)
		if got := m.Input(0).Keys; got != want["Up"] {
			t.Errorf("turn %d: a stick up presses %v, want %v", turn, got, want["Up"])
		}
		m.Key("Right", true)
		if got := m.Input(0).Keys; got != want["Up"]|want["Right"] {
			t.Errorf("turn %d: up and right press %v", turn, got)
		}
		m.Axis(1, AxisLeftY, 0)
		m.Key("Left", true)
		if got := m.Input(0).Keys; got != 0 {
			t.Errorf("turn %d: left and right press %v", turn, got)
		}
	}
}

// TestStylusTurnsWithThePicture: the stick that moves the stylus moves it as the player sees it, whatever the cross does.
func TestStylusTurnsWithThePicture(t *testing.T) {
	for turn, way := range map[Turn][2]int{Upright: {0, -1}, Left: {1, 0}, Right: {-1, 0}} {
		for _, cross := range []bool{false, true} {
			m := NewMapper(config.Defaults())
			m.Connect(1, Hardware{Name: "pad"})
			m.Turn(turn, cross)
			m.Button(1, "rightstick", true)
			before := m.Input(0)
			m.Axis(1, AxisRightY, -32768)
			for range 10 {
				m.Input(0)
			}
			after := m.Input(0)
			sign := func(n int) int { return max(-1, min(1, n)) }
			dx, dy := sign(int(after.X)-int(before.X)), sign(int(after.Y)-int(before.Y))
			if [2]int{dx, dy} != way || after.Keys&inputdelay.Touch == 0 {
				t.Errorf("turn %d: up on the stick moved the stylus from %d,%d to %d,%d", turn, before.X, before.Y, after.X, after.Y)
			}
		}
	}
}
