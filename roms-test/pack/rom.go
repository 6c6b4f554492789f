package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	dsbanner "github.com/nettplay/nettplay/emucore/banner"
)

// rom is the content of a cartridge image.
type rom struct {
	title      string // at most 12 bytes of ASCII
	code       string // exactly 4; "####" is what homebrew uses
	save       bool   // look like a cartridge with save memory, see layout
	arm9, arm7 program
	banner     []byte
}

// program is one processor's: it is loaded at load and entered at entry.
type program struct {
	load, entry uint32
	data        []byte
}

// The header's fields, by GBATEK, "DS Cartridge Header". Numbers are little
// endian.
//
//	0x000 title      12 ASCII      0x040 names, files  zero: no file system
//	0x00C game code   4 ASCII      0x060 bus timing    as on cartridges
//	0x010 maker       2 ASCII      0x068 banner offset
//	0x014 capacity    128 KB << n  0x080 used size, header size
//	0x020 ARM9 offset, entry,      0x0C0 logo          blank
//	      address, size            0x15C CRC of 0xC0-0x15B
//	0x030 ARM7 likewise            0x15E CRC of 0x00-0x15D
const (
	headerSize   = 0x200
	sizeInHeader = 0x4000 // what the header says of itself, as on cartridges
	logoAt       = 0xC0
	logoCRCAt    = 0x15C
	headerCRCAt  = 0x15E
	maxROM       = 4 << 20 // plenty for a test; a larger one is a mistake
	fileAlign    = 0x200
	maker        = "NP"
	normalTiming = 0x00586000
	keyTiming    = 0x001808F8
	secureDelay  = 0x051E
)

// Emulators give no save memory to what looks like homebrew: a game code of "####"
// or an ARM9 program that begins below 0x4000. So a ROM with save memory
//
//   - has the ARM9 program at 0x8000, behind the place of the secure area,
//   - begins that area with the words that a decrypted one begins with (DeSmuME
//     refuses what it takes for an encrypted one),
//   - and carries the CRC of the logo of licensed cartridges, without the logo:
//     melonDS DS looks at that field to tell a cartridge.
//
// Both emulators then assume, or find out by what the program sends, an EEPROM
// of 8 KB.
const (
	secureAt        = 0x4000
	behindSecure    = 0x8000
	decryptedWord   = 0xE7FFDEFF
	licensedLogoCRC = 0xCF56
)

// image lays the cartridge out and returns its bytes.
func (r *rom) image() ([]byte, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	b := make([]byte, headerSize)
	if r.save {
		b = make([]byte, behindSecure)
		_, _ = binary.Encode(b[secureAt:], binary.LittleEndian, []uint32{decryptedWord, decryptedWord})
	}
	arm9At, b := place(b, r.arm9.data)
	arm7At, b := place(b, r.arm7.data)
	bannerAt, b := place(b, r.banner)
	b = pad(b)
	if len(b) > maxROM {
		return nil, fmt.Errorf("the ROM has %d bytes, more than %d", len(b), maxROM)
	}
	r.header(b[:headerSize], len(b), arm9At, arm7At, bannerAt)
	return b, nil
}

func (r *rom) check() error {
	switch {
	case len(r.title) > 12 || !printable(r.title):
		return fmt.Errorf("title %q: not at most 12 printable ASCII characters", r.title)
	case len(r.code) != 4 || !printable(r.code):
		return fmt.Errorf("game code %q: not 4 printable ASCII characters", r.code)
	case r.save && r.code == "####":
		return errors.New(`game code "####": emulators give it no save memory`)
	case len(r.arm9.data) == 0 || len(r.arm7.data) == 0:
		return errors.New("a processor has no program")
	}
	return nil
}

func printable(s string) bool {
	return !slices.ContainsFunc([]byte(s), func(c byte) bool { return c < ' ' || c > '~' })
}

// place appends data at the next boundary and says where.
func place(b, data []byte) (uint32, []byte) {
	b = pad(b)
	return uint32(len(b)), append(b, data...)
}

func pad(b []byte) []byte {
	for len(b)%fileAlign != 0 {
		b = append(b, 0xFF)
	}
	return b
}

func (r *rom) header(h []byte, size int, arm9At, arm7At, bannerAt uint32) {
	copy(h[0x00:0x0C], r.title)
	copy(h[0x0C:0x10], r.code)
	copy(h[0x10:0x12], maker)
	for 128<<10<<h[0x14] < size {
		h[0x14]++
	}
	put := func(at int, v uint32) { binary.LittleEndian.PutUint32(h[at:], v) }
	r.arm9.describe(h[0x20:], arm9At)
	r.arm7.describe(h[0x30:], arm7At)
	put(0x60, normalTiming)
	put(0x64, keyTiming)
	put(0x68, bannerAt)
	binary.LittleEndian.PutUint16(h[0x6E:], secureDelay)
	put(0x80, uint32(size))
	put(0x84, sizeInHeader)

	logoCRC := dsbanner.CRC16(h[logoAt:logoCRCAt])
	if r.save {
		logoCRC = licensedLogoCRC
	}
	binary.LittleEndian.PutUint16(h[logoCRCAt:], logoCRC)
	binary.LittleEndian.PutUint16(h[headerCRCAt:], dsbanner.CRC16(h[:headerCRCAt]))
}

func (p *program) describe(h []byte, at uint32) {
	_, _ = binary.Encode(h, binary.LittleEndian, []uint32{at, p.entry, p.load, uint32(len(p.data))})
}
