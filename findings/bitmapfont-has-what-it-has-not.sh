#!/bin/sh
# bitmapfont: it says that it has each of the 65,536 letters of 16 bits; of more than half of those that can be printed it has an empty place.
#
# Package:  github.com/hajimehoshi/bitmapfont/v3 v3.2.0, golang.org/x/image v0.47.0, Go modules.
# Guess:    a font.Face says by the last result of Glyph, GlyphAdvance and GlyphBounds whether it has a letter (golang.org/x/image/font:
#           "ok" is false if the face has no glyph for it), so that a program tries the next font, or draws a box.
# Seen:     it is true for all of 16 bits, with an advance, and false beyond. Where the font has no picture the mask is empty: a
#           name in Thai, Hindi or Tamil is drawn as so much white, and the player who bears it has none on the screen. Whoever
#           asks a face must look for a pixel as well.
#           nettplay asked the face alone, and showed no such names; it looks for a pixel now, and draws boxes.
# Output:   16 bits      55507 letters, says that it has 55507, has 25020
#           beyond       23246 letters, says that it has     0, has     0
#           Hiragana        89 letters, says that it has    89, has    86
#           Thai            86 letters, says that it has    86, has     0
#           Devanagari     154 letters, says that it has   154, has     0
#
# Needs Go, whose version decides which letters there are.
. "$(dirname "$0")/begin.inc"
cat >go.mod <<'M'
module letters

go 1.25
M
cat >main.go <<'G'
package main

import (
	"fmt"
	"unicode"

	"github.com/hajimehoshi/bitmapfont/v3"
	"golang.org/x/image/math/fixed"
)

// look tells whether the font says that it has a letter, and whether there is a pixel of it.
func look(r rune) (says, has bool) {
	box, mask, at, _, ok := bitmapfont.Face.Glyph(fixed.P(0, 0), r)
	if !ok {
		return false, false
	}
	for y := range box.Dy() {
		for x := range box.Dx() {
			_, _, _, a := mask.At(at.X+x, at.Y+y).RGBA()
			has = has || a > 0
		}
	}
	return true, has
}

func main() {
	count := func(name string, in func(r rune) bool) {
		all, said, had := 0, 0, 0
		for r := rune(0); r <= 0x1ffff; r++ {
			if in(r) && unicode.IsGraphic(r) && !unicode.IsSpace(r) {
				says, has := look(r)
				all++
				if says {
					said++
				}
				if has {
					had++
				}
			}
		}
		fmt.Printf("%-12s %5d letters, says that it has %5d, has %5d\n", name, all, said, had)
	}
	count("16 bits", func(r rune) bool { return r <= 0xffff })
	count("beyond", func(r rune) bool { return r > 0xffff })
	count("Hiragana", func(r rune) bool { return r <= 0xffff && unicode.Is(unicode.Hiragana, r) })
	count("Thai", func(r rune) bool { return unicode.Is(unicode.Thai, r) })
	count("Devanagari", func(r rune) bool { return r <= 0xffff && unicode.Is(unicode.Devanagari, r) })
}
G
go mod edit -require=github.com/hajimehoshi/bitmapfont/v3@v3.2.0 -require=golang.org/x/image@v0.47.0
go mod tidy -e >/dev/null 2>&1
go run . | tee seen
awk '{ letters[$1] = $(NF - 8); says[$1] = $(NF - 2) + 0; has[$1] = $NF } $1 == "Thai" || $1 == "Devanagari" { bad = bad || says[$1] != letters[$1] || has[$1] > 0 }
	$1 == "16" { half = says[$1] > 50000 && 2 * has[$1] < says[$1] } END { exit !(half && !bad && letters["Thai"] > 80) }' seen || {
	echo "changed: the font has those letters, or says that it has not" >&2
	exit 1
}
