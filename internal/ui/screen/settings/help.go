package settings

import (
	"strings"
	"sync"

	"github.com/nettplay/nettplay/config"
)

// help returns the words of the settings' own file about a setting: one text in one place. "" for an
// unknown key. Where the file speaks of its own syntax, the screen has words of its own.
func help(key string) string {
	if own, ok := screenHelp[key]; ok {
		return own
	}
	return strings.ReplaceAll(helpTexts()[key], `With ""`, "Left empty,")
}

var screenHelp = map[string]string{
	"core.name":        "All players of a room need the same one.",
	"core.jit":         "For the rooms that you open. All of a room's players have the same.",
	"core.options":     "For the rooms that you open.",
	"video.layout":     "How the two screens stand.",
	"video.filter":     "How pixels look when they are enlarged.",
	"player.birthday":  "Some games celebrate it.",
	"net.relays":       "Servers that carry your friends' data to you where no direct way is found, up to 3. They cannot read it. Anyone can run one.",
	"net.stun":         "Servers that tell this computer how others on the internet see it, as HOST:PORT with blanks between. Left empty, none is asked.",
	"net.bind":         "The address of this computer at which rooms can be reached. Left empty, it is all of them.",
	"recording.folder": "Where recordings go. Left empty, it is the folder nettplay/recordings among your data.",
	"audio.device":     "While it is not there, the sound comes from the system's choice.",
	"pads.own":         "Changes here count for all controllers that have no buttons of their own. Choose one to give it its own.",
	"pads.devices":     "The device of each console of this computer. “Any device” is the keyboard and all controllers that no other console has; “Pad 1” is the first controller that was plugged in.",
}

// helpTexts reads the comments of the commented settings file.
var helpTexts = sync.OnceValue(func() map[string]string { return parseHelp(config.Defaults().Commented()) })

// parseHelp finds the comment before each key of a commented file. The lines on
// what is allowed and what is the default are left out: a screen shows those in
// other ways.
func parseHelp(file string) map[string]string {
	texts := map[string]string{}
	section, text, skip := "", "", false
	for _, line := range strings.Split(file, "\n") {
		words, comment := strings.CutPrefix(line, "# ")
		name, _, setting := strings.Cut(line, " = ")
		switch {
		case comment:
			skip = skip || strings.HasPrefix(words, "Allowed: ") || strings.HasPrefix(words, "Default: ")
			if !skip {
				text = strings.TrimSpace(text + " " + words)
			}
			continue
		case strings.HasPrefix(line, "["):
			section = strings.Trim(line, "[]")
		case setting:
			texts[section+"."+name] = text
		}
		text, skip = "", false
	}
	return texts
}
