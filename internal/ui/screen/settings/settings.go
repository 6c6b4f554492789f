// Package settings is the screen of the settings. First steps and the players at this
// machine borrow parts of it.
package settings

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/ui/memory"
	"github.com/nettplay/nettplay/internal/ui/pads"
	"github.com/nettplay/nettplay/internal/ui/screen"
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

// Engine does what the settings want of the world outside; see [screen.Engine].
type Engine interface {
	TestRelay(name string) // asks a relay whether it helps and how far it is; answers with RelayTested, once for each time

	// A lesson, in which a controller's buttons are pressed in turn.
	Teach(pad pads.ID) // begins one
	SkipButton()       // the controller does not have this button
	ButtonAgain()      // takes the last button again
	EndLesson()        // nothing comes of it
}

// Screen changes the settings. Valid ones take effect at once. An invalid one stays in the
// draft, with the reason, until it is valid.
type Screen struct {
	screen.Base
	At       Page
	PadAt    string // the controller whose buttons show, by its name; "" for all
	Draft    config.Config
	Problems map[string]string // why a setting is not taken, by key; nil while the screen is closed
	Search   screen.Search     // for settings, on all pages
	Advanced bool              // settings that hardly anybody needs show, too
	Sounds   []string          // names of what can play sound, while the screen shows
	// Changed is called after each change that took effect.
	Changed func()
	// Offered hears of each setting that a page shows, for tests.
	Offered func(key string)

	engine Engine
	pages  []page               // all, by Page
	typed  map[string]string    // what is being typed for a setting, by key
	relays map[string]relayTest // those that were tested, by name
	trial  *trial               // a controller is tried; nil: none
	took   map[string]string    // keys and buttons that something had, and lost to something else, by the setting's key
	// usualConfig are the defaults.
	usualConfig config.Config
	// differing are the defaults of settings of the form that are not as by default, by key, as they were in
	// compared; nil: not looked for yet.
	differing map[string]string
	compared  config.Config
}

// Open implements screen.Screen.
func (v *Screen) Open() {
	v.reset()
	v.PadAt, v.trial, v.Search = "", nil, screen.Search{}
	v.Base.Open()
}

// OpenAt shows a page of the settings.
func (v *Screen) OpenAt(p Page) {
	v.Open()
	v.At = p
}

// Back implements screen.Screen.
func (v *Screen) Back() bool {
	v.Problems = nil
	return false
}

func (v *Screen) reset() { v.Draft, v.Problems = Clone(v.Config), map[string]string{} }

// Change changes the draft. A draft that is valid as a whole takes effect at once, and is
// saved.
func (v *Screen) Change(change func(*config.Config)) {
	change(&v.Draft)
	v.Problems = v.problems(v.Draft.Validate())
	if len(v.Problems) > 0 {
		return
	}
	before := v.Config
	v.Apply(Clone(v.Draft))
	if !slices.Equal(before.ROMs.Folders, v.Config.ROMs.Folders) {
		v.Engine.ScanGames()
	}
	if before.Core.Name != v.Config.Core.Name || !slices.Equal(before.Core.Folders, v.Config.Core.Folders) {
		v.LookForCore()
	}
	v.Changed()
}

// Set changes settings outside of their form.
func (v *Screen) Set(change func(*config.Config)) {
	cfg := Clone(v.Config)
	change(&cfg)
	if cfg.Validate() != nil {
		return
	}
	v.Draft = Clone(cfg)
	v.Apply(cfg)
}

// SetVideo changes how consoles are shown. While a game shows, how its screens stand is its own, and remembered for it;
// what is as in the settings goes on following them.
func (v *Screen) SetVideo(change func(*config.Video)) {
	shown, names, usual := v.Video(), v.Shown(), v.Config.Video
	change(&shown)
	if len(names) > 0 {
		v.setLook(memory.LookOf(shown, usual), names)
		shown.Rotation, shown.Layout, shown.Emphasis, shown.Filter = usual.Rotation, usual.Layout, usual.Emphasis, usual.Filter
	}
	if shown != usual {
		v.Set(func(c *config.Config) { c.Video = shown })
	}
}

// setLook remembers a look.
func (v *Screen) setLook(l memory.Look, names [][32]byte) {
	before := v.Memory.Look(names...)
	if before.At = 0; l != before {
		v.Memory.SetLook(l, v.Now, names...)
		v.Engine.SaveMemory()
	}
}

// LookChanged lets a change of the settings count for the game that shows, too: of what was changed it no longer has
// anything of its own.
func (v *Screen) LookChanged(before config.Config) {
	names := v.Shown()
	look := v.Memory.Look(names...)
	if !look.Any() || memory.LookOf(before.Video, v.Config.Video) == (memory.Look{}) {
		return
	}
	shown, was, now := look.Over(v.Config.Video), before.Video, v.Config.Video
	for _, p := range [][3]*string{
		{&was.Rotation, &now.Rotation, &shown.Rotation},
		{&was.Layout, &now.Layout, &shown.Layout},
		{&was.Emphasis, &now.Emphasis, &shown.Emphasis},
		{&was.Filter, &now.Filter, &shown.Filter},
	} {
		if *p[0] != *p[1] {
			*p[2] = *p[1]
		}
	}
	v.setLook(memory.LookOf(shown, now), names)
}

