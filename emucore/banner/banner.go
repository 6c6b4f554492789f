// Package banner reads what the menu of a DS shows of a game: titles and an icon, of a ROM's file.
// The file may be anybody's. Read package emucore next: its ROMs have banners.
package banner

import (
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
)

// A banner (GBATEK, "DS Cartridge Icon/Title"), little-endian:
//
//	000  u16 version: 1, 2 (with Chinese), 3 (with Korean), 0103h (DSi)
//	002  CRCs
//	020  icon: 32x32 pixels in 4x4 tiles of 8x8, 4 bits each, low half first
//	220  16 colours, 5 bits each of red, green, blue from the low end; 0 is clear
//	240  titles, 256 bytes UTF-16 each: ja, en, fr, de, it, es, zh, ko
const (
	iconAt    = 0x20
	paletteAt = 0x220
	titlesAt  = 0x240
	titleSize = 0x100 // bytes of one title
	wholeSize = Size

	iconSide = 32
	tileSide = 8
)

// Size is how much of a banner is looked at, in bytes: what all versions have.
const Size = titlesAt + 6*titleSize

// A Banner is a game's entry in the menu of a DS.
type Banner struct {
	// Titles are one to three lines each, by Firmware.Language: Japanese, English,
	// French, German, Italian, Spanish. Text of a file: printable, not trusted.
	Titles [6]string
	// Icon has 32x32 pixels; colour 0 of its palette is transparent.
	Icon *image.Paletted
}

// Title is the English title, or else the Japanese one, in one line; "" if neither is one.
func (b *Banner) Title() string { return strings.Join(strings.Fields(b.Lines()), " ") }

// Lines is the English title, or else the Japanese one; "" if neither is one.
func (b *Banner) Lines() string {
	for _, t := range []string{b.Titles[1], b.Titles[0]} {
		if !Wordless(t) {
			return t
		}
	}
	return ""
}

// Names are what players call the game, the first line of its title, and the rest: a part of a series, a subtitle, the
// maker. A line that ends in a colon does not stand alone. Both are "" if the title names nothing.
func (b *Banner) Names() (title, more string) {
	var lines []string
	for line := range strings.SplitSeq(b.Lines(), "\n") {
		if line = strings.Join(strings.Fields(line), " "); !Wordless(line) {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return "", ""
	}
	title, lines = lines[0], lines[1:]
	if strings.HasSuffix(title, ":") && len(lines) > 0 {
		title, lines = title+" "+lines[0], lines[1:]
	}
	return title, strings.Join(lines, ", ")
}

// Wordless reports whether a title names nothing, such as "" or ".", as tools write it that make
// ROMs.
func Wordless(title string) bool {
	return !strings.ContainsFunc(title, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// Read reads the banner at offset at of a file of size bytes; 0 is for none. Errors say what is wrong.
func Read(f io.ReaderAt, at, size int64) (*Banner, error) {
	if at == 0 {
		return nil, errors.New("the ROM has no banner")
	}
	if at < 0 || at+wholeSize > size {
		return nil, fmt.Errorf("the banner at %#x is not within the file's %d bytes", at, size)
	}
	b := make([]byte, wholeSize)
	if _, err := f.ReadAt(b, at); err != nil {
		return nil, fmt.Errorf("reading the banner: %w", err)
	}
	return Parse(b)
}

// Parse takes the part of a banner that all versions have. Its CRC is not
// checked: it says nothing that a picture of it would not.
func Parse(b []byte) (*Banner, error) {
	if len(b) < wholeSize {
		return nil, fmt.Errorf("banner of %d bytes: %d are needed", len(b), wholeSize)
	}
	if v := binary.LittleEndian.Uint16(b); v == 0 || v&0xff > 3 {
		return nil, fmt.Errorf("banner version %#04x: not 1 to 3", v)
	}
	ban := &Banner{Icon: decodeIcon(b[iconAt:paletteAt], b[paletteAt:titlesAt])}
	for i := range ban.Titles {
		at := titlesAt + i*titleSize
		ban.Titles[i] = text(b[at : at+titleSize])
	}
	return ban, nil
}

// text decodes one title: UTF-16 up to a NUL. It drops everything that does not
// print (control characters, marks that turn the direction of writing), except line
// ends.
func text(b []byte) string {
	var u []uint16
	for ; len(b) >= 2; b = b[2:] {
		c := binary.LittleEndian.Uint16(b)
		if c == 0 {
			break
		}
		u = append(u, c)
	}
	s := strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || unicode.IsPrint(r):
			return r
		case unicode.IsSpace(r):
			return ' '
		}
		return -1
	}, string(utf16.Decode(u)))
	return strings.TrimSpace(s)
}

// decodeIcon makes a picture of 512 bytes of tiles and 32 bytes of palette.
func decodeIcon(tiles, palette []byte) *image.Paletted {
	img := image.NewPaletted(image.Rect(0, 0, iconSide, iconSide), iconPalette(palette))
	for i, two := range tiles {
		const tileBytes, row = tileSide * tileSide / 2, iconSide / tileSide
		tile, in := i/tileBytes, i%tileBytes*2
		x, y := tile%row*tileSide+in%tileSide, tile/row*tileSide+in/tileSide
		img.SetColorIndex(x, y, two&15)
		img.SetColorIndex(x+1, y, two>>4)
	}
	return img
}

// iconPalette widens 5 bits of colour to 8, so that 31 becomes 255.
func iconPalette(b []byte) color.Palette {
	p := color.Palette{color.NRGBA{}}
	for i := 2; i < len(b); i += 2 {
		c := binary.LittleEndian.Uint16(b[i:])
		wide := func(v uint16) uint8 { v &= 31; return uint8(v<<3 | v>>2) }
		p = append(p, color.NRGBA{R: wide(c), G: wide(c >> 5), B: wide(c >> 10), A: 255})
	}
	return p
}

// CRC16 is the CRC of headers and banners of ROMs: reflected polynomial a001, initial
// value ffff.
func CRC16(b []byte) uint16 {
	crc := uint16(0xffff)
	for _, c := range b {
		crc ^= uint16(c)
		for range 8 {
			low := crc & 1
			crc >>= 1
			crc ^= 0xa001 * low
		}
	}
	return crc
}
