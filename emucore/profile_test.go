package emucore

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// wantPins is what must be equal on all machines for consoles to stay equal, by
// core: one line for each option that was found to change emulation, or to let
// the host in. It is written down apart from the profiles so that nothing gets
// lost there.
var wantPins = map[string]map[string]string{
	"DeSmuME": {
		"desmume_jit_block_size":        "12",
		"desmume_advanced_timing":       "enable",
		"desmume_pointer_type":          "touch",
		"desmume_pointer_mouse":         "enable",
		"desmume_screens_layout":        "top/bottom",
		"desmume_screens_gap":           "0",
		"desmume_pointer_stylus_jitter": "disable",
		"desmume_frameskip":             "0",
		"desmume_num_cores":             "1",
		"desmume_load_to_memory":        "enable",
		"desmume_mic_mode":              "internal",
		"desmume_internal_resolution":   "256x192",
	},
	"melonDS DS": {
		"melonds_jit_enable":                "disabled",
		"melonds_jit_block_size":            "32",
		"melonds_jit_branch_optimisations":  "enabled",
		"melonds_jit_literal_optimisations": "enabled",
		"melonds_jit_fast_memory":           "disabled",
		"melonds_console_mode":              "ds",
		"melonds_sysfile_mode":              "builtin",
		"melonds_boot_mode":                 "direct",
		"melonds_start_time_mode":           "absolute",
		"melonds_render_mode":               "software",
		"melonds_firmware_enable_alarm":     "disabled",
		"melonds_firmware_wfc_dns":          "0.0.0.0",
		"melonds_network_mode":              "disabled",
		"melonds_homebrew_sdcard":           "disabled",
		"melonds_dsi_sdcard":                "disabled",
		"melonds_slot2_device":              "auto",
		"melonds_solar_sensor_host_sensor":  "disabled",
		"melonds_audio_bitdepth":            "16bit",
		"melonds_audio_interpolation":       "disabled",
		"melonds_touch_mode":                "touch",
		"melonds_show_cursor":               "disabled",
		"melonds_joystick_cursor_deadzone":  "5",
		"melonds_number_of_screen_layouts":  "1",
		"melonds_screen_layout1":            "top-bottom",
		"melonds_screen_gap":                "0",
		"melonds_opengl_filtering":          "nearest", // unset, the core reads an empty optional
	},
}

// wantSeat is what a console with seatConfig must get besides the pins.
var wantSeat = map[string]map[string]string{
	"DeSmuME": {
		"desmume_firmware_language": "German",
	},
	"melonDS DS": {
		"melonds_mic_input":                       "silence",
		"melonds_mac_address_mode":                "00:09:bf:0a:0b:0c",
		"melonds_firmware_username":               "guess_username",
		"melonds_firmware_language":               "de",
		"melonds_firmware_favorite_color":         "7",
		"melonds_firmware_birth_month":            "2",
		"melonds_firmware_birth_day":              "29",
		"melonds_start_time_absolute_year":        "2009",
		"melonds_start_time_absolute_month":       "2",
		"melonds_start_time_absolute_day":         "13",
		"melonds_start_time_absolute_hour":        "23",
		"melonds_start_time_absolute_minute":      "31",
		"melonds_start_time_relative_year_offset": "0",
	},
}

func seatConfig() Config {
	return Config{
		Firmware: ds.Firmware{
			Nickname: "Ann", MAC: [6]byte{0, 9, 0xbf, 10, 11, 12}, Language: 3, Colour: 7, BirthMonth: 2, BirthDay: 29,
		},
		RTC: 1234567890, // 2009-02-13 23:31:30
	}
}

func TestEveryPinReachesTheConsole(t *testing.T) {
	for core, want := range wantPins {
		p := ProfileFor(core)
		if p.Library != core {
			t.Fatalf("ProfileFor(%q) is for %q", core, p.Library)
		}
		opts, err := p.ConsoleOptions(seatConfig())
		if err != nil {
			t.Fatalf("%s: %v", core, err)
		}
		for _, group := range []map[string]string{want, wantSeat[core]} {
			for key, value := range group {
				if got := valueOf(opts, key); got != value {
					t.Errorf("%s: %s is %q, want %q", core, key, got, value)
				}
			}
		}
	}
}

// valueOf returns an option's value, or "(not set)".
func valueOf(opts []ds.Option, key string) string {
	for _, o := range opts {
		if o.Key == key {
			return o.Value
		}
	}
	return "(not set)"
}

func TestNothingOfTheHostIsAsked(t *testing.T) {
	for core, bad := range map[string][]string{
		"DeSmuME":    {"Auto", "physical", "random"},
		"melonDS DS": {"sync", "real", "relative", "microphone", "from-username", "existing_username", "native", "opengl"},
	} {
		opts, err := ProfileFor(core).ConsoleOptions(seatConfig())
		must.Succeed(t, err)
		for _, o := range opts {
			if slices.Contains(bad, o.Value) {
				t.Errorf("%s: %s=%s", core, o.Key, o.Value)
			}
		}
	}
}

