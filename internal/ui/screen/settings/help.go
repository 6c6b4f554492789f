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
	"core.jit":         "For the rooms that you open. All players of a room have the same.",
	"core.options":     "For the rooms that you open.",
	"core.sources":     "Where nettplay gets cores when you say so, on the page Cores. A core is a program: name only addresses that you trust.",
	"video.layout":     "How the two screens are arranged.",
	"video.rotation":   "For games that hold the console like a book. Turned to the left, the top screen is at the left. The stylus and the cross turn with it.",
	"pads.turn":        "While the picture is turned: up on the cross is up as you see it, with controllers and on the keyboard. The other buttons stay as they are.",
	"video.emphasis":   "The large one of the two screens; the other is beside it at a third of its size. In the hybrid layout, “Both alike” shows the top screen large.",
	"video.filter":     "How pixels look when they are enlarged.",
	"player.colour":    "Some games show it.",
	"video.ui_scale":   "Auto suits the display: larger on a handheld.",
	"player.birthday":  "Some games celebrate it.",
	"net.relays":       "Servers that carry your friends' data to you where no direct connection is possible, up to 3. They cannot read it. Anyone can run one, also a friend from inside nettplay, by “Help my friends meet”: add the address that you were sent.",
	"net.help_friends": "While nettplay is open, it carries the data of friends whose routers keep them apart, also in games that you do not play. It cannot read it. Your router must let your friends in; nettplay asks it to.",
	"net.help_port":    "The UDP port at which your friends meet, other than that of your room.",
	"net.help_upload":  "The most that is carried for friends who meet here, in KiB a second. Two players need about 20, and more for some seconds before a game.",
	"net.stun":         "Servers that tell this computer how others on the internet see it, as HOST:PORT with blanks between. Left empty, none is asked.",
	"net.bind":         "The address of this computer at which rooms can be reached. Left empty, it is all of them.",
	"net.upload":       "How fast this computer sends the states of its consoles before a game, in KiB a second. 0 means no limit: as fast as the connection allows without delaying the game.",
	"net.silence":      "A player counts as disconnected when nothing is heard for this long. A running game then waits up to a minute for them to reconnect; so a silent player can hold up the game for the sum of both times.",
	"room.auto_delay":  "nettplay adjusts your rooms' input delay to the connections, also while a game runs. Trading accepts a long delay and hardly any late press. Racing keeps it at 6 frames or less. Party is for all other games. With “A number” it stays as below.",
	"room.delay":       "Each press takes effect so many frames later (60 are a second), at the same frame on every computer. With less than the network needs, the game stops and waits again and again. A good choice is the ping in milliseconds divided by 20, plus one. It is used with “A number” above.",
	"room.hash_every":  "How many frames pass between two checks that every console is the same on all computers.",
	"room.open":        "Shows your rooms at your relays, so that anybody there can find and join them.",
	"room.late_join":   "Players can join while a game runs, if a seat is free. The game goes on until the late joiner's computer is ready, and then pauses for a moment.",
	"room.sync":        "Usually everyone waits for a player whose presses come late. If nobody waits, the game host keeps a steady pace and repeats a late player's last presses: a bad connection troubles that player alone. Each press then takes effect after the way to the game host and back. For a number as input delay, take the ping in milliseconds divided by 16, plus two.",
	"video.hud":        "Shows figures in the corner: frames, input delay, ping, and whether all computers agree.",
	"recording.folder": "Where recordings go. Left empty, it is the folder nettplay/recordings among your data.",
	"audio.device":     "While it is not connected, the system's default device is used.",
	"pads.own":         "Changes here apply to all controllers without buttons of their own. Choose a controller to give it its own.",
	"pads.devices":     "The device of each console of this computer. “Any device” is the keyboard and every controller that no other console has. “Pad 1” is the controller plugged in first, and stays so when it comes back.",
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
