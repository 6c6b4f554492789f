package main

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"

	dsbanner "github.com/nettplay/nettplay/emucore/banner"
)

// The banner is a cartridge's entry in a console's menu (GBATEK, "DS Cartridge Icon/Title"):
//
//	0x000 version, 1    0x002 CRC of 0x020-0x83F
//	0x020 icon          4x4 tiles of 8x8 pixels, 4 bits each, the left one low
//	0x220 palette       16 colours of 15 bits, the first one transparent
//	0x240 six titles    Japanese, English, French, German, Italian, Spanish:
//	                    128 UTF-16 units each, lines separated by '\n'
const (
	bannerSize  = 0x840
	iconAt      = 0x20
	paletteAt   = 0x220
	titlesAt    = 0x240
	titleUnits  = 128
	titles      = 6
	iconSize    = 32
	paletteSize = 16
)

func banner(ic *icon, title string) ([]byte, error) {
	units := utf16.Encode([]rune(title))
	if len(units) >= titleUnits || strings.Count(title, "\n") > 2 {
		return nil, fmt.Errorf("banner title %q: more than 127 characters or 3 lines", title)
	}
	b := make([]byte, bannerSize)
	binary.LittleEndian.PutUint16(b, 1)
	ic.put(b[iconAt:paletteAt], b[paletteAt:titlesAt])
	for i := range titles {
		_, _ = binary.Encode(b[titlesAt+2*i*titleUnits:], binary.LittleEndian, units)
	}
	binary.LittleEndian.PutUint16(b[2:], dsbanner.CRC16(b[iconAt:]))
	return b, nil
}

// icon is a picture of 32x32 pixels in at most 15 colours; pixel 0 is transparent.
type icon struct {
	pixels  [iconSize][iconSize]byte
	palette [paletteSize]uint16
}

// parseIcon reads an icon file: lines "DIGIT RRGGBB" that name the colours 1-F in
// hexadecimal, an empty line, and 32 rows of 32 digits, '.' for transparent.
func parseIcon(text string) (*icon, error) {
	colours, rows, ok := strings.Cut(text, "\n\n")
	if !ok {
		return nil, fmt.Errorf("icon: no empty line between colours and rows")
	}
	ic := new(icon)
	for _, line := range strings.Split(colours, "\n") {
		if err := ic.addColour(line); err != nil {
			return nil, fmt.Errorf("icon: colour %q: %w", line, err)
		}
	}
	lines := strings.Split(strings.TrimSuffix(rows, "\n"), "\n")
	if len(lines) != iconSize {
		return nil, fmt.Errorf("icon: %d rows, not %d", len(lines), iconSize)
	}
	for y, line := range lines {
		if err := ic.addRow(y, line); err != nil {
			return nil, fmt.Errorf("icon: row %d: %w", y+1, err)
		}
	}
	return ic, nil
}

func (ic *icon) addColour(line string) error {
	digit, value, _ := strings.Cut(line, " ")
	n, err := strconv.ParseUint(digit, 16, 4)
	if err != nil || n == 0 {
		return fmt.Errorf("%q is not a digit from 1 to F", digit)
	}
	rgb, err := parseColour(value)
	if err != nil {
		return err
	}
	ic.palette[n] = rgb
	return nil
}

// parseColour turns RRGGBB into the console's 15 bits, red lowest.
func parseColour(s string) (uint16, error) {
	v, err := strconv.ParseUint(s, 16, 24)
	if err != nil || len(s) != 6 {
		return 0, fmt.Errorf("%q is not a colour RRGGBB", s)
	}
	return uint16(v>>19&31 | v>>11&31<<5 | v>>3&31<<10), nil
}

func (ic *icon) addRow(y int, line string) error {
	if len(line) != iconSize {
		return fmt.Errorf("%d characters, not %d", len(line), iconSize)
	}
	for x := range iconSize {
		if line[x] == '.' {
			continue
		}
		n, err := strconv.ParseUint(line[x:x+1], 16, 4)
		if err != nil {
			return fmt.Errorf("%q is neither a digit nor '.'", line[x])
		}
		ic.pixels[y][x] = byte(n)
	}
	return nil
}

// put writes bitmap and palette in the banner's form.
func (ic *icon) put(bitmap, palette []byte) {
	for y := range iconSize {
		for x := range iconSize {
			tile, in := y/8*4+x/8, y%8*8+x%8
			bitmap[tile*32+in/2] |= ic.pixels[y][x] << (in % 2 * 4)
		}
	}
	_, _ = binary.Encode(palette, binary.LittleEndian, ic.palette[:])
}