// AddFolder puts a folder into the settings.
func (v *Screen) AddFolder(folder string) {
	if slices.Contains(v.Config.ROMs.Folders, folder) {
		v.SayOf("folder", "The folder is in your games already.")
		return
	}
	v.Config.ROMs.Folders = append(slices.Clone(v.Config.ROMs.Folders), folder)
	if err := v.Config.Validate(); err != nil {
		v.Config.ROMs.Folders = v.Config.ROMs.Folders[:len(v.Config.ROMs.Folders)-1]
		v.Trouble = &screen.Trouble{Title: "The folder cannot be added", Words: v.ProblemWords(err), Hint: "At most 32 folders are possible."}
		return
	}
	v.Draft.ROMs.Folders = slices.Clone(v.Config.ROMs.Folders)
	v.Engine.SaveSettings()
	v.Engine.ScanGames()
	v.TellOf("folder", "Looking for games in "+folder)
}

// Problems returns why settings are not allowed, by key, in words.
func Problems(err error) map[string]string {
	list := map[string]string{}
	var e *config.Error
	if !errors.As(err, &e) {
		return list
	}
	for _, p := range e.Problems {
		words := p.Why
		switch {
		case p.Key == "player.nickname":
			words = nameWords(words)
		case p.Allowed != "" && p.Other == "":
			words += "; allowed: " + p.Allowed
		}
		list[p.Key] = screen.Sentence(words)
	}
	return list
}

// problems is Problems with keys and buttons as they are printed.
func (v *Screen) problems(err error) map[string]string {
	list := Problems(err)
	var e *config.Error
	if errors.As(err, &e) {
		for _, p := range e.Problems {
			if p.Control != "" {
				list[p.Key] = screen.Sentence(v.why(p))
			}
		}
	}
	return list
}

// why says what is wrong, with a key or button as it is printed: the file has other names for them.
func (v *Screen) why(p config.Problem) string {
	if p.Control == "" {
		return p.Why
	}
	return fmt.Sprintf("“%s” already does “%s”", v.printed(p.Control, strings.HasPrefix(p.Key, "pads.")), v.label(p.Other))
}

// nameWords says what is wrong with a nickname, beside the field that it stands in.
func nameWords(why string) string {
	if strings.HasPrefix(why, `"`) { // which quotes the name
		return why
	}
	if strings.Contains(why, " letters") {
		why += fmt.Sprintf("; at most %d are allowed", config.MaxNickname)
	}
	return "This name " + why
}

// ProblemWords says why settings are not valid.
func (v *Screen) ProblemWords(err error) string {
	var e *config.Error
	if !errors.As(err, &e) || len(e.Problems) == 0 {
		return screen.Sentence(err.Error())
	}
	p := e.Problems[0]
	words := v.label(p.Key) + ": " + v.why(p)
	if p.Allowed != "" && p.Other == "" {
		words += ". Allowed: " + p.Allowed
	}
	return screen.Sentence(words)
}

// label returns a setting's name on the screen.
func (v *Screen) label(key string) string {
	for _, p := range v.pages {
		for _, r := range p.rows {
			if r.key == key {
				return r.label
			}
		}
	}
	c := config.Defaults()
	if b := bindingOf(&c, key); b != nil {
		return b.label + b.whose()
	}
	return key
}

// Clone copies settings with their lists and maps.
func Clone(c config.Config) config.Config {
	c.ROMs.Folders = slices.Clone(c.ROMs.Folders)
	c.Core.Folders, c.Core.Sources = slices.Clone(c.Core.Folders), slices.Clone(c.Core.Sources)
	c.Net.STUN, c.Net.Relays = slices.Clone(c.Net.STUN), slices.Clone(c.Net.Relays)
	c.Core.Options = maps.Clone(c.Core.Options)
	c.Pads.Devices = slices.Clone(c.Pads.Devices)
	c.Pads.Own = maps.Clone(c.Pads.Own)
	for _, list := range bindings(&c) {
		*list.at = slices.Clone(*list.at)
	}
	return c
}

// draft returns the settings of the form.
func (v *Screen) draft() *config.Config {
	if v.Problems == nil {
		v.reset()
	}
	return &v.Draft
}

// OwnKeys implements screen.Keyed.
func (v *Screen) OwnKeys() []screen.KeyRow {
	return append(screen.SearchKeys(), screen.KeyRow{Does: "Next page", Keys: []string{"Ctrl+Tab"}})
}
