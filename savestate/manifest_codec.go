package savestate

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/nettplay/nettplay/internal/ds"
)

// A manifest in bytes, version 1. Numbers are big-endian, "text" is a length of
// one byte and that many bytes.
//
//	"NPM" version:1
//	seat:1 rom:32 core:32 rtc:8 frame:8
//	nickname:text mac:6 language:1 colour:1 birth month:1 birth day:1
//	count:1, at most 64, then for each option
//	    key:text value:text
//	count:1, at most 3, then for each part
//	    kind:1 size:4 sha256:32 packed size:4 packed sha256:32
//
// Each manifest has exactly one encoding: options and parts are in order, and
// nothing follows.

const (
	manifestMagic   = "NPM"
	manifestVersion = 1
)

// Append appends the encoding of m to b and returns the longer slice. A manifest
// that [Manifest.Validate] refuses becomes one that [DecodeManifest] refuses.
func (m *Manifest) Append(b []byte) []byte {
	b = append(b, manifestMagic...)
	if m.Validate() != nil {
		return append(b, 0)
	}
	b = append(b, manifestVersion, byte(m.Seat))
	b = append(b, m.ROM[:]...)
	b = append(b, m.Core[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(m.RTC))
	b = binary.BigEndian.AppendUint64(b, uint64(m.Frame))
	f := m.Firmware
	b = appendText(b, f.Nickname)
	b = append(b, f.MAC[:]...)
	b = append(b, f.Language, f.Colour, f.BirthMonth, f.BirthDay)
	b = append(b, byte(len(m.Options)))
	for _, o := range m.Options {
		b = appendText(appendText(b, o.Key), o.Value)
	}
	b = append(b, byte(len(m.Parts)))
	for _, p := range m.Parts {
		b = appendPart(b, p)
	}
	return b
}

func appendText(b []byte, s string) []byte { return append(append(b, byte(len(s))), s...) }

func appendPart(b []byte, p Part) []byte {
	b = append(b, byte(p.Kind))
	b = binary.BigEndian.AppendUint32(b, uint32(p.Size))
	b = append(b, p.SHA256[:]...)
	b = binary.BigEndian.AppendUint32(b, uint32(p.PackedSize))
	return append(b, p.PackedSHA256[:]...)
}

// DecodeManifest reads a manifest, which must fill b. It may come from anybody;
// an error names the field.
func DecodeManifest(b []byte) (Manifest, error) {
	m, err := decodeManifest(b)
	if err != nil {
		return Manifest{}, fmt.Errorf("manifest: %w", err)
	}
	return m, nil
}

func decodeManifest(b []byte) (Manifest, error) {
	if len(b) > MaxManifestSize {
		return Manifest{}, fmt.Errorf("%d bytes, at most %d", len(b), MaxManifestSize)
	}
	r := reader{b: b}
	if string(r.bytes("magic", len(manifestMagic))) != manifestMagic {
		return Manifest{}, errors.New("magic: this is no manifest")
	}
	if v := r.u8("version"); r.err == nil && v != manifestVersion {
		return Manifest{}, fmt.Errorf("version: %d, and only %d is known", v, manifestVersion)
	}
	m := readManifest(&r)
	if err := r.end(); err != nil {
		return Manifest{}, err
	}
	return m, m.validate()
}

func readManifest(r *reader) (m Manifest) {
	m.Seat = ds.Seat(r.u8("seat"))
	r.fill("ROM", m.ROM[:])
	r.fill("core", m.Core[:])
	m.RTC = int64(r.u64("clock"))
	m.Frame = int64(r.u64("frame"))
	f := &m.Firmware
	f.Nickname = r.text("nickname")
	r.fill("MAC", f.MAC[:])
	f.Language, f.Colour = r.u8("language"), r.u8("colour")
	f.BirthMonth, f.BirthDay = r.u8("birth month"), r.u8("birth day")
	for range r.count("options", MaxOptions) {
		m.Options = append(m.Options, Option{Key: r.text("option key"), Value: r.text("option value")})
	}
	for range r.count("parts", 3) {
		m.Parts = append(m.Parts, readPart(r))
	}
	return m
}

func readPart(r *reader) (p Part) {
	p.Kind = Kind(r.u8("part kind"))
	p.Size = int64(r.u32("part size"))
	r.fill("part hash", p.SHA256[:])
	p.PackedSize = int64(r.u32("packed size"))
	r.fill("packed hash", p.PackedSHA256[:])
	return p
}
