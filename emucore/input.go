package emucore

import "github.com/nettplay/nettplay/inputdelay"

// Input is what a player does to one console in one frame.
type Input = inputdelay.Input

// padOfKey is the libretro joypad button of each key, by bit of
// [inputdelay.Keys]. libretro's pad is laid out as the SNES's, where A, B, X and
// Y stand as on the DS.
var padOfKey = [...]int{
	joypadA, joypadB, joypadSelect, joypadStart,
	joypadRight, joypadLeft, joypadUp, joypadDown,
	joypadR, joypadL, joypadX, joypadY,
}

// padOf returns the libretro joypad buttons for the twelve keys.
func padOf(k inputdelay.Keys) uint16 {
	var pad uint16
	for bit, button := range padOfKey {
		if k>>bit&1 != 0 {
			pad |= 1 << button
		}
	}
	return pad
}

// setInput writes an input into a request. Lid and microphone go as levels: the
// worker turns them into presses, as it knows what was pressed before.
func setInput(q *request, p *Profile, in Input) {
	in = in.Normal()
	q.pad = padOf(in.Keys)
	q.lid = level(in.Keys, inputdelay.Lid)
	q.mic = level(in.Keys, inputdelay.Mic)
	q.touch = level(in.Keys, inputdelay.Touch)
	if q.touch != 0 {
		q.x, q.y = p.Pointer(in.X, in.Y)
	}
}

func level(k, key inputdelay.Keys) uint8 {
	if k&key != 0 {
		return 1
	}
	return 0
}
