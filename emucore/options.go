package emucore

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
)

// maxRTC is the last second a DS clock can show: its year has two digits.
const maxRTC = ds.MaxRTC

// clockAtFirst returns the time on the console's clock at its first frame, in seconds since 1970.
func (c *Config) clockAtFirst() int64 {
	return c.RTC + int64(ds.FrameTime(c.Frame)/time.Second)
}

// ConsoleOptions returns all core options of one console, sorted by key: the
// pins, the room's choices (cfg.Options; a choice not made has its first
// value), the console's own options (from cfg.Firmware and cfg.RTC), and
// cfg.TestOptions, which override all. It returns an error that names a choice that
// the profile does not have or a firmware setting that is out of range: cfg may come
// from a stranger.
func (p *Profile) ConsoleOptions(cfg Config) ([]ds.Option, error) {
	if err := cfg.Firmware.Check(); err != nil {
		return nil, err
	}
	if cfg.Frame < 0 || cfg.Frame > ds.MaxFrame {
		return nil, fmt.Errorf("first frame %d: not in 0 to %d", cfg.Frame, int64(ds.MaxFrame))
	}
	if clock := cfg.clockAtFirst(); cfg.RTC < 0 || clock > maxRTC {
		return nil, fmt.Errorf("clock at start %d: not in 0 to %d (the end of 2099)", clock, int64(maxRTC))
	}
	if err := p.Reads(cfg.ROM); err != nil {
		return nil, err
	}
	if err := p.TakesCheats(cfg.Cheats); err != nil {
		return nil, err
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

// Reads returns an error if the core cannot play a game, as far as the game's file tells; nil for an unknown game.
func (p *Profile) Reads(r *ROM) error {
	if r != nil && r.Encrypted && p.NeedsDecrypted {
		return fmt.Errorf("%s has its secure area encrypted, which %s cannot read: dump it decrypted, or play on a core that can (DeSmuME)", filepath.Base(r.Path), p.Library)
	}
	return nil
}

// chosen checks a room's choices and fills in those not made.
func (p *Profile) chosen(room []ds.Option) ([]ds.Option, error) {
	var opts []ds.Option
	for _, c := range p.Free {
		v := c.chosen(room)
		if !slices.Contains(c.Values, v) {
			return nil, fmt.Errorf("core option %s: %q is not one of %s", c.Key, v, strings.Join(c.Values, ", "))
		}
		opts = append(opts, ds.Option{Key: c.Key, Value: v})
	}
	for _, o := range room {
		if !slices.ContainsFunc(p.Free, func(c Choice) bool { return c.Key == o.Key }) {
			return nil, fmt.Errorf("core option %q is not a room's to choose; those are: %s", o.Key, p.freeKeys())
		}
	}
	return opts, nil
}

// chosen returns the room's choice, or else the default.
func (c *Choice) chosen(room []ds.Option) string {
	for _, o := range room {
		if o.Key == c.Key {
			return o.Value
		}
	}
	return c.Values[0]
}

// freeKeys lists the options that a room may choose, for messages.
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

// withTestOptions adds extra to opts, replacing equal keys, and sorts the result.
func withTestOptions(opts []ds.Option, extra map[string]string) []ds.Option {
	opts = slices.DeleteFunc(opts, func(o ds.Option) bool {
		_, replaced := extra[o.Key]
		return replaced
	})
	for k, v := range extra {
		opts = append(opts, ds.Option{Key: k, Value: v})
	}
	slices.SortFunc(opts, func(a, b ds.Option) int { return strings.Compare(a.Key, b.Key) })
	return opts
}
