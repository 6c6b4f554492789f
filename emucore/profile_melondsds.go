package emucore

import (
	"fmt"
	"runtime"
	"strconv"
	"time"

	"github.com/nettplay/nettplay/emucore/savefile"
	"github.com/nettplay/nettplay/internal/ds"
)

// melondsdsProfile returns our knowledge of melonDS DS, from its sources (JesseTG/melonds-ds:
// src/libretro/config/{constants,definitions,parse,config} for every key and legal value below, input/
// and microphone.cpp for buttons) and from measurements: of 1.2.0, and of b3fe871 of March 2026, which
// is on the way to 1.3.0 and calls itself 1.2.0, too. 1.3.0 was not measured: what it must still show is in
// docs/cores.md, and the core check asks for it.
func melondsdsProfile() *Profile {
	return &Profile{
		Library: "melonDS DS",
		Pins:    melondsdsPins(),
		Free:    []Choice{melondsdsMic(), melondsdsJIT(runtime.GOARCH)},
		SRAM:    SRAMMemory, // to be filled before the first retro_run

		// Memory timings are restored after they are first read.
		LoadTwice:      true,
		NeedsDecrypted: true, // its own BIOS has no key
		HasStates:      true,
		// core.cpp of 1.2.0: a regular expression reads a code, 8 hexadecimal digits a word, with or without spaces and
		// "+" between them. AREngine.cpp runs it when the ARM7 takes its interrupt of the picture's end: on the frame of the
		// interrupt, and with what it had at the start of it. Resets and states leave cheats alone, and are without them.
		Cheats:     Cheats{Known: true, Lines: 1024},
		CheckState: savefile.CheckMelonDS,
		WriteState: savefile.WriteMelonDS,
		// No LidState: the key register, where the lid is, is not saved ("TODO: save
		// KeyInput" in NDS::DoSavestate).

		// joypad.cpp of 1.2.0: the lid turns over when L3 goes down, so it must be up for a
		// frame in between. L2 is the microphone, R2 the next layout, R3 a tap with
		// the joystick's stylus: the last two are never pressed. (libretro's L2, R2
		// and L3 are thus not what they are in DeSmuME.)
		//
		// Later: L3 is the microphone, R3 the next layout, R2 the tap, and L2 turns Y into the
		// lid. The game sees that Y for the one frame, too. The versions do not tell which it
		// is, so the core's own words for the buttons do.
		Lid: []Button{
			{ID: joypadL3, Toggle: true, Rest: 1, Label: "Close Lid"},
			{ID: joypadY, Held: 1 << joypadL2, Toggle: true, Rest: 1, Label: "Y / Close Lid"},
		},
		Mic: []Button{{ID: joypadL2, Label: "Microphone"}, {ID: joypadL3, Label: "Microphone"}}, // "hold" is pinned

		UsernameIsNickname: true,
		GoesBack:           true,

		// Measured: no clock is read in a frame but clock(), while the radio waits. Builds without OpenGL, without the
		// JIT (of other processors), without threads and without the DS's internet have no options for them,
		// and 1.2.0 none for the stick. Where there is libpcap, or Windows, the network's interfaces are listed by address.
		Wireless: true,
		Clocks:   ReadsWork | ofThreads,
		Sometimes: []string{
			"melonds_opengl_*", "melonds_jit_*", "melonds_render_mode", "melonds_threaded_renderer", "melonds_network_mode",
			"melonds_direct_network_interface", "melonds_joystick_cursor_*", "melonds_show_brightness_state", "melonds_show_pointer_coordinates",
		},
		OfMachine: []string{"melonds_direct_network_interface", "melonds_firmware_nds_path", "melonds_firmware_dsi_path", "melonds_dsi_nand_path"},
		Anything:  []string{"melonds_mac_address_mode"},

		// Bytes of the sender's stack in the default (empty) reply and in the host's
		// ack (Wifi::SendMPDefaultReply and SendMPAck: a transmit header of 12 bytes
		// that is not filled, then 28 and 32 bytes of frame; 10 bytes come before).
		// They made packet traces differ with three consoles. A command of the ack's
		// size loses four bytes of its transmit header too, alike on all machines.
		Scrub: []Scrub{{Type: 1, Size: 50, From: 10, To: 18}, {Type: 2, Size: 54, From: 14, To: 18}},

		// The numbers have not told builds apart since February of 2025, when 1.2.0 came out: all that was built
		// since calls itself that, until 1.3.0 of August 2026.
		known: knownBuilds{measured: []string{"1.2.0"}, likely: []string{"1.2", "1.3"}, hides: []string{"1.2.0"}},

		seat: melondsdsSeat,
	}
}

