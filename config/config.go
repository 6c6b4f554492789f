package config

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
func Defaults() Config {
	return Config{
		Player:    defaultPlayer(),
		ROMs:      ROMs{Folders: []string{"~/roms"}},
		Core:      Core{Folders: []string{}, Sources: defaultCoreSources(), JIT: JITAuto, Options: map[string]string{}},
		Net:       defaultNet(),
		Room:      defaultRoom(),
		Video:     defaultVideo(),
		Audio:     defaultAudio(),
		Pads:      defaultPads(),
		Keys:      defaultKeys(),
		Keys2:     defaultKeys2(),
		Recording: Recording{Enabled: true},
		Hotkeys:   defaultHotkeys(),
	}
}

// Validate checks every setting, and those that must fit together. The error is
// an *[Error] that names each key at fault and what is allowed.
func (c Config) Validate() error {
	var problems []Problem
	for _, s := range schema() {
		for _, f := range s.fields {
			if why := f.check(&c); why != "" {
				problems = append(problems, Problem{Key: f.key, Why: why, Allowed: f.allowed})
			}
		}
	}
	problems = append(problems, clashes(c)...)
	if len(problems) == 0 {
		return nil
	}
	return &Error{Problems: problems}
}

// section is a part of the file with a heading of its own.
type section struct {
	key    string // "room"
	doc    string
	fields []field
}

// schema describes the file, in the order in which it is written.
func schema() []section {
	return []section{
		{"player", "You, as your games know you: the firmware settings of your console.", playerFields()},
		{"roms", "Where your games are. nettplay never sends a ROM: each player needs the game.", romFields()},
		{"core", "The emulator core that runs the consoles. All players of a room need the same one.", coreFields()},
		{"net", "The network.", netFields()},
		{"room", "The rooms that you open. Players who join one take over its settings.", roomFields()},
		{"video", "The window.", videoFields()},
		{"audio", "Sound.", audioFields()},
		{"pads", "Game controllers.", padFields()},
		{"pads.buttons", "The controllers' buttons. They have the names of an Xbox controller: a is the lowest of the four, whatever is printed on it. Half axes are written -leftx, +leftx and so on.", buttonFields("pads.buttons", padNamesAllowed(), padButtons, whyPadName)},
		{"keys", "The keyboard. Keys have the names of an American keyboard: the place of a key counts, not what is printed on it.", buttonFields("keys", keyNamesAllowed(), keyButtons, whyKeyName)},
		{"keys2", "A second set of keys, for two players at one keyboard: the device \"keyboard 2\".", yielding(buttonFields("keys2", keyNamesAllowed(), keys2Buttons, whyKeyName))},
		{"recording", "Recordings of games: all inputs, from which a game can be played again.", recordingFields()},
		{"hotkeys", "Keys for nettplay itself. [] switches one off.", hotkeyFields()},
	}
}

func padButtons(c *Config) *Buttons { return &c.Pads.Buttons }

func keyButtons(c *Config) *Buttons { return &c.Keys }

func keys2Buttons(c *Config) *Buttons { return &c.Keys2 }
