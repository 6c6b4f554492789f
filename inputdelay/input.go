package inputdelay

import (
	"fmt"
	"strings"
)

// Keys is the set of what is held down, one bit each. Bit 15 is always zero; the
// encoding uses it as a flag.
type Keys uint16

// The keys of a console. The first ten stand in the order of the DS's KEYINPUT
// register, X and Y follow as in EXTKEYIN (GBATEK, "DS Keypad").
const (
	KeyA Keys = 1 << iota
	KeyB
	KeySelect
	KeyStart
	KeyRight
	KeyLeft
	KeyUp
	KeyDown
	KeyR
	KeyL
	KeyX
	KeyY
	// Touch says that the stylus is on the bottom screen, at Input.X and Y.
	Touch
	// Lid says that the console is closed.
	Lid
	// Mic says that somebody blows into the microphone.
	Mic
)

// allKeys are the bits that mean something.
const allKeys = Mic<<1 - 1

// The bottom screen in pixels: X is 0 to 255, Y is 0 to 191.
const (
	ScreenWidth  = 256
	ScreenHeight = 192
)

// keyNames are the buttons' names in scripts, by bit.
var keyNames = [...]string{"A", "B", "SELECT", "START", "RIGHT", "LEFT", "UP", "DOWN", "R", "L", "X", "Y"}

// Input is everything a player does to one console in one frame. It is
// comparable: two inputs in normal form are the same exactly if they are equal.
type Input struct {
	Keys Keys
	X, Y uint8 // stylus in bottom screen pixels; both 0 unless Keys has Touch
}

// Normal returns the one form of an input that means the same: no bit 15, no
// position without Touch, Y on the screen. A [Queue] keeps only normal inputs.
func (in Input) Normal() Input {
	in.Keys &= allKeys
	if in.Keys&Touch == 0 {
		in.X, in.Y = 0, 0
	}
	in.Y = min(in.Y, ScreenHeight-1)
	return in
}

// String returns the input as a script writes it, "A+B touch 10,20 lid". It is
// empty for an input with nothing held.
func (in Input) String() string {
	in = in.Normal()
	var words []string
	var held []string
	for bit, name := range keyNames {
		if in.Keys&(1<<bit) != 0 {
			held = append(held, name)
		}
	}
	if len(held) > 0 {
		words = append(words, strings.Join(held, "+"))
	}
	if in.Keys&Touch != 0 {
		words = append(words, fmt.Sprintf("touch %d,%d", in.X, in.Y))
	}
	if in.Keys&Lid != 0 {
		words = append(words, "lid")
	}
	if in.Keys&Mic != 0 {
		words = append(words, "mic")
	}
	return strings.Join(words, " ")
}

// merge combines an earlier input that found no frame of its own with the later one that did:
// everything held in either, and the later stylus position.
func merge(earlier, later Input) Input {
	if later.Keys&Touch == 0 {
		later.X, later.Y = earlier.X, earlier.Y
	}
	later.Keys |= earlier.Keys
	return later
}
