package emucore

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxNickname is the longest nickname a DS firmware holds, in UTF-16 units.
const MaxNickname = 10

// maxRTC is the last second a DS clock can show: its year has two digits.
var maxRTC = time.Date(2099, time.December, 31, 23, 59, 59, 0, time.UTC).Unix()

// maxFrame is the last first frame: 580 years, and times up to it fit in 64 bits.
const maxFrame = 1 << 40

// clockAtFirst is what the console's clock shows at its first frame.
func (c *Config) clockAtFirst() int64 {
	return c.RTC + c.Frame*cyclesPerFrame/cyclesPerSecond
}

// ConsoleOptions returns all core options of one console, sorted by key: the
// pins, the room's choices (cfg.Options, where a choice not made is its first
// value), those that are the console's own (cfg.Firmware, cfg.RTC), and
// cfg.TestOptions over all. It fails when a choice is not among those of the
// profile or a firmware setting is out of range, and names it; cfg may come
// from a stranger.
func (p *Profile) ConsoleOptions(cfg Config) ([]Option, error) {
	if err := checkFirmware(cfg.Firmware); err != nil {
		return nil, err
	}
	if cfg.Frame < 0 || cfg.Frame > maxFrame {
		return nil, fmt.Errorf("first frame %d: not in 0 to %d", cfg.Frame, int64(maxFrame))
	}
	if clock := cfg.clockAtFirst(); cfg.RTC < 0 || clock > maxRTC {
		return nil, fmt.Errorf("clock at start %d: not in 0 to %d (the end of 2099)", clock, maxRTC)
	}
	chosen, err := p.chosen(cfg.Options)
	if err != nil {
		return nil, err
	}
	opts := append(slices.Clone(p.Pins), chosen...)
	if p.seat != nil {
		own, err := p.seat(cfg)
		if err != nil {
			return nil, err
		}
		opts = append(opts, own...)
	}
	return withTestOptions(opts, cfg.TestOptions), nil
}

// chosen checks a room's choices and fills in those not made.
func (p *Profile) chosen(room map[string]string) ([]Option, error) {
	var opts []Option
	for _, c := range p.Free {
		v, ok := room[c.Key]
		if !ok {
			v = c.Values[0]
		}
		if !slices.Contains(c.Values, v) {
			return nil, fmt.Errorf("core option %s: %q is not one of %s", c.Key, v, strings.Join(c.Values, ", "))
		}
		opts = append(opts, Option{c.Key, v})
	}
	if len(room) == 0 {
		return opts, nil
	}
	var unknown []string
	for k := range room {
		if !slices.ContainsFunc(p.Free, func(c Choice) bool { return c.Key == k }) {
			unknown = append(unknown, k)
		}
	}
	if len(unknown) > 0 {
		slices.Sort(unknown)
		return nil, fmt.Errorf("core option %q is not a room's to choose; those are: %s", unknown[0], p.freeKeys())
	}
	return opts, nil
}

// freeKeys lists what a room may choose, for messages.
func (p *Profile) freeKeys() string {
	if len(p.Free) == 0 {
		return "none with this core"
	}
	var keys []string
	for _, c := range p.Free {
		keys = append(keys, c.Key)
	}
	return strings.Join(keys, ", ")
}

// withTestOptions adds extra to opts, where equal keys are replaced, and sorts.
func withTestOptions(opts []Option, extra map[string]string) []Option {
	opts = slices.DeleteFunc(opts, func(o Option) bool {
		_, replaced := extra[o.Key]
		return replaced
	})
	for k, v := range extra {
		opts = append(opts, Option{k, v})
	}
	slices.SortFunc(opts, func(a, b Option) int { return strings.Compare(a.Key, b.Key) })
	return opts
}

// checkFirmware checks what every core needs. A zero birthday or MAC is the
// core's own.
func checkFirmware(f Firmware) error {
	if err := checkNickname(f.Nickname); err != nil {
		return err
	}
	switch {
	case f.Language > 5:
		return fmt.Errorf("firmware language %d: not in 0 to 5", f.Language)
	case f.Colour > 15:
		return fmt.Errorf("firmware colour %d: not in 0 to 15", f.Colour)
	case f.MAC[0]&3 != 0:
		// melonDS DS clears these two bits, and the console would not have the
		// address everybody thinks it has.
		return fmt.Errorf("firmware MAC % x: the two low bits of the first byte must be zero", f.MAC)
	}
	return checkBirthday(int(f.BirthMonth), int(f.BirthDay))
}

// checkNickname checks length and contents; an empty nickname is the core's own.
func checkNickname(s string) error {
	if !utf8.ValidString(s) {
		return errors.New("firmware nickname: not valid UTF-8")
	}
	if n := len(utf16.Encode([]rune(s))); n > MaxNickname {
		return fmt.Errorf("firmware nickname: %d characters, at most %d fit", n, MaxNickname)
	}
	if i := strings.IndexFunc(s, unicode.IsControl); i >= 0 {
		return fmt.Errorf("firmware nickname: control character at byte %d", i)
	}
	return nil
}

// checkBirthday accepts a day of any year, and 0, 0.
func checkBirthday(month, day int) error {
	if month == 0 && day == 0 {
		return nil
	}
	const leapYear = 2000
	t := time.Date(leapYear, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if int(t.Month()) != month || t.Day() != day {
		return fmt.Errorf("firmware birthday: no day %d in month %d", day, month)
	}
	return nil
}
