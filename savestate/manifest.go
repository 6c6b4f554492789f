package savestate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/internal/ds"
)

// Limits of a manifest.
const (
	MaxOptions      = 64  // choices of a room
	MaxOptionText   = 255 // bytes of an option's key, and of its value
	MaxManifestSize = 48 << 10
)

// Option is a core option that a room chose.
type Option = ds.Option

// A Manifest says what one seat's console is made from. A machine that has
// everything it names builds the same console from it.
type Manifest struct {
	Seat     ds.Seat  // from 0; errors count from 1, as players do
	ROM      [32]byte // SHA-256 of the ROM
	Core     [32]byte // SHA-256 of the core
	RTC      int64    // the clock at frame 0, as in emucore.Config
	Frame    int64    // the console's next one: that of the state, or at which it is switched on
	Firmware ds.Firmware
	Options  []Option // the room's choices, in rising order of keys
	Parts    []Part   // in rising order of kinds, at most one of each. No state: a cold boot. No save: a blank cartridge
}

// Part returns the part of a kind, and whether there is one.
func (m *Manifest) Part(k Kind) (Part, bool) {
	for _, p := range m.Parts {
		if p.Kind == k {
			return p, true
		}
	}
	return Part{}, false
}

// seatsOf are the seats whose manifests name a part, in rising order.
func seatsOf(p Part, offers ...map[ds.Seat]Manifest) (seats []ds.Seat) {
	for seat := range ds.Seats {
		if slices.ContainsFunc(offers, func(o map[ds.Seat]Manifest) bool { return slices.Contains(o[seat].Parts, p) }) {
			seats = append(seats, seat)
		}
	}
	return seats
}

// Validate says what about a manifest cannot be, naming the field. Manifests
// from package emustate and [DecodeManifest] are valid.
func (m *Manifest) Validate() error {
	if err := m.validate(); err != nil {
		return fmt.Errorf("manifest: %w", err)
	}
	return nil
}

func (m *Manifest) validate() error {
	switch {
	case m.Seat < 0 || m.Seat >= ds.MaxSeats:
		return fmt.Errorf("seat: %v is not in 1 to %d", m.Seat, ds.MaxSeats)
	case m.Frame < 0 || m.Frame > ds.MaxFrame:
		return fmt.Errorf("frame: %d is not in 0 to %d", m.Frame, int64(ds.MaxFrame))
	case m.RTC < 0 || m.RTC > ds.MaxRTC:
		return fmt.Errorf("clock at start %d: not in 0 to %d (the end of 2099)", m.RTC, int64(ds.MaxRTC))
	}
	if err := m.Firmware.Check(); err != nil {
		return err
	}
	if err := checkOptions(m.Options); err != nil {
		return err
	}
	return checkParts(m.Parts)
}

func checkOptions(options []Option) error {
	if len(options) > MaxOptions {
		return fmt.Errorf("options: %d of them, at most %d", len(options), MaxOptions)
	}
	for i, o := range options {
		switch {
		case o.Key == "" || len(o.Key) > MaxOptionText:
			return fmt.Errorf("option %d: a key of %d bytes, not of 1 to %d", i, len(o.Key), MaxOptionText)
		case len(o.Value) > MaxOptionText:
			return fmt.Errorf("option %q: a value of %d bytes, at most %d", o.Key, len(o.Value), MaxOptionText)
		case strings.ContainsRune(o.Key+o.Value, 0):
			return fmt.Errorf("option %q: contains a zero byte", o.Key)
		case i > 0 && o.Key <= options[i-1].Key:
			return fmt.Errorf("option %q: after %q, out of order", o.Key, options[i-1].Key)
		}
	}
	return nil
}

func checkParts(parts []Part) error {
	for i, p := range parts {
		if i > 0 && p.Kind <= parts[i-1].Kind {
			return errors.New("parts: out of order, or two of a kind")
		}
		if err := p.check(); err != nil {
			return fmt.Errorf("part %d: %w", i, err)
		}
	}
	return nil
}
