package app

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/ui/pads"
)

// Page is one tab of the settings.
type Page uint8

// The pages.
const (
	PagePlayer Page = iota
	PageGames
	PageCore
	PageNetwork
	PageRoom
	PageVideo
	PageAudio
	PageKeys
	PagePads
	PageRecording
)

// Pages returns the names of all pages, in order.
func Pages() []string {
	return []string{"You", "Games", "Core", "Network", "Room", "Video", "Sound", "Keyboard", "Controller", "Recording"}
}

// SettingsForm is the settings while they are changed. What is valid takes effect
// at once; what is not is kept here, with the reason, until it is.
type SettingsForm struct {
	Page     Page
	Draft    config.Config
	Texts    map[string]string // what was typed for a setting that is no text, by key
	Problems map[string]string // why a setting is not taken, by key
}

func (m *Model) openSettings() {
	m.Settings = SettingsForm{Page: m.Settings.Page, Draft: cloneConfig(m.Config), Texts: map[string]string{}, Problems: map[string]string{}}
}

func (m *Model) closeSettings() { m.Settings.Texts, m.Settings.Problems = nil, nil }

// Change changes the draft; if all of it is allowed it is in effect at once, and
// saved.
func (m *Model) Change(change func(*config.Config)) {
	f := &m.Settings
	change(&f.Draft)
	f.Problems = problems(f.Draft.Validate())
	if len(f.Problems) > 0 {
		return
	}
	before := m.Config
	m.Config = cloneConfig(f.Draft)
	m.command(SaveSettings{})
	m.changed(before)
	if !slices.Equal(before.ROMs.Folders, m.Config.ROMs.Folders) {
		m.command(ScanGames{})
	}
	if before.Core.Name != m.Config.Core.Name || !slices.Equal(before.Core.Folders, m.Config.Core.Folders) {
		m.LookForCore()
	}
	m.fillForms()
}

// changed does what other settings mean for what is going on.
func (m *Model) changed(before config.Config) {
	if before.Room.Announce != m.Config.Room.Announce && m.Room != nil {
		m.announce()
	}
}

// LookForCore looks for the core of the settings, again.
func (m *Model) LookForCore() {
	m.Core.Looking, m.Core.Trouble = true, nil
	m.command(FindCore{})
}

// CoreFound tells what came of looking for the core.
func (m *Model) CoreFound(c CoreState) {
	c.Looking = false
	m.Core = c
	m.started()
}

// problems are why settings are not allowed, by key, in words.
func problems(err error) map[string]string {
	list := map[string]string{}
	var e *config.Error
	if !errors.As(err, &e) {
		return list
	}
	for _, p := range e.Problems {
		words := p.Why
		if p.Allowed != "" && p.Other == "" {
			words += "; allowed: " + p.Allowed
		}
		list[p.Key] = sentence(words)
	}
	return list
}

// cloneConfig copies settings with their lists and maps.
func cloneConfig(c config.Config) config.Config {
	c.ROMs.Folders = slices.Clone(c.ROMs.Folders)
	c.Core.Folders = slices.Clone(c.Core.Folders)
	c.Core.Options = maps.Clone(c.Core.Options)
	c.Pads.Devices = slices.Clone(c.Pads.Devices)
	c.Pads.Touch = slices.Clone(c.Pads.Touch)
	for _, list := range bindings(&c) {
		*list.at = slices.Clone(*list.at)
	}
	return c
}

// binding is a list of keys, or of a controller's buttons, that do one thing.
type binding struct {
	key   string // of the settings: "keys.a"
	label string
	pad   bool // a controller's
	at    *[]string
}

// bindings are all lists of keys and buttons of settings, in the order in which
// they are shown.
func bindings(c *config.Config) []binding {
	var list []binding
	list = append(list, buttons("keys", false, &c.Keys)...)
	h := &c.Hotkeys
	for _, b := range []binding{
		{"menu", "Menu", false, &h.Menu},
		{"fullscreen", "Full screen", false, &h.Fullscreen},
		{"screenshot", "Take a picture", false, &h.Screenshot},
		{"layout", "Next arrangement", false, &h.Layout},
		{"mute", "Sound on or off", false, &h.Mute},
		{"hud", "Figures on or off", false, &h.HUD},
		{"chat", "Write to the others", false, &h.Chat},
		{"record", "Record games or not", false, &h.Record},
		{"emphasis", "Which screen is large", false, &h.Emphasis},
		{"swap", "Swap the screens", false, &h.Swap},
		{"others", "The others' consoles on or off", false, &h.Others},
		{"volume_down", "Quieter", false, &h.VolumeDown},
		{"volume_up", "Louder", false, &h.VolumeUp},
		{"pause", "Pause for all, or go on", false, &h.Pause},
		{"fast_forward", "Fast-forward, alone", false, &h.FastForward},
	} {
		b.key = "hotkeys." + b.key
		list = append(list, b)
	}
	list = append(list, buttons("pads.buttons", true, &c.Pads.Buttons)...)
	return append(list, binding{"pads.touch", "Touch with the stylus", true, &c.Pads.Touch})
}

