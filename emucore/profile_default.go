package emucore

// canonicalROM is the file name of every ROM in a worker: DeSmuME writes the
// base name into the console's memory at 0x027E0000, so it must be equal on all
// machines, whatever the players call their files.
const canonicalROM = "game.nds"

// The frame of every console: the top screen over the bottom (touch) screen,
// no gap. Profiles pin their core to it.
const (
	frameWidth  = 256
	frameHeight = 384
	touchTop    = 192
)

// defaultProfile is for a core nobody has measured. It assumes little: no
// option is set (they are unknown, so they stay as the core declares them),
// states are loaded twice, main memory is hashed if the core shows it and only
// the picture if not, backup memory only through SAVE_RAM. Lid and microphone
// buttons differ between cores, so none is pressed.
func defaultProfile() *Profile {
	return &Profile{
		SRAM:      SRAMMemory,
		LoadTwice: true,
	}
}
