package emucore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/nettplay/nettplay/emucore/banner"
)

// The smallest and the largest file that can be a DS ROM: a header alone is 512
// bytes, the largest cartridge 512 MiB.
const (
	MinROMSize = 512
	MaxROMSize = 512 << 20
)

// The header of a DS ROM (GBATEK, "DS Cartridge Header"), little-endian:
//
//	000  12 bytes title, 4 game code, 2 maker code, u8 unit code (3: DSi only)
//	020  ARM9: u32 ROM offset, u32 entry, u32 RAM address, u32 size
//	030  ARM7: the same
//	01e  u8 revision of the game
//	068  u32 offset of the banner, 0 for none
//	0c0  156 bytes logo
//	15c  u16 CRC of the logo
//	15e  u16 CRC of 000..15d
const (
	headerCRCAt = 0x15e
	logoAt      = 0xc0
	logoCRCAt   = 0x15c
	logoCRC     = 0xcf56 // of the logo that all licensed games carry

	unitDSiOnly = 3
)

// header holds the fields used of a ROM's header.
type header struct {
	title, code string
	revision    uint8
	patched     bool
	secure      int64 // offset of the secure area, 0: there is none
	banner      int64
}

// The secure area is the ARM9 program's first part, where that begins within its bounds. Cartridges have it
// encrypted, as a whole; who dumps it decrypted marks that by its first word. Homebrew has none, whatever lies there.
const (
	secureFrom = 0x4000
	secureTo   = 0x8000
	decrypted  = 0xe7ffdeff
	homebrew   = "####" // the code of games that were never sold
)

// secureArea is the offset of the secure area, 0 for none.
func secureArea(b []byte) int64 {
	at := int64(binary.LittleEndian.Uint32(b[0x20:]))
	if at < secureFrom || at >= secureTo || string(b[12:16]) == homebrew || b[12] == 0 {
		return 0
	}
	return at
}

// isEncrypted reads whether a ROM's secure area is as cartridges have it.
func isEncrypted(f io.ReaderAt, at int64) bool {
	var first [8]byte
	if at == 0 {
		return false
	}
	if _, err := f.ReadAt(first[:], at); err != nil {
		return false
	}
	return binary.LittleEndian.Uint32(first[:]) != decrypted && first != [8]byte{}
}

// parseHeader checks the first bytes of a file of size bytes. Everything that a core
// would play passes: a homebrew header without logo, any RAM addresses, the encrypted
// or decrypted secure area of a game, a ROM cut after its last used byte.
func parseHeader(b []byte, size int64) (header, error) {
	if err := checkKind(b, size); err != nil {
		return header{}, err
	}
	if b[0x12] == unitDSiOnly {
		return header{}, errors.New("a game for the DSi only (unit code 3): a DS cannot run it")
	}
	for _, cpu := range []struct {
		name string
		at   int
	}{{"ARM9", 0x20}, {"ARM7", 0x30}} {
		if err := checkProgram(cpu.name, b[cpu.at:cpu.at+16], size); err != nil {
			return header{}, err
		}
	}
	return header{
		title:    headerText(b[:12]),
		code:     headerText(b[12:16]),
		revision: b[0x1e],
		patched:  binary.LittleEndian.Uint16(b[headerCRCAt:]) != banner.CRC16(b[:headerCRCAt]),
		secure:   secureArea(b),
		banner:   int64(binary.LittleEndian.Uint32(b[0x68:])),
	}, nil
}

// checkKind tells DS ROMs from other files, by the header's CRC. No core looks
// at it, so a changed game (a translation, say) may have a wrong one and still
// play: with the logo of licensed games in its place it passes.
func checkKind(b []byte, size int64) error {
	var want, got uint16
	if len(b) >= MinROMSize {
		want, got = binary.LittleEndian.Uint16(b[headerCRCAt:]), banner.CRC16(b[:headerCRCAt])
	}
	known := len(b) >= MinROMSize && (want == got || banner.CRC16(b[logoAt:logoCRCAt]) == logoCRC)
	switch kind := otherKind(b); {
	case size == 0:
		return errors.New("not a DS ROM: the file is empty")
	case !known && kind != "":
		return errors.New("not a DS ROM: " + kind)
	case len(b) < MinROMSize:
		return fmt.Errorf("not a DS ROM: %d bytes are too few, a header alone has %d", size, MinROMSize)
	case size > MaxROMSize:
		return fmt.Errorf("not a DS ROM: %d bytes are too many, the largest has %d", size, MaxROMSize)
	case !known:
		return fmt.Errorf("not a DS ROM: its header's checksum does not fit (%04x, not %04x): a damaged file, or none of a DS game", want, got)
	}
	return nil
}

// checkProgram checks that a CPU's program lies within the file.
func checkProgram(cpu string, b []byte, size int64) error {
	off, n := int64(binary.LittleEndian.Uint32(b)), int64(binary.LittleEndian.Uint32(b[12:]))
	switch {
	case n == 0:
		return fmt.Errorf("not a DS ROM: the %s program is empty", cpu)
	case off < headerCRCAt+2:
		return fmt.Errorf("not a DS ROM: the %s program begins at %#x, within the header", cpu, off)
	case off+n > size:
		return fmt.Errorf("damaged DS ROM: the %s program ends at byte %d, the file at %d: it was cut off", cpu, off+n, size)
	}
	return nil
}

// headerText takes ASCII up to the first NUL; what is not printable becomes "?".
func headerText(b []byte) string {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	s := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, string(bytes.ToValidUTF8(b, []byte("?"))))
	return strings.TrimSpace(s)
}

// otherKinds are files that people try instead, told by their first bytes.
var otherKinds = []struct {
	at    int
	magic string
	what  string
}{
	{0, "PK\x03\x04", "it is a zip archive: unpack it"}, // in another archive
	{0, "7z\xbc\xaf\x27\x1c", "it is a 7z archive: unpack it"},
	{0, "Rar!\x1a\x07", "it is a rar archive: unpack it and take the .nds file in it"},
	{0, "\x1f\x8b", "it is compressed with gzip: unpack it first"},
	{0, "\xfd7zXZ\x00", "it is compressed with xz: unpack it first"},
	{0, "\x28\xb5\x2f\xfd", "it is compressed with zstd: unpack it first"},
	{0, "\x7fELF", "it is a program or a core, not a game"},
	{0, "<!DOCTYPE", "it is a web page: the download did not give the file"},
	{0, "<html", "it is a web page: the download did not give the file"},
	{0, "NES\x1a", "it is a game for the NES"},
	{0, "3DSX", "it is a program for the 3DS"},
	{0x100, "NCSD", "it is a game for the 3DS"},
	{0x100, "NCCH", "it is a game for the 3DS"},
	{0, "\x20\x20\x00\x00\x00\x00", "it is an install file (.cia) for the 3DS"},
}

// otherKind says what else a file is, or "".
func otherKind(b []byte) string {
	for _, k := range otherKinds {
		if k.at <= len(b) && bytes.HasPrefix(b[k.at:], []byte(k.magic)) {
			return k.what
		}
	}
	if isGBA(b) {
		return "it is a game for the Game Boy Advance"
	}
	return ""
}

// isGBA knows a GBA header by its fixed byte b2 and its checksum of a0..bc at bd
// (GBATEK, "GBA Cartridge Header").
func isGBA(b []byte) bool {
	if len(b) < 0xc0 || b[0xb2] != 0x96 {
		return false
	}
	sum := byte(0x19)
	for _, c := range b[0xa0:0xbd] {
		sum += c
	}
	return -sum == b[0xbd]
}
