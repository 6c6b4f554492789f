package emucore

import (
	"fmt"
	"strconv"
	"time"
)

// melondsdsProfile is what is known of melonDS DS, from its 1.2.0 sources
// (JesseTG/melonds-ds: src/libretro/config/{constants,definitions,parse,config}
// for every key and legal value below, input/ and microphone.cpp for buttons)
// and from measurements of that version.
func melondsdsProfile() *Profile {
	return &Profile{
		Library:      "melonDS DS",
		Wireless:     true,
		Pins:         melondsdsPins(),
		Free:         []Choice{melondsdsMic()},
		CanonicalROM: canonicalROM,
		SRAM:         SRAMMemory, // to be filled before the first retro_run

		// Memory timings are restored after they are first read.
		LoadTwice:  true,
		CheckState: checkMelonState,
		// No LidState: the key register, where the lid is, is not saved ("TODO: save
		// KeyInput" in NDS::DoSavestate).

		ScreenWidth:  frameWidth,
		ScreenHeight: frameHeight,
		TouchY:       touchTop,

		// joypad.cpp: the lid turns over when L3 goes down, so it must be up for a
		// frame in between. L2 is the microphone, R2 the next layout, R3 a tap with
		// the joystick's stylus: the last two are never pressed. (libretro's L2, R2
		// and L3 are thus not what they are in DeSmuME.)
		Lid: Button{ID: joypadL3, Toggle: true, Rest: 1},
		Mic: Button{ID: joypadL2}, // "hold" is pinned

		UsernameIsNickname: true,

		// Bytes of the sender's stack in the default (empty) reply and in the host's
		// ack (Wifi::SendMPDefaultReply and SendMPAck: a transmit header of 12 bytes
		// that is not filled, then 28 and 32 bytes of frame; 10 bytes come before).
		// They made packet traces differ with three consoles. A command of the ack's
		// size loses four bytes of its transmit header too, alike on all machines.
		Scrub: []Scrub{{Type: 1, Size: 50, From: 10, To: 18}, {Type: 2, Size: 54, From: 14, To: 18}},

		seat: melondsdsSeat,
	}
}

