package savestate

import (
	"fmt"

	"github.com/nettplay/nettplay/internal/wire"
)

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
