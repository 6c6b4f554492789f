package pads

import "math"

// Axes of a controller by SDL's names (SDL_GameControllerGetStringForAxis). Sticks
// are -32768 to 32767 with down and right positive, triggers 0 to 32767.
const (
	AxisLeftX  = "leftx"
	AxisLeftY  = "lefty"
	AxisRightX = "rightx"
	AxisRightY = "righty"
	AxisLeft   = "lefttrigger"
	AxisRight  = "righttrigger"
)

// release is the part of the way from the middle to the dead zone's edge to which a stick must come
// back before its direction is let go: one that trembles on the edge does not stutter.
const release = 0.8

// stick is the position of a stick, each way -1 to 1.
type stick struct{ x, y float64 }

// times is the stick moved so many times as far.
func (s stick) times(n float64) stick { return stick{s.x * n, s.y * n} }

// add is the stick moved by another.
func (s stick) add(by stick) stick { return stick{s.x + by.x, s.y + by.y} }

// direction reports whether a stick counts as moved one of the four ways: it is outside of the round
// dead zone, and points there by 67.5 degrees or less, so that each of eight has as much of the circle.
func (s stick) direction(axis float64, deadzone float64, was bool) bool {
	if was {
		deadzone *= release
	}
	out := math.Hypot(s.x, s.y)
	return out > max(deadzone, 0.01) && axis > out*math.Sin(math.Pi/8)
}

// pull returns the speed at which a stick moves the stylus: nothing in the dead zone, from its edge on
// from 0 to 1, finer near the middle.
func (s stick) pull(deadzone float64) stick {
	length := math.Hypot(s.x, s.y)
	out := min(length, 1)
	if out <= deadzone || deadzone >= 1 {
		return stick{}
	}
	speed := (out - deadzone) / (1 - deadzone)
	return s.times(speed * speed / length)
}

// axisValue is SDL's value of an axis as -1 to 1.
func axisValue(v int16) float64 { return max(float64(v)/math.MaxInt16, -1) }
