package emucore

import "github.com/nettplay/nettplay/inputdelay"

// Input is a player's input to one console in one frame.
type Input = inputdelay.Input

// padOfKey is the libretro joypad button of each key, by bit of
// [inputdelay.Keys]. libretro's pad is laid out as the SNES's, where A, B, X and
// Y stand as on the DS.
var padOfKey = [...]int{
	joypadA, joypadB, joypadSelect, joypadStart,
	joypadRight, joypadLeft, joypadUp, joypadDown,
	joypadR, joypadL, joypadX, joypadY,
}

// padOf returns the libretro joypad buttons for the twelve keys, a bit per id.
func padOf(k inputdelay.Keys) uint16 {
	var pad uint16
	for bit, button := range padOfKey {
		if k>>bit&1 != 0 {
			pad |= 1 << button
		}
	}
	return pad
}

// setInput writes an input into a request. Lid and microphone are sent as levels: the
// worker turns them into button presses, as it knows what was pressed before.
func setInput(q *request, in Input) {
	in = in.Normal()
	q.pad = padOf(in.Keys)
	q.lid = bit[uint8](in.Keys&inputdelay.Lid != 0)
	q.mic = bit[uint8](in.Keys&inputdelay.Mic != 0)
	q.touch = bit[uint8](in.Keys&inputdelay.Touch != 0)
	if q.touch != 0 {
		q.x, q.y = pointer(in.X, in.Y)
	}
}

// bit returns 1 for true and 0 for false, as C does.
func bit[T uint8 | uint32](on bool) T {
	if on {
		return 1
	}
	return 0
}
