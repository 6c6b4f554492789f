package gameview

import (
	"slices"

	"github.com/nettplay/nettplay/config"
)

// Action is a command of the player.
type Action uint8

// Actions. The View does those up to ToggleOthers, its caller the others. Those from
// Fullscreen to VolumeDown are about the window and the sound: they work also while
// something covers the consoles.
const (
	NoAction Action = iota
	OpenChat
	ToggleHUD
	NextLayout
	NextEmphasis
	NextRotation
	SwapScreens
	ToggleOthers
	Fullscreen
	Screenshot
	Mute
	VolumeUp
	VolumeDown
	Pause       // for everybody, or goes on
	FastForward // while it is held, with Event.On; only when nobody else plays
	Record
	Clip     // keeps the last half minute
	SendChat // Event.Text; no key has it
)

// Hotkeys are the keys of the program by what they do, by SDL's scancode names.
type Hotkeys [SendChat][]string

// HotkeysOf returns the keys of the settings.
func HotkeysOf(c config.Config) Hotkeys {
	h := c.Hotkeys
	return Hotkeys{
		OpenChat: h.Chat, ToggleHUD: h.HUD, NextLayout: h.Layout, NextEmphasis: h.Emphasis,
		NextRotation: h.Rotate, SwapScreens: h.Swap, ToggleOthers: h.Others, Fullscreen: h.Fullscreen, Screenshot: h.Screenshot,
		Mute: h.Mute, VolumeUp: h.VolumeUp, VolumeDown: h.VolumeDown, Pause: h.Pause, FastForward: h.FastForward,
		Record: h.Record, Clip: h.Clip,
	}
}

// Of returns what a key does, NoAction if nothing.
func (h Hotkeys) Of(key string) Action {
	for a, keys := range h {
		if slices.Contains(keys, key) {
			return Action(a)
		}
	}
	return NoAction
}
