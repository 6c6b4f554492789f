package settings

import (
	"errors"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/ui/screen"
)

// labels are the names of the settings on the screen. Each key of the file is here or
// among the bindings.
var labels = map[string]string{
	"player.nickname":     "Nickname",
	"player.language":     "Language of the games",
	"player.colour":       "Favourite colour",
	"player.birthday":     "Birthday",
	"player.mac":          "Radio address",
	"roms.folders":        "Folders with games",
	"core.name":           "Core",
	"core.folders":        "Folders with cores",
	"core.sources":        "Sources of cores",
	"core.jit":            "The consoles' CPUs",
	"core.options":        "Options of the core",
	"net.port":            "Port of your room",
	"net.forward":         "Forward the port",
	"net.stun":            "STUN servers",
	"net.relays":          "Relays",
	"net.bind":            "Listen at",
	"net.upload":          "Upload limit",
	"net.friends":         "Seen by friends",
	"net.silence":         "Longest silence",
	"room.name":           "Name",
	"room.seats":          "Players",
	"room.auto_delay":     "Input delay by itself",
	"room.delay":          "Input delay",
	"room.rtc":            "The consoles' clocks",
	"room.hash_every":     "Frames between checks",
	"room.skew":           "Radio tolerance",
	"room.announce":       "On the local network",
	"room.open":           "Open to everybody",
	"room.late_join":      "Coming in later",
	"room.keep_consoles":  "Leaving players",
	"room.sync":           "A bad connection",
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
	"video.even":          "Others' frames held back",
	"video.hud":           "Figures",
	"video.theme":         "Colours",
	"video.fullscreen":    "Full screen",
	"video.vsync":         "Wait for the display",
	"video.ui_scale":      "Size of texts and buttons",
	"video.flash":         "Flash the window",
	"audio.enabled":       "Sound",
	"audio.volume":        "Volume",
	"audio.latency":       "Buffer",
	"audio.device":        "Played by",
	"audio.chime":         "Sound for news",
	"pads.devices":        "Devices of the players",
	"pads.deadzone":       "Middle of a stick",
	"pads.stylus":         "Stick for the stylus",
	"pads.speed":          "Speed of the stylus",
	"pads.own":            "Buttons of",
	"recording.enabled":   "Record every game",
	"recording.folder":    "Folder for recordings",
}

// label returns a setting's name on the screen.
func label(key string) string {
	if label, ok := labels[key]; ok {
		return label
	}
	c := config.Defaults()
	for _, b := range bindings(&c) {
		if b.key == key {
			return b.label + b.whose()
		}
	}
	return key
}

// ProblemWords says why settings are not valid.
func ProblemWords(err error) string {
	var e *config.Error
	if !errors.As(err, &e) || len(e.Problems) == 0 {
		return screen.Sentence(err.Error())
	}
	p := e.Problems[0]
	words := label(p.Key) + ": " + p.Why
	if p.Allowed != "" && p.Other == "" {
		words += ". Allowed: " + p.Allowed
	}
	return screen.Sentence(words)
}