// melondsdsPins sets every option the core has that is not a choice of the room
// or the seat's own. Left alone, the JIT, the threaded renderer, the host's
// microphone and clock are on; without an answer for melonds_opengl_filtering the
// core even reads an empty std::optional.
func melondsdsPins() []ds.Option {
	return []ds.Option{
		// System. Built-in BIOS and firmware are part of the core, so equal on all
		// machines; "native" would need files by hash. DSi mode has no states.
		{Key: "melonds_console_mode", Value: "ds"},
		{Key: "melonds_sysfile_mode", Value: "builtin"},
		{Key: "melonds_boot_mode", Value: "direct"},
		{Key: "melonds_firmware_nds_path", Value: "/notfound"},
		{Key: "melonds_firmware_dsi_path", Value: "/notfound"},
		{Key: "melonds_dsi_nand_path", Value: "/notfound"},
		{Key: "melonds_dsi_sdcard", Value: "disabled"},
		{Key: "melonds_dsi_sdcard_readonly", Value: "disabled"},
		{Key: "melonds_dsi_sdcard_sync_sdcard_to_host", Value: "disabled"},
		{Key: "melonds_homebrew_sdcard", Value: "disabled"},
		{Key: "melonds_homebrew_readonly", Value: "disabled"},
		{Key: "melonds_homebrew_sync_sdcard_to_host", Value: "disabled"},
		{Key: "melonds_slot2_device", Value: "auto"}, // without a GBA ROM: the slot is empty
		{Key: "melonds_solar_sensor_host_sensor", Value: "disabled"},
		{Key: "melonds_battery_update_interval", Value: "15"},
		{Key: "melonds_ds_battery_ok_threshold", Value: "0"}, // always full

		// CPU. Whether the JIT runs is the room's choice. These change what it does, and are as the
		// core has them by itself. Not so fast memory, which changes nothing: it takes 16 GB of
		// addresses and a handler of faults, and gained nothing.
		{Key: "melonds_jit_block_size", Value: "32"},
		{Key: "melonds_jit_branch_optimisations", Value: "enabled"},
		{Key: "melonds_jit_literal_optimisations", Value: "enabled"},
		{Key: "melonds_jit_fast_memory", Value: "disabled"},

		// Time. The date and the time down to minutes come from the seat's options;
		// the core adds the seconds of localtime(), that is, of the virtual clock.
		{Key: "melonds_start_time_mode", Value: "absolute"},
		{Key: "melonds_start_time_relative_year_offset", Value: "0"},
		{Key: "melonds_start_time_relative_day_offset", Value: "0"},
		{Key: "melonds_start_time_relative_hour_offset", Value: "0"},
		{Key: "melonds_start_time_relative_minute_offset", Value: "0"},

		// Firmware settings nobody chooses. The DNS server is "force default".
		{Key: "melonds_firmware_enable_alarm", Value: "disabled"},
		{Key: "melonds_firmware_alarm_hour", Value: "0"},
		{Key: "melonds_firmware_alarm_minute", Value: "0"},
		{Key: "melonds_firmware_wfc_dns", Value: "0.0.0.0"},

		// Network: the internet of the DS, not its local wireless.
		{Key: "melonds_network_mode", Value: "disabled"},
		{Key: "melonds_direct_network_interface", Value: "auto"},

		// Sound.
		{Key: "melonds_mic_input_active", Value: "hold"},
		{Key: "melonds_audio_bitdepth", Value: "16bit"},
		{Key: "melonds_audio_interpolation", Value: "disabled"},

		// Picture and stylus.
		{Key: "melonds_render_mode", Value: "software"},
		{Key: "melonds_threaded_renderer", Value: "disabled"}, // the worker has one thread; no gain measured
		{Key: "melonds_opengl_resolution", Value: "1"},
		{Key: "melonds_opengl_better_polygons", Value: "disabled"},
		{Key: "melonds_opengl_filtering", Value: "nearest"},
		{Key: "melonds_touch_mode", Value: "touch"},
		{Key: "melonds_show_cursor", Value: "disabled"},
		{Key: "melonds_cursor_timeout", Value: "3"},
		// Later than 1.2.0; of a stick, which is never moved.
		{Key: "melonds_joystick_cursor_deadzone", Value: "5"},
		{Key: "melonds_joystick_cursor_maxspeed", Value: "3"},
		{Key: "melonds_joystick_cursor_response", Value: "200"},
		{Key: "melonds_joystick_cursor_speedup", Value: "200"},
		{Key: "melonds_screen_gap", Value: "0"},
		{Key: "melonds_hybrid_ratio", Value: "2"},
		{Key: "melonds_hybrid_small_screen", Value: "both"},
		{Key: "melonds_number_of_screen_layouts", Value: "1"},
		{Key: "melonds_screen_layout1", Value: "top-bottom"},
		{Key: "melonds_screen_layout2", Value: "top-bottom"},
		{Key: "melonds_screen_layout3", Value: "top-bottom"},
		{Key: "melonds_screen_layout4", Value: "top-bottom"},
		{Key: "melonds_screen_layout5", Value: "top-bottom"},
		{Key: "melonds_screen_layout6", Value: "top-bottom"},
		{Key: "melonds_screen_layout7", Value: "top-bottom"},
		{Key: "melonds_screen_layout8", Value: "top-bottom"},

		// Notices.
		{Key: "melonds_show_unsupported_features", Value: "disabled"},
		{Key: "melonds_show_bios_warnings", Value: "disabled"},
		{Key: "melonds_show_current_layout", Value: "disabled"},
		{Key: "melonds_show_mic_state", Value: "disabled"},
		{Key: "melonds_show_camera_state", Value: "disabled"},
		{Key: "melonds_show_lid_state", Value: "disabled"},
		{Key: "melonds_show_sensor_reading", Value: "disabled"},
		{Key: "melonds_show_pointer_coordinates", Value: "disabled"},
		{Key: "melonds_show_brightness_state", Value: "disabled"},
	}
}