func buttons(section string, pad bool, b *config.Buttons) []binding {
	list := []binding{
		{"a", "A", pad, &b.A},
		{"b", "B", pad, &b.B},
		{"x", "X", pad, &b.X},
		{"y", "Y", pad, &b.Y},
		{"l", "L", pad, &b.L},
		{"r", "R", pad, &b.R},
		{"start", "START", pad, &b.Start},
		{"select", "SELECT", pad, &b.Select},
		{"up", "Up", pad, &b.Up},
		{"down", "Down", pad, &b.Down},
		{"left", "Left", pad, &b.Left},
		{"right", "Right", pad, &b.Right},
		{"lid", "Close the lid", pad, &b.Lid},
		{"mic", "Blow into the microphone", pad, &b.Mic},
	}
	for i := range list {
		list[i].key = section + "." + list[i].key
	}
	return list
}

// Bind gives a key or button to something. If it did something else before, it
// does not any more, and the player is told: one key in one place.
func (m *Model) Bind(key, name string, alone bool) {
	m.Change(func(c *config.Config) {
		var target binding
		for _, b := range bindings(c) {
			if b.key == key {
				target = b
			}
		}
		if target.at == nil || !slices.Contains(names(target.pad), name) {
			m.Say("“" + name + "” cannot be used.")
			return
		}
		for _, b := range bindings(c) {
			if i := slices.Index(*b.at, name); i >= 0 && b.pad == target.pad && b.key != key {
				*b.at = slices.Delete(slices.Clone(*b.at), i, i+1)
				m.Say("“" + name + "” was “" + b.label + "” before, and is not any more.")
			}
		}
		switch {
		case alone:
			*target.at = []string{name}
		case !slices.Contains(*target.at, name):
			*target.at = append(slices.Clone(*target.at), name)
		}
	})
}

// stickConflicts are the half axes of the stick that moves the stylus which also press
// buttons. That works, so it is no mistake, but hardly what anybody wants.
func (m *Model) stickConflicts() (words []string) {
	c := &m.Settings.Draft
	for _, conflict := range pads.Conflicts(pads.Uses(c.Keys, c.Pads, nil)) {
		if !slices.Contains(conflict.Uses, "pads.stylus") {
			continue // that is said beside the button
		}
		var labels []string
		for _, use := range conflict.Uses {
			if use != "pads.stylus" {
				labels = append(labels, "“"+settingLabel(use)+"”")
			}
		}
		words = append(words, fmt.Sprintf("“%s” moves the stylus, and is also %s. Choose another stick for the stylus, below, or another button.", conflict.Name, strings.Join(labels, " and ")))
	}
	return words
}

// Unbind takes all keys or buttons from something.
func (m *Model) Unbind(key string) {
	m.Change(func(c *config.Config) {
		for _, b := range bindings(c) {
			if b.key == key {
				*b.at = []string{}
			}
		}
	})
}

// UsualBindings gives all keys, or all controller buttons, what they do when
// nobody changed them.
func (m *Model) UsualBindings(pad bool) {
	usual := config.Defaults()
	m.Change(func(c *config.Config) {
		if pad {
			c.Pads.Buttons, c.Pads.Touch = usual.Pads.Buttons, usual.Pads.Touch
			return
		}
		c.Keys, c.Hotkeys = usual.Keys, usual.Hotkeys
	})
}

func names(pad bool) []string {
	if pad {
		return config.PadNames()
	}
	return config.KeyNames()
}

// settingLabels are what the settings are called on the screen. Each key of the
// file stands here or among the bindings.
var settingLabels = map[string]string{
	"player.nickname":     "Nickname",
	"player.language":     "Language of the games",
	"player.colour":       "Favourite colour",
	"player.birthday":     "Birthday",
	"player.mac":          "Radio address",
	"roms.folders":        "Folders with games",
	"core.name":           "Core",
	"core.folders":        "Folders with cores",
	"core.options":        "Options of the core",
	"net.port":            "Port of your room",
	"net.bind":            "Listen at",
	"net.upload":          "Upload limit",
	"net.silence":         "Longest silence",
	"room.name":           "Name",
	"room.password":       "Password",
	"room.seats":          "Players",
	"room.delay":          "Input delay",
	"room.rtc":            "The consoles' clocks",
	"room.hash_every":     "Frames between checks",
	"room.skew":           "Radio tolerance",
	"room.announce":       "On the local network",
	"room.late_join":      "Coming in later",
	"room.keep_consoles":  "Who leaves",
	"room.spectators":     "Spectators",
	"room.spectate_delay": "Spectators' delay",
	"video.scale":         "Size of the window",
	"video.layout":        "Arrangement",
	"video.emphasis":      "Large screen",
	"video.swap":          "Swap the screens",
	"video.gap":           "Gap",
	"video.integer":       "Whole multiples only",
	"video.filter":        "Pixels",
	"video.others":        "The others' consoles",
	"video.hud":           "Figures",
	"video.theme":         "Colours",
	"video.fullscreen":    "Full screen",
	"video.vsync":         "Wait for the display",
	"video.ui_scale":      "Size of texts and buttons",
	"audio.enabled":       "Sound",
	"audio.volume":        "Volume",
	"audio.latency":       "Buffer",
	"audio.device":        "Played by",
	"pads.devices":        "Who plays with what",
	"pads.deadzone":       "Middle of a stick",
	"pads.stylus":         "Stick for the stylus",
	"recording.enabled":   "Record every game",
	"recording.folder":    "Folder for recordings",
}

// settingLabel is what a setting is called on the screen.
func settingLabel(key string) string {
	if label, ok := settingLabels[key]; ok {
		return label
	}
	c := config.Defaults()
	for _, b := range bindings(&c) {
		if b.key == key {
			return b.label
		}
	}
	return key
}
