package savestate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// Limits of a manifest.
const (
	MaxOptions      = 64  // choices of a room
	MaxOptionText   = 255 // bytes of an option's key, and of its value
	MaxManifestSize = 48 << 10
)

// Option is a core option that a room chose.
type Option = ds.Option

// A Manifest describes what one seat's console is built from. Any machine that has
// everything it names builds the same console.
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

// Part returns the part of a kind and whether there is one.
func (m *Manifest) Part(k Kind) (Part, bool) {
	for _, p := range m.Parts {
		if p.Kind == k {
			return p, true
		}
	}
	return Part{}, false
}

// named reports whether a manifest names a part.
func named(p Part, offers map[ds.Seat]Manifest) bool {
	for _, m := range offers {
		if slices.Contains(m.Parts, p) {
			return true
		}
	}
	return false
}

// Validate returns an error that names an invalid field; else nil. Manifests
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

// A manifest in bytes, version 1. Numbers are big-endian, "text" is a length of
// one byte and that many bytes.
//
//	"NPM" version:1
//	seat:1 rom:32 core:32 rtc:8 frame:8
//	nickname:text mac:6 language:1 colour:1 birth month:1 birth day:1
//	count:1, at most 64, then for each option
//	    key:text value:text
//	count:1, at most 4, then for each part
//	    kind:1 size:4 sha256:32 packed size:4 packed sha256:32
//
// Each manifest has exactly one encoding: options and parts are in order, and
// nothing follows. Manifest.code lists the fields once, for both directions.

const (
	manifestMagic   = "NPM"
	manifestVersion = 1
)

// Append appends the encoding of m to b and returns the longer slice. A manifest
// that [Manifest.Validate] refuses becomes one that [DecodeManifest] refuses.
func (m *Manifest) Append(b []byte) []byte {
	c := wire.Writer(b)
	if m.code(c); c.Err() != nil {
		return append(b, manifestMagic+"\x00"...)
	}
	return c.Bytes()
}

// DecodeManifest reads a manifest, which must fill b. It may come from anybody;
// an error names the field.
func DecodeManifest(b []byte) (Manifest, error) {
	var m Manifest
	c := wire.Reader(b)
	m.code(c)
	if err := c.End(); err != nil {
		return Manifest{}, fmt.Errorf("manifest: %w", err)
	}
	return m, nil
}

// code writes or reads a manifest, which fills the rest of a message. It refuses what
// cannot be.
func (m *Manifest) code(c *wire.Coder) {
	if n := len(c.Bytes()); c.Reading() && n > MaxManifestSize {
		c.Set(fmt.Errorf("%d bytes, at most %d", n, MaxManifestSize))
	}
	magic, version := [len(manifestMagic)]byte([]byte(manifestMagic)), manifestVersion
	if c.Fixed("magic", magic[:]); string(magic[:]) != manifestMagic {
		c.Fail("magic", "this is no manifest")
	}
	if wire.Big(c, "version", &version, 1); version != manifestVersion {
		c.Fail("version", "%d, and only %d is known", version, manifestVersion)
	}
	wire.Big(c, "seat", &m.Seat, 1)
	c.Fixed("ROM", m.ROM[:])
	c.Fixed("core", m.Core[:])
	wire.Big(c, "clock", &m.RTC, 8)
	wire.Big(c, "frame", &m.Frame, 8)
	f := &m.Firmware
	c.ShortText("nickname", &f.Nickname)
	c.Fixed("MAC", f.MAC[:])
	wire.Big(c, "language", &f.Language, 1)
	wire.Big(c, "colour", &f.Colour, 1)
	wire.Big(c, "birth month", &f.BirthMonth, 1)
	wire.Big(c, "birth day", &f.BirthDay, 1)
	// A count below 128 is one byte, as version 1 has it.
	wire.List(c, "options", &m.Options, MaxOptions, codeOption)
	wire.List(c, "parts", &m.Parts, 4, codePart)
	if c.Err() == nil {
		c.Set(m.validate())
	}
}

func codeOption(c *wire.Coder, o *Option) {
	c.ShortText("option key", &o.Key)
	c.ShortText("option value", &o.Value)
}

func codePart(c *wire.Coder, p *Part) {
	wire.Big(c, "part kind", &p.Kind, 1)
	wire.Big(c, "part size", &p.Size, 4)
	c.Fixed("part hash", p.SHA256[:])
	wire.Big(c, "packed size", &p.PackedSize, 4)
	c.Fixed("packed hash", p.PackedSHA256[:])
}