// melondsdsMic lets a room choose what the microphone hears while its button is
// down. "blow" walks through a sample, "noise" through a default-seeded
// generator; how far is not in the state, but the same in all workers that are
// equally old, and a state is only ever loaded in a fresh one. "microphone", the
// core's default, is the host's.
func melondsdsMic() Choice {
	return Choice{
		Key:    "melonds_mic_input",
		Values: []string{"silence", "blow", "noise"},
		Label:  "The microphone hears",
		Names:  []string{"Silence", "Blowing", "Noise"},
		Help:   "sound that the microphone hears while its key is down",
	}
}

// melondsdsJIT is the choice between the core's two CPU emulators. They do not agree with each
// other. Measured on x86-64 with 1.2.0: the JIT agrees with itself from power-on, and after all
// consoles of a game have loaded the same states at the same frame in fresh processes. A console
// that goes on from a state alone comes apart from the others: how long an instruction takes
// depends on what was compiled together. It takes 0.7 to 0.8 of the interpreter's time.
func melondsdsJIT(arch string) Choice {
	c := Choice{
		Key:    "melonds_jit_enable",
		Values: []string{"disabled", "enabled"},
		Label:  "The console's CPUs",
		Names:  []string{"Exact (interpreter)", "Fast (JIT)"},
		Help:   "how the console's CPUs are emulated: the JIT is up to half again as fast, the interpreter is more exact",
		JIT:    "enabled",
		Cold:   true,
	}
	if arch != "amd64" {
		c.Values, c.Names = c.Values[:1], c.Names[:1] // nobody has measured the other JIT
	}
	return c
}

// melondsdsLanguages by Firmware.Language.
var melondsdsLanguages = [...]string{"ja", "en", "fr", "de", "it", "es"}

// melondsdsSeat sets what is a console's own: firmware settings (checked
// already), MAC, clock.
func melondsdsSeat(cfg Config) ([]ds.Option, error) {
	fw := cfg.Firmware
	opts := []ds.Option{
		{Key: "melonds_firmware_language", Value: melondsdsLanguages[fw.Language]},
		{Key: "melonds_firmware_favorite_color", Value: strconv.Itoa(int(fw.Colour))},
		{Key: "melonds_firmware_birth_month", Value: strconv.Itoa(max(1, int(fw.BirthMonth)))},
		{Key: "melonds_firmware_birth_day", Value: strconv.Itoa(max(1, int(fw.BirthDay)))},
		{Key: "melonds_firmware_username", Value: melondsdsUsername(fw)},
		{Key: "melonds_mac_address_mode", Value: melondsdsMAC(fw.MAC)},
	}
	clock, err := melondsdsClock(cfg.clockAtFirst())
	return append(opts, clock...), err
}

// melondsdsUsername says where the nickname comes from. An empty answer to
// GET_USERNAME would send the core on to the environment variables USER and
// LOGNAME, which differ between machines.
func melondsdsUsername(fw ds.Firmware) string {
	if fw.Nickname == "" {
		return "melonDS DS"
	}
	return "guess_username"
}

// melondsdsMAC is a literal address (two hexadecimal digits each, colons), as
// ParseMacAddress takes it, or "firmware" for the built-in one.
func melondsdsMAC(mac [6]byte) string {
	if mac == [6]byte{} {
		return "firmware"
	}
	return fmt.Sprintf("%02x:%02x:%02x:%02x:%02x:%02x", mac[0], mac[1], mac[2], mac[3], mac[4], mac[5])
}

// melondsdsClock gives the date and time of the first frame. The core takes the
// years 2000 to 2100, and the clock of a DS ends with 2099.
func melondsdsClock(rtc int64) ([]ds.Option, error) {
	t := time.Unix(rtc, 0).UTC()
	if t.Year() < 2000 || t.Year() > 2099 {
		return nil, fmt.Errorf("clock at start %d: year %d, this core needs 2000 to 2099", rtc, t.Year())
	}
	return []ds.Option{
		{Key: "melonds_start_time_absolute_year", Value: strconv.Itoa(t.Year())},
		{Key: "melonds_start_time_absolute_month", Value: strconv.Itoa(int(t.Month()))},
		{Key: "melonds_start_time_absolute_day", Value: strconv.Itoa(t.Day())},
		{Key: "melonds_start_time_absolute_hour", Value: strconv.Itoa(t.Hour())},
		{Key: "melonds_start_time_absolute_minute", Value: strconv.Itoa(t.Minute())},
	}, nil
}
