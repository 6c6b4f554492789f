package config

import "reflect"

// Config is all settings. Get one from [Defaults] or [Load]; the zero value is
// not valid. Copies share their lists and maps.
type Config struct {
	Player    Player
	ROMs      ROMs
	Core      Core
	Net       Net
	Room      Room
	Video     Video
	Audio     Audio
	Pads      Pads
	Keys      Buttons // of the keyboard, by SDL scancode names
	Keys2     Buttons // of the second player at the same keyboard
	Recording Recording
	Hotkeys   Hotkeys
}

// Defaults returns the settings of a user without a settings file.
func Defaults() (c Config) {
	for _, f := range fields(schema(&c)) {
		f.reset()
	}
	return c
}

// Validate checks each setting and the combinations of settings. The error is
// an *[Error] that names each invalid key and what is allowed.
func (c Config) Validate() error {
	all := fields(schema(&c))
	var problems []Problem
	for _, f := range all {
		if why := f.check(); why != "" {
			problems = append(problems, Problem{Key: f.key, Why: why, Allowed: f.allowed})
		}
	}
	problems = append(problems, clashes(all, c.Pads)...)
	if len(problems) == 0 {
		return nil
	}
	return &Error{Problems: problems}
}

// section is a part of the file under its own heading.
type section struct {
	key    string // "room"
	doc    string
	fields []field
}

// schema describes the file for c, in the order in which it is written.
func schema(c *Config) []section {
	list := []section{
		{"player", "You, as your games know you: the firmware settings of your console.", c.Player.fields()},
		{"roms", "Where your games are. nettplay never sends a ROM: each player needs the game.", c.ROMs.fields()},
		{"core", "The emulator core that runs the consoles. All players of a room need the same one.", c.Core.fields()},
		{"net", "The network.", c.Net.fields()},
		{"room", "The rooms that you open. Players who join one take over its settings.", c.Room.fields()},
		{"video", "The window.", c.Video.fields()},
		{"audio", "Sound.", c.Audio.fields()},
		{"pads", "Game controllers.", c.Pads.fields()},
		{"pads.buttons", "The controllers' buttons. They have the names of an Xbox controller: a is the lowest of the four, whatever is printed on it; the window shows what is. Half axes are written -leftx, +leftx and so on.", c.Pads.Buttons.fields(padList, padButtons)},
		{"keys", "The keyboard. Keys have the names of an American keyboard: the place of a key counts, not what is printed on it, which the window shows.", c.Keys.fields(keyList, firstKeys)},
		{"keys2", "A second set of keys, for two players at one keyboard: the device \"keyboard 2\".", c.Keys2.fields(laterKeyList, secondKeys)},
		{"recording", "Recordings of games: all inputs, from which a game can be played again.", c.Recording.fields()},
		{"hotkeys", "Keys for nettplay itself. [] switches one off.", c.Hotkeys.fields()},
	}
	for _, s := range list {
		for i := range s.fields {
			s.fields[i].key = s.key + "." + s.fields[i].key
		}
	}
	return list
}

// fields returns the fields of all sections.
func fields(list []section) (all []field) {
	for _, s := range list {
		all = append(all, s.fields...)
	}
	return all
}

// Changed returns the settings that are not as by default: their defaults as the file writes them, by
// their keys.
func (c Config) Changed() map[string]string {
	changed := map[string]string{}
	for _, f := range fields(schema(&c)) {
		if usual := format(f.usual); usual != format(f.ptr) {
			changed[f.key] = usual
		}
	}
	return changed
}

// Reset gives settings their defaults, by their keys: those for which key reports true. The address of the
// console stays, since games tie their saves to it.
func (c *Config) Reset(key func(string) bool) {
	for _, f := range fields(schema(c)) {
		if f.ptr != any(&c.Player.MAC) && key(f.key) {
			f.reset()
		}
	}
}

// Equal reports whether two settings are the same.
func (c Config) Equal(other Config) bool { return reflect.DeepEqual(c, other) }
