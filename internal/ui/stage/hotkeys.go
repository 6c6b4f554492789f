package stage

import (
	"slices"

	"github.com/nettplay/nettplay/config"
)

// Action is something that the player wants of the program.
type Action uint8

// Actions. Those up to NextOthers are done by the Stage, the others by who builds it.
const (
	NoAction Action = iota
	OpenMenu
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
	Settings
	SendChat // Event.Text
	Leave
	actions
)

// hotkeys are the actions that keys can have, with the name of their setting. Those
// above Record in package config have another order there.
var hotkeyNames = [...]struct {
	do   Action
	name string
}{
	{OpenMenu, "menu"},
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

// HotkeysOf returns the keys of the settings, and for what they do not have the usual
// ones, unless the settings use those for something else.
func HotkeysOf(c config.Config) Hotkeys {
	h := c.Hotkeys
	keys := Hotkeys{
		OpenMenu: h.Menu, Fullscreen: h.Fullscreen, Screenshot: h.Screenshot, NextLayout: h.Layout,
		Mute: h.Mute, ToggleHUD: h.HUD, OpenChat: h.Chat, Record: h.Record,
	}
	for _, more := range usualHotkeys {
		if !keys.has(more.key) && !used(c.Keys, more.key) {
			keys[more.do] = []string{more.key}
		}
	}
	return keys
}

// usualHotkeys are those that the settings do not have.
var usualHotkeys = []struct {
	do  Action
	key string
}{
	{NextEmphasis, "F5"},
	{SwapScreens, "F6"},
	{ToggleOthers, "F7"},
	{Pause, "Pause"},
	{VolumeDown, "F9"},
	{VolumeUp, "F10"},
	{FastForward, "Space"},
}

func (h Hotkeys) has(key string) bool { return h.Of(key) != NoAction }

func used(buttons config.Buttons, key string) bool {
	return slices.ContainsFunc(buttons.All(), func(b config.Button) bool { return slices.Contains(b.Names, key) })
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
