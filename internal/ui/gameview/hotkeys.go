package gameview

import (
	"slices"

	"github.com/nettplay/nettplay/config"
)

// Action is a wish of the player.
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
	SendChat // Event.Text
	actions
)

// hotkeyNames are the actions that keys can have, with the name of their setting.
var hotkeyNames = [...]struct {
	do   Action
	name string
}{
	{OpenChat, "chat"},
	{ToggleHUD, "hud"},
	{NextLayout, "layout"},
	{NextEmphasis, "emphasis"},
	{SwapScreens, "swap"},
	{ToggleOthers, "others"},
	{Fullscreen, "fullscreen"},
	{Screenshot, "screenshot"},
	{Mute, "mute"},
	{VolumeUp, "volume_up"},
	{VolumeDown, "volume_down"},
	{Pause, "pause"},
	{FastForward, "fast_forward"},
	{Record, "record"},
}

// String is the action's name in the settings, "" if no key can have it.
func (a Action) String() string {
	for _, h := range hotkeyNames {
		if h.do == a {
			return h.name
		}
	}
	return ""
}

// Hotkeys are the keys of the program, by SDL's scancode names.
type Hotkeys map[Action][]string

// HotkeysOf returns the keys of the settings.
func HotkeysOf(c config.Config) Hotkeys {
	h := c.Hotkeys
	return Hotkeys{
		OpenChat: h.Chat, ToggleHUD: h.HUD, NextLayout: h.Layout, NextEmphasis: h.Emphasis,
		SwapScreens: h.Swap, ToggleOthers: h.Others, Fullscreen: h.Fullscreen, Screenshot: h.Screenshot,
		Mute: h.Mute, VolumeUp: h.VolumeUp, VolumeDown: h.VolumeDown, Pause: h.Pause, FastForward: h.FastForward,
		Record: h.Record,
	}
}

// Of returns what a key does, NoAction if nothing.
func (h Hotkeys) Of(key string) Action {
	for _, k := range hotkeyNames {
		if slices.Contains(h[k.do], key) {
			return k.do
		}
	}
	return NoAction
}

// Key returns the first key of an action, for hints; "" if it has none.
func (h Hotkeys) Key(a Action) string {
	if keys := h[a]; len(keys) > 0 {
		return keys[0]
	}
	return ""
}
