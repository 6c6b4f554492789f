package pads

import "github.com/nettplay/nettplay/inputdelay"

// Turn is how the picture of the consoles is turned on this machine. Only what a player's hands do is turned with it:
// what comes out of a Mapper is the input of a console that is held as usual.
type Turn uint8

// The turns.
const (
	Upright Turn = iota
	Left         // by 90 degrees, the top of the picture at the left
	Right        // by 90 degrees, the top of the picture at the right
)

// Seen is a way in the picture, right and down positive, that the player sees as x, y.
func (t Turn) Seen(x, y float64) (px, py float64) {
	switch t {
	case Left:
		return -y, x
	case Right:
		return y, -x
	}
	return x, y
}

// around are the keys of the cross, clockwise.
var around = [...]inputdelay.Keys{inputdelay.KeyUp, inputdelay.KeyRight, inputdelay.KeyDown, inputdelay.KeyLeft}

// Cross turns the cross among keys as the player sees it to that of a console; the others stay.
func (t Turn) Cross(keys inputdelay.Keys) inputdelay.Keys {
	on := [...]int{Upright: 0, Left: 1, Right: 3}[t]
	out := keys &^ (around[0] | around[1] | around[2] | around[3])
	for i, key := range around {
		if keys&key != 0 {
			out |= around[(i+on)%len(around)]
		}
	}
	return out
}
