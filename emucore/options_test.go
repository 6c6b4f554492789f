package emucore

import (
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

func TestConsoleOptionsAreSorted(t *testing.T) {
	for _, core := range []string{"DeSmuME", "melonDS DS"} {
		opts, err := ProfileFor(core).ConsoleOptions(seatConfig())
		must.Succeed(t, err)
		if !slices.IsSortedFunc(opts, func(a, b ds.Option) int { return strings.Compare(a.Key, b.Key) }) {
			t.Errorf("%s: not sorted: %v", core, opts)
		}
	}
}

func TestRoomChoosesAmongTheFree(t *testing.T) {
	p := ProfileFor("melonDS DS")
	cfg := seatConfig()
	cfg.Options = []ds.Option{{Key: "melonds_mic_input", Value: "blow"}}
	opts, err := p.ConsoleOptions(cfg)
	if err != nil || valueOf(opts, "melonds_mic_input") != "blow" {
		t.Errorf("a legal choice: %v, %v", valueOf(opts, "melonds_mic_input"), err)
	}
}

// TestConsoleOptionsDoNotShare makes sure that one console's options are not
// written over another's, or over the profile.
func TestConsoleOptionsDoNotShare(t *testing.T) {
	p := ProfileFor("DeSmuME")
	a, _ := p.ConsoleOptions(seatConfig())
	before := slices.Clone(a)
	cfg := seatConfig()
	cfg.Firmware.Language = 0
	cfg.TestOptions = map[string]string{"desmume_frameskip": "9"}
	if _, err := p.ConsoleOptions(cfg); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(a, before) {
		t.Error("the second console's options changed the first's")
	}
	if valueOf(p.Pins, "desmume_frameskip") != "0" {
		t.Error("a test option changed the profile")
	}
}

func TestTestOptionsReplacePins(t *testing.T) {
	cfg := seatConfig()
	cfg.TestOptions = map[string]string{"desmume_num_cores": "2", "another": "x"}
	opts, err := ProfileFor("DeSmuME").ConsoleOptions(cfg)
	must.Succeed(t, err)
	if valueOf(opts, "desmume_num_cores") != "2" || valueOf(opts, "another") != "x" {
		t.Errorf("test options got lost: %v", opts)
	}
	n := 0
	for _, o := range opts {
		if o.Key == "desmume_num_cores" {
			n++
		}
	}
	if n != 1 {
		t.Errorf("desmume_num_cores is there %d times", n)
	}
}

func TestConsoleOptionsRefuse(t *testing.T) {
	tests := []struct {
		name, core string
		change     func(*Config)
		want       string // in the error
	}{
		{"a pin", "DeSmuME", func(c *Config) { c.Options = []ds.Option{{Key: "desmume_frameskip", Value: "3"}} }, "desmume_frameskip"},
		{"a value not offered", "DeSmuME", func(c *Config) { c.Options = []ds.Option{{Key: "desmume_cpu_mode", Value: "turbo"}} }, `"turbo" is not one of`},
		{"the host's microphone", "melonDS DS", func(c *Config) { c.Options = []ds.Option{{Key: "melonds_mic_input", Value: "microphone"}} }, "silence, blow, noise"},
		{"any option of an unknown core", "other", func(c *Config) { c.Options = []ds.Option{{Key: "x", Value: "y"}} }, "none with this core"},
		{"a language", "DeSmuME", func(c *Config) { c.Firmware.Language = 6 }, "language 6"},
		{"a colour", "melonDS DS", func(c *Config) { c.Firmware.Colour = 16 }, "colour 16"},
		{"the 30th of February", "melonDS DS", func(c *Config) { c.Firmware.BirthDay = 30 }, "no day 30 in month 2"},
		{"half a birthday", "DeSmuME", func(c *Config) { c.Firmware.BirthDay = 0 }, "no day 0 in month 2"},
		{"month 255", "DeSmuME", func(c *Config) { c.Firmware.BirthMonth = 255 }, "month 255"},
		{"a multicast MAC", "melonDS DS", func(c *Config) { c.Firmware.MAC[0] = 1 }, "01 09 bf"},
		{"a long nickname", "melonDS DS", func(c *Config) { c.Firmware.Nickname = "ElevenChars" }, "at most 10"},
		{"six pairs of surrogates", "melonDS DS", func(c *Config) { c.Firmware.Nickname = "😀😀😀😀😀😀" }, "12 characters"},
		{"bytes that are not text", "DeSmuME", func(c *Config) { c.Firmware.Nickname = "a\xff" }, "UTF-8"},
		{"NUL in the nickname", "DeSmuME", func(c *Config) { c.Firmware.Nickname = "a\x00b" }, "control character at byte 1"},
		{"a clock before 1970", "DeSmuME", func(c *Config) { c.RTC = -1 }, "clock at start -1"},
		{"a clock after 2099", "DeSmuME", func(c *Config) { c.RTC = maxRTC + 1 }, "clock at start"},
		{"a clock before 2000", "melonDS DS", func(c *Config) { c.RTC = 0 }, "year 1970"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cfg := seatConfig()
			tt.change(&cfg)
			opts, err := ProfileFor(tt.core).ConsoleOptions(cfg)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
			if opts != nil {
				t.Errorf("options beside an error: %v", opts)
			}
		})
	}
}

// TestFirmwareMayBeEmpty is for consoles nobody has given an owner.
func TestFirmwareMayBeEmpty(t *testing.T) {
	cfg := Config{RTC: maxRTC}
	opts, err := ProfileFor("melonDS DS").ConsoleOptions(cfg)
	must.Succeed(t, err)
	for key, want := range map[string]string{
		"melonds_firmware_username":          "melonDS DS", // guessing would look into the environment
		"melonds_mac_address_mode":           "firmware",
		"melonds_firmware_language":          "ja",
		"melonds_firmware_birth_month":       "1",
		"melonds_firmware_birth_day":         "1",
		"melonds_start_time_absolute_year":   "2099",
		"melonds_start_time_absolute_month":  "12",
		"melonds_start_time_absolute_day":    "31",
		"melonds_start_time_absolute_hour":   "23",
		"melonds_start_time_absolute_minute": "59",
	} {
		if got := valueOf(opts, key); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
}
