package emucore

import (
	"runtime"

	"github.com/nettplay/nettplay/emucore/savefile"
	"github.com/nettplay/nettplay/internal/ds"
)

// desmumeProfile returns our knowledge of DeSmuME. "Measured" below means: on Debian's libretro-desmume
// 0.9.11+git20160819 (library_version "SVN"), x86-64. Sources named are libretro/desmume2015, the
// closest published ones, and libretro/desmume for the builds of today.
//
// The values below are spelled as Debian's build declares them; builds of today
// say "enabled" and "disabled" for "enable" and "disable", and a worker answers
// with whichever of the two its core has declared.
func desmumeProfile() *Profile {
	return &Profile{
		Library: "DeSmuME",
		Package: "libretro-desmume",
		Pins:    desmumePins(),
		Free:    []Choice{desmumeCPU(runtime.GOARCH)},

		// The core opens <save directory>/<ROM base name>.dsv (mc.cpp).
		SRAM:       SRAMFile,
		SaveName:   "game.dsv",
		EncodeSRAM: savefile.EncodeDSV,
		DecodeSRAM: savefile.DecodeDSV,
		ChipSizes:  savefile.DSVSizes,

		CheckState: savefile.CheckDesmume,
		WriteState: savefile.WriteDesmume,
		MainRAM:    savefile.DesmumeMainRAM,
		PoweredOff: savefile.DesmumePoweredOff,
		// libretro.cpp of Debian's build: a code is copied into 1,024 bytes, with its last zero. It keeps everything but
		// hexadecimal digits out, runs at the end of retro_run what was set, and takes no notice of the index or of whether
		// a cheat is on. Resets and states leave cheats alone, and are without them.
		Cheats:   Cheats{Known: true, Lines: 63, NeedsEndif: true},
		GoesBack: true,
		LidState: savefile.DesmumeLid,

		// Measured: a press of L2 turns the lid over at once, then the core
		// ignores the button for 30 frames, up or down (countLid in
		// NDSSystem.cpp); held down, it turns over again every 31 frames. Lid and
		// count are in the state.
		Lid: []Button{{ID: joypadL2, Toggle: true, Rest: 30}},
		// Measured: L3 is noise for as long as it is down, although its label says
		// "Toggle Microphone"; two runs with equal presses give equal memory. R3
		// switches the layout (in today's builds whatever the layout is, in
		// Debian's with "quick switch" only) and R2 taps the stylus when a stick
		// is the pointer: neither is ever pressed. With the pins below it asks for
		// joypad buttons 0 to 12, 14 and 15 and for the pointer, nothing else.
		Mic: []Button{{ID: joypadL3}},

		// Measured: time() in each frame. Debian's build has no options for two sticks.
		Clocks:    ReadsTime,
		Sometimes: []string{"desmume_pointer_device_l", "desmume_pointer_device_r"},

		// Every build calls itself SVN.
		known: knownBuilds{hides: []string{"SVN"}, files: []KnownFile{{
			Version: "SVN", SHA256: "87742ceaedf04ddab30d59905a44e0b315e194d7d970372c04645825a7c80c61",
			Fingerprint: "6f4c08c8e257870d9edb5e10396a699aed732cd976dbf5aeb7a62dcbb5827889",
			Words:       "Debian 12's 0.9.11+git20160819 for x86-64",
		}}},

		owner: &ds.Firmware{Nickname: "DeSmuME", MAC: [6]byte{0, 9, 0xbf, 0x12, 0x34, 0x56}, Colour: 7, BirthMonth: 6, BirthDay: 23},
		seat:  desmumeSeat,
	}
}

// desmumePins are the options that decide on emulation or on the picture.
// All else that today's builds have (OpenGL, external BIOS, rotation) is off by
// the default they declare.
func desmumePins() []ds.Option {
	return []ds.Option{
		// It reaches into emulated timing: 1, 12 and 100 were measured to give three different
		// memories. 12 is the default that the core declares.
		{Key: "desmume_jit_block_size", Value: "12"},
		// Measured: off is slower too (half again the time under full CPU load):
		// memory then costs the program nothing, and it gets more done in a frame.
		{Key: "desmume_advanced_timing", Value: "enable"},
		{Key: "desmume_num_cores", Value: "1"},
		{Key: "desmume_load_to_memory", Value: "enable"},
		{Key: "desmume_frameskip", Value: "0"}, // any other breaks determinism
		// The stylus comes in as RETRO_DEVICE_POINTER, nothing else moves it.
		{Key: "desmume_pointer_mouse", Value: "enable"},
		{Key: "desmume_pointer_type", Value: "touch"},
		{Key: "desmume_pointer_device", Value: "none"},
		{Key: "desmume_pointer_device_l", Value: "none"},
		{Key: "desmume_pointer_device_r", Value: "none"},
		{Key: "desmume_pointer_device_deadzone", Value: "15"},
		{Key: "desmume_pointer_device_acceleration_mod", Value: "0"},
		{Key: "desmume_pointer_stylus_pressure", Value: "50"}, // games can measure it
		{Key: "desmume_pointer_stylus_jitter", Value: "disable"},
		{Key: "desmume_screens_layout", Value: "top/bottom"},
		{Key: "desmume_screens_gap", Value: "0"},
		{Key: "desmume_internal_resolution", Value: "256x192"},
		{Key: "desmume_gfx_edgemark", Value: "enable"}, // the three are the core's defaults
		{Key: "desmume_gfx_linehack", Value: "enable"},
		{Key: "desmume_gfx_txthack", Value: "disable"},
		// "internal" is a fixed sample; "random" is rand(), "physical" the host's
		// microphone. Forced, the noise would never stop.
		{Key: "desmume_mic_mode", Value: "internal"},
		{Key: "desmume_mic_force_enable", Value: "no"},
	}
}

// desmumeCPU is the choice between the core's two CPU emulators. They do not
// agree with each other; each agrees with itself, also after loading a state in
// a fresh process. The code the JIT emits does not depend on the CPU model
// (AsmJit's feature tests are never asked), and equal core files mean equal
// architectures, so the JIT is safe between any machines that can play together.
// Measured, a program that keeps the CPU busy: JIT 2.4 ms a frame (p99 5),
// interpreter 10 (p99 20), which is too slow for two consoles on one machine.
func desmumeCPU(arch string) Choice {
	c := Choice{
		Key:    "desmume_cpu_mode",
		Values: []string{"jit", "interpreter"},
		Label:  "The console's CPUs",
		Names:  []string{"Fast (JIT)", "Exact (interpreter)"},
		Help:   "how the console's CPUs are emulated: the JIT is about four times faster, the interpreter is more exact",
		JIT:    "jit",
	}
	if arch != "amd64" && arch != "386" {
		c.Values, c.Names = c.Values[1:], c.Names[1:] // the JIT writes x86 code only
	}
	return c
}

// desmumeLanguages by Firmware.Language. "Auto" would ask the host.
var desmumeLanguages = [...]string{"Japanese", "English", "French", "German", "Italian", "Spanish"}

// desmumeSeat sets the only thing that can be set about DeSmuME's firmware (the
// settings are checked already). Nickname, MAC, colour and birthday are the core's own in
// every console. Today's builds would take the nickname
// from GET_USERNAME; it stays unanswered, so that all builds behave alike.
func desmumeSeat(cfg Config) ([]ds.Option, error) {
	return []ds.Option{{Key: "desmume_firmware_language", Value: desmumeLanguages[cfg.Firmware.Language]}}, nil
}
