package romstest

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// The place of the flag word in a ROM (src/common/start9.S). It is not in the
// header, so no checksum covers it.
//
//	0x20 of the header   where the ARM9 program begins
//	0x20 of the program  "NPTF"
//	0x24 of the program  the flag word, bit 0: broken, bit 1: quiet
const (
	programAt  = 0x20
	magicAt    = 0x20
	flagsAt    = 0x24
	flagBroken = 1
	flagQuiet  = 2
	flagMagic  = "NPTF"
)

// BrokenFrom is the frame, by the program's own count, from which a broken program
// fails. Before that it does the same as a sound one.
const BrokenFrom = 60

// ErrNotTestROM is the error of [Broken] and [Quiet] for bytes that are none of this package's
// programs.
var ErrNotTestROM = errors.New("not one of nettplay's test ROMs")

// Broken returns a copy of one of this package's programs that fails on purpose,
// from its frame [BrokenFrom] on, in every way that something should notice:
//
//   - its hash is wrong, so that it differs from a sound console's, and its second
//     processor disagrees: "check BAD";
//   - its barcode shows another number than its text;
//   - [Save] writes something else into the EEPROM than it means to: "write BAD",
//     and "log BAD" when it is started the next time;
//   - [Broadcast] leaves out a word now and then, which others count as lost;
//   - [Multiplay] plays another game than the others, who say "BAD" of it, and as a
//     client leaves a CMD without an answer now and then: a lost round.
func Broken(rom []byte) ([]byte, error) {
	return flagged(rom, flagBroken)
}

// Quiet returns a copy of [Broadcast] that listens as ever and says nothing itself
// after its first three frames: a console whose radio is on while nobody plays. The other programs of this package
// take no notice of it.
func Quiet(rom []byte) ([]byte, error) {
	return flagged(rom, flagQuiet)
}

func flagged(rom []byte, flag byte) ([]byte, error) {
	if len(rom) < programAt+4 {
		return nil, ErrNotTestROM
	}
	at := int64(binary.LittleEndian.Uint32(rom[programAt:]))
	if int64(len(rom)) < at+flagsAt+4 || !bytes.HasPrefix(rom[at+magicAt:], []byte(flagMagic)) {
		return nil, ErrNotTestROM
	}
	b := bytes.Clone(rom)
	b[at+flagsAt] |= flag
	return b, nil
}