func TestProfilesAreConsistent(t *testing.T) {
	for _, core := range []string{"DeSmuME", "melonDS DS", "nobody's"} {
		p := ProfileFor(core)
		var keys []string
		for _, o := range p.Pins {
			keys = append(keys, o.Key)
		}
		for _, c := range p.Free {
			keys = append(keys, c.Key)
			if len(c.Values) == 0 || len(c.Names) != len(c.Values) || c.Label == "" || c.Help == "" {
				t.Errorf("%s: choice %s has no values or no help", core, c.Key)
			}
		}
		slices.Sort(keys)
		if n := len(slices.Compact(slices.Clone(keys))); n != len(keys) {
			t.Errorf("%s: an option is there twice: %v", core, keys)
		}
		if (p.SRAM == SRAMFile) != (p.EncodeSRAM != nil && p.DecodeSRAM != nil && p.SaveName != "") {
			t.Errorf("%s: a save file needs a name and both conversions, and nothing else does", core)
		}
	}
	if canonicalROM != "game.nds" {
		t.Errorf("ROMs are loaded as %q", canonicalROM)
	}
}

func TestProfileForUnknownCore(t *testing.T) {
	if p := ProfileFor("desmume"); p.Library != "DeSmuME" {
		t.Errorf("case matters: got %q", p.Library)
	}
	if p := ProfileFor(" MELONDS DS "); p.Library != "melonDS DS" {
		t.Errorf("case or spaces matter: got %q", p.Library)
	}
	p := ProfileFor("melonDS") // the older core of that name is another one
	if p.Library != "" || len(p.Pins)+len(p.Free) != 0 || !p.LoadTwice || len(p.Lid)+len(p.Mic) != 0 {
		t.Errorf("an unknown core gets %+v, not the careful default", p)
	}
	opts, err := p.ConsoleOptions(seatConfig())
	if err != nil || len(opts) != 0 {
		t.Errorf("options for an unknown core: %v, %v", opts, err)
	}
}

// TestJITIsTheRooms: a room turns the JIT on and off, with each core that has one.
func TestJITIsTheRooms(t *testing.T) {
	for _, c := range []struct {
		core          string
		choice, usual bool
		cold          bool // states are of use only if all load them
	}{
		{"melonDS DS", true, false, true},
		{"DeSmuME", true, runtime.GOARCH == "amd64", false},
		{"nobody's", false, false, false},
	} {
		p := ProfileFor(c.core)
		on, ok := p.JITOption(true)
		off, _ := p.JITOption(false)
		if ok != c.choice && runtime.GOARCH == "amd64" || p.Compiles(nil) != c.usual || !p.ExactStates([]ds.Option{off}, true) {
			t.Errorf("%s: choice %v, %v by itself", c.core, ok, p.Compiles(nil))
		}
		if !ok {
			continue
		}
		room := []ds.Option{on}
		if !p.Compiles(room) || p.Compiles([]ds.Option{off}) || p.ExactStates(room, false) == c.cold || p.ExactStates(room, true) {
			t.Errorf("%s: with %v it is %v, with %v %v", c.core, on, p.Compiles(room), off, p.Compiles([]ds.Option{off}))
		}
		cfg := seatConfig()
		cfg.Options = []ds.Option{on}
		opts, err := p.ConsoleOptions(cfg)
		if err != nil || valueOf(opts, on.Key) != on.Value {
			t.Errorf("%s: %s reaches the console as %q, %v", c.core, on.Key, valueOf(opts, on.Key), err)
		}
	}
}

func TestCPUModeFollowsArchitecture(t *testing.T) {
	for arch, want := range map[string]string{
		"amd64": "jit|interpreter", "386": "jit|interpreter", "arm64": "interpreter", "riscv64": "interpreter",
	} {
		if got := strings.Join(desmumeCPU(arch).Values, "|"); got != want {
			t.Errorf("%s: %s, want %s", arch, got, want)
		}
	}
}

// TestPointerHitsEveryPixel turns the coordinates back into pixels as the cores
// do it, in their own arithmetic.
func TestPointerHitsEveryPixel(t *testing.T) {
	desmume := func(v int16, size int) int { // retro_run: float
		return int((float32(v) + 32768) * (float32(size) / 65536))
	}
	desmumeToday := func(v int16, size int) int { return (int(v) + 0x8000) * size / 0x10000 }
	melonds := func(v int16, size int) int { // ScreenLayoutData: a float matrix
		half := float32(size) / 2
		return int(half + float32(v)*(float32(size)/(2*32767)))
	}
	for name, core := range map[string]func(int16, int) int{"DeSmuME": desmume, "DeSmuME today": desmumeToday, "melonDS DS": melonds} {
		for x := range 256 {
			for _, y := range []int{0, 1, 95, 96, 190, 191, x * 191 / 255} {
				px, py := pointer(uint8(x), uint8(y))
				gx, gy := core(px, 256), core(py, 384)-192
				if gx != x || gy != y {
					t.Fatalf("%s: pixel %d,%d becomes %d,%d, which the core takes for %d,%d", name, x, y, px, py, gx, gy)
				}
			}
		}
	}
}

// TestScrub: what is zeroed lies behind the ten bytes of netpacket header, which
// the receiver needs, and before the 802.11 frame.
func TestScrub(t *testing.T) {
	const head, frame = 10, 10 + 12
	scrub := ProfileFor("melonDS DS").Scrub
	if len(scrub) == 0 {
		t.Error("the core is known to send uninitialised bytes")
	}
	for _, s := range scrub {
		if s.From < head || s.To > frame || s.From >= s.To || s.Size < frame {
			t.Errorf("%+v", s)
		}
	}
}
