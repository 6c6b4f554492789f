package emucore

import (
	"io"

	"github.com/nettplay/nettplay/internal/ds"
)

// A Choice is a core option that a room may set, within the values that keep a
// console deterministic.
type Choice struct {
	Key    string
	Values []string // what a room may choose; the first is the default
	// For people: its name, the names of the values, and in one line what it changes.
	Label string
	Names []string
	Help  string
	// JIT is the value with which the core compiles the console's programs instead of
	// interpreting them; "" in choices about other things.
	JIT string
	// Cold says that consoles with the JIT are equal only if all of them loaded the same states at
	// the same frames.
	Cold bool
}

// SRAMKind says where a core keeps the backup memory of the cartridge.
type SRAMKind uint8

// The places where a core may keep backup memory.
const (
	SRAMNone   SRAMKind = iota // nowhere accessible
	SRAMMemory                 // retro_get_memory_data(RETRO_MEMORY_SAVE_RAM), raw
	SRAMFile                   // a file in the save directory, see Profile.SaveName
)

// RETRO_DEVICE_ID_JOYPAD_* of the buttons that are not keys of a DS.
const (
	joypadL2 = 12
	joypadL3 = 14
)

// A Button says how a level of an Input (the lid is shut, there is noise at the
// microphone) is conveyed to a core by one libretro joypad button.
//
// A button that toggles is pressed for exactly one frame, then kept up for at
// least Rest frames; a level that changes back in the meantime waits. So the
// code that drives it must know the core's current level and the frames of rest that are
// left: both are state of the console (see Profile.LidState).
type Button struct {
	ID     int    // RETRO_DEVICE_ID_JOYPAD_*
	Held   uint16 // further joypad buttons that go down with it, a bit per id
	Toggle bool   // a press toggles the level; else it is on while the button is down
	Rest   int    // frames; only for toggles
	// Label is the core's own name of button ID where this Button is the right one: builds differ. ""
	// goes with any label, as any Label goes with a core that says none.
	Label string
}

// A Scrub is a range of bytes to set to zero in each packet a core sends that
// has the given type and size, because the core leaves them uninitialised.
type Scrub struct {
	Type     byte // byte 9 of the packet: 0 other, 1 reply, 2 command or ack
	Size     int  // bytes of the whole packet
	From, To int  // half-open range of offsets from the start of the packet
}

// A Profile is what is known about one core: what must be pinned so that equal inputs give equal consoles,
// where its memory is, how its states are loaded. Get one from ProfileFor and do not modify it.
//
// Only the twelve keys of the DS, Lid and Mic may ever be pressed on a core.
// Everything else it asks for (other joypad buttons, sticks, mouse, keyboard)
// reads as zero: it would change the console, or the layout of the screens, in
// ways an Input cannot say.
type Profile struct {
	Library string // retro_system_info.library_name; "" in the careful default
	Package string // Debian package that holds the core, "" if there is none

	Pins []ds.Option // always these values, on every console
	Free []Choice    // a room may choose among these

	SRAM     SRAMKind
	SaveName string // SRAMFile: the name of the file in the save directory
	// EncodeSRAM makes the save file from raw backup memory, DecodeSRAM the
	// reverse. Both are nil where there is no file. An empty file and empty
	// backup memory stand for each other: the cartridge has none, or none yet.
	EncodeSRAM func(raw []byte) ([]byte, error)
	DecodeSRAM func(file []byte) ([]byte, error)
	// ChipSizes returns the sizes in bytes, from and to, that the chip of a game may have that the core
	// keeps in a file; known is false while the core does not know. Nil where there is no file.
	ChipSizes func(file []byte) (from, to int, known bool)

	// LoadTwice says that a fresh process must load a state twice.
	LoadTwice bool
	// CheckState checks a state before the core sees it: truncated data and data
	// that is not a state give an error instead of a crash. Nil: nothing
	// is known about the core's states.
	CheckState func(state []byte) error
	// WriteState writes what of a state all builds of the core write alike where their consoles are
	// equal: no uninitialised bytes. Nil: nothing is known about that.
	WriteState func(state []byte, to io.Writer) error
	// MainRAM finds the console's main memory in a state and returns that part
	// of state. Nil where retro_get_memory_data(RETRO_MEMORY_SYSTEM_RAM) gives
	// it; where both do, the latter is cheaper and holds the same bytes.
	MainRAM func(state []byte) ([]byte, error)
	// LidState reads from a state where loading it leaves the lid: shut or open,
	// and for how many further frames its button is ignored. Nil where loading
	// does not move the lid, which is open in a fresh process.
	LidState func(state []byte) (shut bool, rest int, err error)

	// NeedsDecrypted says that the core cannot read a game's encrypted secure area: it has no key.
	NeedsDecrypted bool
	// HasStates says that the core has states of every game. Without one it plays none: it shows a page of its own
	// that says why.
	HasStates bool

	// Cheats is what is known of how the core takes Action Replay codes.
	Cheats Cheats

	// PoweredOff reads from a state whether the game has switched the console off. Nil for a core that
	// says so itself, by RETRO_ENVIRONMENT_SHUTDOWN; others just stand still.
	PoweredOff func(state []byte) (bool, error)

	// For each level the first Button whose Label fits is used. Without one the core does not support
	// it, and the level is ignored.
	Lid, Mic []Button

	// UsernameIsNickname says that the core takes the console's nickname from
	// RETRO_ENVIRONMENT_GET_USERNAME.
	UsernameIsNickname bool

	// What else builds of the core have in common, so that one in which it is otherwise is found out: see
	// [Console.Unlike].
	Wireless  bool     // they have local wireless
	Clocks    Manner   // the clocks that they read in a frame
	Sometimes []string // options that some builds do not have: keys, or beginnings of keys that end in "*"
	Anything  []string // options that take more values than the core lists
	OfMachine []string // options whose values the core lists by what the machine has, and that take others
	Left      []string // known options that are left at their default

	Scrub []Scrub // for packets on their way out of the core

	known knownBuilds

	// owner is the word of every console of this core on its owner, whatever the player's settings are,
	// but for the language; nil: what the settings say.
	owner *ds.Firmware

	seat func(cfg Config) ([]ds.Option, error) // options that differ between consoles; may be nil
	// GoesBack: consoles that returned to snapshots again and again were measured to equal those that never did, in memory,
	// picture, sound and what they sent (docs/decisions/0073-snapshots-by-pages.md). Other cores are unmeasured.
	GoesBack bool
}

// Owner returns what games read of a console that is started with these firmware settings.
// known is false for an unknown core.
func (p *Profile) Owner(fw ds.Firmware) (seen ds.Firmware, known bool) {
	if p.owner == nil {
		return fw, p.Library != ""
	}
	seen = *p.owner
	seen.Language = fw.Language
	return seen, true
}

// The frame of every console: the top screen over the bottom (touch) screen,
// no gap. Profiles pin their core to it.
const (
	frameWidth  = 256
	frameHeight = 384
	touchTop    = 192
)

// pointer converts a stylus position, in pixels of the touch screen, to the
// coordinates of RETRO_DEVICE_POINTER: -32767 to 32767 across the core's whole
// frame. It aims at the middle of the pixel, in integers, so that all machines
// agree.
func pointer(x, y uint8) (px, py int16) {
	return pointerAxis(int(x), frameWidth), pointerAxis(touchTop+int(y), frameHeight)
}

// pointerAxis maps the middle of pixel n of size pixels.
func pointerAxis(n, size int) int16 {
	v := (2*n+1)*65536/(2*size) - 32768
	return int16(max(-32767, min(32767, v)))
}
