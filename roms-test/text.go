package romstest

import (
	_ "embed"
	"encoding/binary"
	"image"
	"image/draw"
	"strings"
	"sync"
	"unicode"

	"github.com/nettplay/nettplay/roms-test/internal/font"
)

//go:embed src/font.txt
var fontText string

// glyphs maps the bits of a cell of 8x8 pixels to the character they show. It is
// made on first use and never changes.
var glyphs = sync.OnceValue(func() map[uint64]byte {
	f, err := font.Parse(fontText)
	if err != nil {
		return nil // a test parses the same text, so this is not seen outside of it
	}
	m := make(map[uint64]byte, font.Count)
	for i, g := range f {
		var bits uint64
		for _, row := range g {
			bits = bits<<8 | uint64(row)
		}
		m[bits] = byte(font.First + i)
	}
	return m
})

// Line is one line of text in a picture.
type Line struct {
	Y    int    // its upper edge, in pixels from the top of the picture
	Text string // a character for each 8 pixels from the left edge, spaces at the end cut
}

// wordLength is the number of letters and digits in a row that make text: a picture shows single ones
// by chance.
const wordLength = 3

// ReadText finds the text that a program has written with its own font, in two
// colours, in columns of 8 pixels and at any height: everything that a program
// shows as a label with a value, from top to bottom. A cell without a
// character becomes a space. Large or ornamental writing is not found.
func ReadText(img image.Image) []Line {
	g := newGrid(img)
	var lines []Line
	for y := 0; y+8 <= g.Rect.Dy(); y++ {
		if s := g.line(y); isText(s) {
			lines = append(lines, Line{Y: y, Text: strings.TrimRight(s, " ")})
		}
	}
	return lines
}

// isText looks for a word.
func isText(s string) bool {
	n := 0
	for _, c := range s {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			n = 0
		} else if n++; n == wordLength {
			return true
		}
	}
	return false
}

// grid is a picture as plain colours.
type grid struct{ *image.RGBA }

func newGrid(img image.Image) grid {
	b := img.Bounds()
	g := grid{image.NewRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))}
	draw.Draw(g, g.Rect, img, b.Min, draw.Src)
	return g
}

func (g grid) colour(x, y int) uint32 { return binary.LittleEndian.Uint32(g.Pix[g.PixOffset(x, y):]) }

// line reads the cells whose upper edge is at y.
func (g grid) line(y int) string {
	var b strings.Builder
	for x := 0; x+8 <= g.Rect.Dx(); x += 8 {
		c, ok := glyphs()[g.cell(x, y)]
		if !ok {
			c = ' '
		}
		b.WriteByte(c)
	}
	return b.String()
}

// noCell stands for a cell of more than two colours; no glyph looks like it, since the last column of
// every glyph is paper.
const noCell = ^uint64(0)

// cell returns the pixels of a cell as bits. Paper is the colour of the last pixel
// of its first row.
func (g grid) cell(x, y int) uint64 {
	var bits uint64
	var ink uint32
	paper := g.colour(x+7, y)
	for i := range 64 {
		c := g.colour(x+i%8, y+i/8)
		bits <<= 1
		switch {
		case c == paper:
		case bits == 0 || c == ink:
			bits |= 1
			ink = c
		default:
			return noCell
		}
	}
	return bits
}

// Field returns the value that stands behind a label in the lines of a picture. A
// label begins a line or follows two spaces, and so does its value, which ends
// before two spaces:
//
//	frame  00000123   timer   3F21
//
// has the fields frame and timer.
func Field(lines []Line, label string) (string, bool) {
	for _, l := range lines {
		for rest := l.Text; rest != ""; {
			rest = strings.TrimLeft(rest, " ")
			if value, ok := strings.CutPrefix(rest, label+" "); ok {
				value, _, _ = strings.Cut(strings.TrimLeft(value, " "), "  ")
				return value, true
			}
			_, rest, _ = strings.Cut(rest, "  ")
		}
	}
	return "", false
}
