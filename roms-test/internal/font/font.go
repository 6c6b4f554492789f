// Package font reads the font of the test ROMs, which has one source: the text
// file src/font.txt. The packer turns it into a C table for the ROMs, and package
// romstest reads it again to recognise what they have written on the screen.
//
// The file shows the 96 characters from space to 127 in twelve bands of eight.
// Each band is eight lines of eight groups of eight characters, '#' for ink and
// '.' for paper, groups separated by one space and bands by one empty line:
//
//	........ ...##... .##..##.   and so on
//
// Read next: package romstest, which looks for these glyphs in pictures.
package font

import (
	"fmt"
	"strings"
)

// First and Count name the characters that a font has: Count of them from First.
const (
	First = ' '
	Count = 96
)

// Glyph is one character of 8x8 pixels: a byte a row from the top, the leftmost
// pixel in the highest bit, one is ink.
type Glyph [8]byte

// Font holds the glyphs of the characters First, First+1 and so on.
type Font [Count]Glyph

const (
	bandGlyphs = 8
	bandLines  = 8
	bands      = Count / bandGlyphs
	lineLength = bandGlyphs*8 + bandGlyphs - 1
)

// Parse reads a font file. An error names the line, counted from 1.
func Parse(text string) (*Font, error) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if want := bands*(bandLines+1) - 1; len(lines) != want {
		return nil, fmt.Errorf("font: %d lines, not %d", len(lines), want)
	}
	f := new(Font)
	for i, line := range lines {
		band, y := i/(bandLines+1), i%(bandLines+1)
		var err error
		switch {
		case y < bandLines:
			err = f.addLine(band, y, line)
		case line != "":
			err = fmt.Errorf("%q between two bands, which is to be empty", line)
		}
		if err != nil {
			return nil, fmt.Errorf("font: line %d: %w", i+1, err)
		}
	}
	return f, nil
}

// addLine takes row y of the eight glyphs of a band.
func (f *Font) addLine(band, y int, line string) error {
	if len(line) != lineLength {
		return fmt.Errorf("%d characters, not %d", len(line), lineLength)
	}
	for x := range len(line) {
		glyph, bit := x/9, x%9
		switch c := line[x]; {
		case bit == 8 && c == ' ', bit < 8 && c == '.':
		case bit < 8 && c == '#':
			f[band*bandGlyphs+glyph][y] |= 0x80 >> bit
		default:
			return fmt.Errorf("unexpected %q in column %d", c, x+1)
		}
	}
	return nil
}

// C writes the font as a C header that defines the table font.
func (f *Font) C() string {
	var b strings.Builder
	b.WriteString("// Made from font.txt by the packer.\n")
	fmt.Fprintf(&b, "static const u8 font[%d][8] = {\n", Count)
	for i, g := range f {
		b.WriteString("\t{")
		for y, row := range g {
			if y > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "0x%02X", row)
		}
		fmt.Fprintf(&b, "}, // %q\n", rune(First+i))
	}
	b.WriteString("};\n")
	return b.String()
}