// melondsdsPins sets every option the core has that is not a choice of the room
// or the seat's own. Left alone, the JIT, the threaded renderer, the host's
// microphone and clock are on; without an answer for melonds_opengl_filtering the
// core even reads an empty std::optional.
func melondsdsPins() []Option {
	return []Option{
		// System. Built-in BIOS and firmware are part of the core, so equal on all
		// machines; "native" would need files by hash. DSi mode has no states.
		{"melonds_console_mode", "ds"},
		{"melonds_sysfile_mode", "builtin"},
		{"melonds_boot_mode", "direct"},
		{"melonds_firmware_nds_path", "/notfound"},
		{"melonds_firmware_dsi_path", "/notfound"},
		{"melonds_dsi_nand_path", "/notfound"},
		{"melonds_dsi_sdcard", "disabled"},
		{"melonds_dsi_sdcard_readonly", "disabled"},
		{"melonds_dsi_sdcard_sync_sdcard_to_host", "disabled"},
		{"melonds_homebrew_sdcard", "disabled"},
		{"melonds_homebrew_readonly", "disabled"},
		{"melonds_homebrew_sync_sdcard_to_host", "disabled"},
		{"melonds_slot2_device", "auto"}, // without a GBA ROM: the slot is empty
		{"melonds_solar_sensor_host_sensor", "disabled"},
		{"melonds_battery_update_interval", "15"},
		{"melonds_ds_battery_ok_threshold", "0"}, // always full

		// CPU. With the JIT states diverge and may crash.
		{"melonds_jit_enable", "disabled"},
		{"melonds_jit_block_size", "32"},
		{"melonds_jit_branch_optimisations", "disabled"},
		{"melonds_jit_literal_optimisations", "disabled"},
		{"melonds_jit_fast_memory", "disabled"},

		// Time. The date and the time down to minutes come from the seat's options;
		// the core adds the seconds of localtime(), that is, of the virtual clock.
		{"melonds_start_time_mode", "absolute"},
		{"melonds_start_time_relative_year_offset", "0"},
		{"melonds_start_time_relative_day_offset", "0"},
		{"melonds_start_time_relative_hour_offset", "0"},
		{"melonds_start_time_relative_minute_offset", "0"},

		// Firmware settings nobody chooses. The DNS server is "force default".
		{"melonds_firmware_enable_alarm", "disabled"},
		{"melonds_firmware_alarm_hour", "0"},
		{"melonds_firmware_alarm_minute", "0"},
		{"melonds_firmware_wfc_dns", "0.0.0.0"},

		// Network: the internet of the DS, not its local wireless.
		{"melonds_network_mode", "disabled"},
		{"melonds_direct_network_interface", "auto"},

		// Sound.
		{"melonds_mic_input_active", "hold"},
		{"melonds_audio_bitdepth", "16bit"},
		{"melonds_audio_interpolation", "disabled"},

		// Picture and stylus.
		{"melonds_render_mode", "software"},
		{"melonds_threaded_renderer", "disabled"}, // the worker has one thread; no gain measured
		{"melonds_opengl_resolution", "1"},
		{"melonds_opengl_better_polygons", "disabled"},
		{"melonds_opengl_filtering", "nearest"},
		{"melonds_touch_mode", "touch"},
		{"melonds_show_cursor", "disabled"},
		{"melonds_cursor_timeout", "3"},
		{"melonds_screen_gap", "0"},
		{"melonds_hybrid_ratio", "2"},
		{"melonds_hybrid_small_screen", "both"},
		{"melonds_number_of_screen_layouts", "1"},
		{"melonds_screen_layout1", "top-bottom"},
		{"melonds_screen_layout2", "top-bottom"},
		{"melonds_screen_layout3", "top-bottom"},
		{"melonds_screen_layout4", "top-bottom"},
		{"melonds_screen_layout5", "top-bottom"},
		{"melonds_screen_layout6", "top-bottom"},
		{"melonds_screen_layout7", "top-bottom"},
		{"melonds_screen_layout8", "top-bottom"},

		// Notices.
		{"melonds_show_unsupported_features", "disabled"},
		{"melonds_show_bios_warnings", "disabled"},
		{"melonds_show_current_layout", "disabled"},
		{"melonds_show_mic_state", "disabled"},
		{"melonds_show_camera_state", "disabled"},
		{"melonds_show_lid_state", "disabled"},
		{"melonds_show_sensor_reading", "disabled"},
		{"melonds_show_pointer_coordinates", "disabled"},
		{"melonds_show_brightness_state", "disabled"},
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
		Help:   "what the microphone hears while its key is down",
	}
}

// melondsdsLanguages by Firmware.Language.
var melondsdsLanguages = [...]string{"ja", "en", "fr", "de", "it", "es"}

// melondsdsSeat sets what is a console's own: firmware settings (checked
// already), MAC, clock.
func melondsdsSeat(cfg Config) ([]Option, error) {
	fw := cfg.Firmware
	opts := []Option{
		{"melonds_firmware_language", melondsdsLanguages[fw.Language]},
		{"melonds_firmware_favorite_color", strconv.Itoa(int(fw.Colour))},
		{"melonds_firmware_birth_month", strconv.Itoa(max(1, int(fw.BirthMonth)))},
		{"melonds_firmware_birth_day", strconv.Itoa(max(1, int(fw.BirthDay)))},
		{"melonds_firmware_username", melondsdsUsername(fw)},
		{"melonds_mac_address_mode", melondsdsMAC(fw.MAC)},
	}
	clock, err := melondsdsClock(cfg.clockAtFirst())
	return append(opts, clock...), err
}

// melondsdsUsername says where the nickname comes from. An empty answer to
// GET_USERNAME would send the core on to the environment variables USER and
// LOGNAME, which differ between machines.
func melondsdsUsername(fw Firmware) string {
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
func melondsdsClock(rtc int64) ([]Option, error) {
	t := time.Unix(rtc, 0).UTC()
	if t.Year() < 2000 || t.Year() > 2099 {
		return nil, fmt.Errorf("clock at start %d: year %d, this core needs 2000 to 2099", rtc, t.Year())
	}
	return []Option{
		{"melonds_start_time_absolute_year", strconv.Itoa(t.Year())},
		{"melonds_start_time_absolute_month", strconv.Itoa(int(t.Month()))},
		{"melonds_start_time_absolute_day", strconv.Itoa(t.Day())},
		{"melonds_start_time_absolute_hour", strconv.Itoa(t.Hour())},
		{"melonds_start_time_absolute_minute", strconv.Itoa(t.Minute())},
	}, nil
}
