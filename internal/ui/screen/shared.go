package screen

import (
	"cmp"
	"slices"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/corestore"
	"github.com/nettplay/nettplay/internal/helping"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/library"
	"github.com/nettplay/nettplay/internal/ui/memory"
	"github.com/nettplay/nettplay/internal/ui/pads"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Core is the state of the search for the emulator core.
type Core struct {
	Looking    bool
	Core       emucore.Core      // the one to be used, if Found
	Found      bool              //
	NoRollback bool              // its check found that its consoles do not go back in time as they must
	All        []emucore.Core    // to choose from in the settings
	Kept       []corestore.Build // those of All that were got from a source
	Trouble    *Trouble          // why none is there
}

// Shared is the state and the methods that all screens share. It is pure: no file, socket,
// goroutine or clock. Its Engine does what a screen wants done outside. One goroutine
// owns it. Make one with New.
type Shared struct {
	Nav
	Messages
	Config  config.Config
	Memory  memory.Memory
	Version string // the program's
	Key     string // fingerprint of this installation's key; "" for none
	Core    Core
	// Trusted are the SHA-256s of cores that the player has been asked about since the program began, and wants although they run
	// with the player's rights.
	Trusted [][32]byte
	Games   library.List
	Pads    []pads.Pad     // controllers that are plugged in
	Strange []pads.Strange // controllers whose buttons nobody knows
	Lesson  *pads.Lesson   // the buttons of a controller are being taught; nil: none
	// PadFiles says what is wrong with the files of controllers' buttons, as a sentence; "" for nothing.
	PadFiles string
	WhosePad WhosePad  // the players at this machine are asked whose controller is whose
	PadKind  pads.Kind // whose names buttons have: those of the controller that was used last
	// KeyLabels are what the user's layout writes on keys whose names in the settings say something else.
	KeyLabels map[string]string
	NoSound   bool // sound is wanted, and no device is there to play it
	// AutoScale is the size of the interface that suits the display; 0 is 1.
	AutoScale float64
	Now       time.Time             // the time of the last Tick
	InRoom    bool                  // the player is in a room, or on the way into one
	Closing   bool                  // the program ends when the session has
	Front     bool                  // the window has the keyboard
	Keys      bool                  // what all keys do shows over the screen
	Unsaved   []saves.UnwrittenSave // the player's saves that are in memory only
	Helping   helping.State         // the relay of this program, by which friends meet

	// Game draws the consoles of the game that runs, or is watched; nil: nothing.
	Game func(u *widgets.UI)
	// Shown returns the SHA-256s that name the game that runs, or is watched, the image's first; none for no game.
	Shown func() [][32]byte
	// AskPath asks for a file or a folder.
	AskPath func(PathRequest)
	// Reconfigured hears of each change of Config.
	Reconfigured func(before config.Config)

	Engine Engine
	Store  *draw.Store               // where pictures are kept
	icons  map[[32]byte]draw.Texture // of games, made when they are first seen
}

// WhosePad asks for a controller: several of one model came back, and nothing tells them apart.
type WhosePad struct {
	Asks   bool
	Player int    // of this machine, from 0: the controller that is pressed first is theirs
	Name   string // of the controllers, as they call themselves
}

// New makes the shared state. store keeps the pictures.
func New(cfg config.Config, m memory.Memory, version string, store *draw.Store, engine Engine) *Shared {
	return &Shared{
		Config: cfg, Memory: m, Version: version, Store: store, Engine: engine, Front: true, icons: map[[32]byte]draw.Texture{}, Reconfigured: func(config.Config) {}, Shown: func() [][32]byte { return nil },
		Nav: Nav{Moved: func(_, _ ID) {}, Resolve: func(to ID) ID { return to }},
	}
}

// Base is the common part of most screens: Open shows the screen, and Back leads to the
// one before.
type Base struct {
	*Shared
	ID ID
}

// Open implements Screen.
func (b Base) Open() { b.GoTo(b.ID) }

// Back implements Screen.
func (b Base) Back() bool { return false }

// Engine does what all screens want of the world outside. Its methods return at once, and are called on the goroutine that owns
// [Shared]; what comes of them is told by calls of the screens later, on the same one. Packages of screens add interfaces of
// their own for what only they want.
type Engine interface {
	FindCore()             // finds the core of the settings, and all others
	ScanGames()            // looks through the ROM folders of the settings
	Look()                 // finds out whether there are other games or cores now, and then looks through them
	AddGame(path string)   // takes a file that was dropped; answers with Added
	ReadGame(key [32]byte) // reads all of a game of the list; answers with HasRead
	SaveSettings()         // writes Config
	SaveMemory()           // writes Memory
	HelpFriends()          // lets friends meet by this program, or not, as Config says; Helping tells how that goes
	RetrySaves()           // tries once more to write Unsaved
	ShowFile(path string)  // shows it in the file manager
	// CopyText puts it into the clipboard, unless the desktop would not take it now.
	CopyText(text string) (copied bool)
	Alert()     // calls the player, who looks elsewhere, by a sound and by the window
	Quit()      // ends the program
	LeavePads() // all controllers stay with the players who have them: the answer to WhosePad
}

// KeyLabel returns what is printed on a key, by its name in the settings.
func (s *Shared) KeyLabel(name string) string { return cmp.Or(s.KeyLabels[name], name) }

// ChatKeys are the keys, by their names in the settings, that lead into the chat of a lobby: those of a game, without Tab
// and the like, which lead from one widget to the next there; T where none is left.
func (s *Shared) ChatKeys() []string {
	keys := slices.DeleteFunc(slices.Clone(s.Config.Hotkeys.Chat), func(name string) bool {
		return slices.Contains([]string{"Tab", "Return", "Keypad Enter", "Space", "Escape", "Up", "Down", "Left", "Right", "Delete", "Backspace"}, name)
	})
	if len(keys) == 0 {
		return []string{"T"}
	}
	return keys
}

// SettingsTip says how keys lead to the settings.
const SettingsTip = "Settings (Ctrl+,)"

// Call calls the player for something that happened in the room, if the window is not in
// front.
func (s *Shared) Call() {
	if !s.Front {
		s.Engine.Alert()
	}
}

// Video returns how consoles are shown: as the settings say, but for what the game that shows has of its own.
func (s *Shared) Video() config.Video { return s.Memory.Look(s.Shown()...).Over(s.Config.Video) }

// Tick tells the time, which only words like "just now" go by.
func (s *Shared) Tick(now time.Time) { s.Now = now }

// Apply puts settings into effect, and saves them. They must be valid.
func (s *Shared) Apply(cfg config.Config) {
	before := s.Config
	s.Config = cfg
	s.Engine.SaveSettings()
	s.Reconfigured(before)
}

// RememberAddress remembers the address of a room that was typed and has let the player in;
// "" is none.
func (s *Shared) RememberAddress(typed string) {
	if typed != "" {
		s.Memory.Joined(typed)
		s.Engine.SaveMemory()
	}
}

// NeedCore says so and returns true when there is no core to play with.
func (s *Shared) NeedCore() bool {
	if s.Core.Found {
		return false
	}
	if s.Core.Looking {
		s.SayOf("core", "Still looking for an emulator core. Try again in a moment.")
	} else {
		s.Trouble = s.Core.Trouble
	}
	return true
}

// AskGame asks for the file of a game.
func (s *Shared) AskGame(title string) {
	s.AskPath(PathRequest{
		Want: WantFile, Title: title, Take: "Open", Key: "rom", Fits: emucore.IsGameFile,
		Do: func(path string) { s.Engine.AddGame(path) },
	})
}

// LookForCore looks for the core of the settings, again.
func (s *Shared) LookForCore() {
	s.Core.Looking = true
	s.Engine.FindCore()
}

// Copy puts a text into the clipboard, and tells so in some words.
func (s *Shared) Copy(text, told string) {
	if !s.Engine.CopyText(text) {
		told = "Not copied: this desktop lets programs copy only after a key or a click. Press any key, then copy again."
	}
	s.TellOf("copy", told)
}

// GoBack goes to the screen before this one, unless a box is open, which it closes, or
// the screen has another meaning for it.
func (s *Shared) GoBack() {
	switch {
	case s.Trouble != nil:
		s.Trouble = nil
	case s.Question != nil:
		s.Question = nil
	case !s.Screens[s.Current].Back():
		s.Pop()
	}
}
