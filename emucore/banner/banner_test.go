package banner

import (
	"bytes"
	"encoding/binary"
	"image/color"
	"testing"
	"unicode"
	"unicode/utf16"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// makeBanner builds a banner with the given titles by language and an icon whose
// pixel x, y has the colour (x + y) mod 16; colour i is i shades of red.
func makeBanner(titles map[int]string) []byte {
	b := make([]byte, wholeSize)
	b[0] = 1
	for y := range 32 {
		for x := range 32 {
			tile, in := y/8*4+x/8, y%8*8+x%8
			b[iconAt+tile*32+in/2] |= byte((x+y)%16) << (in % 2 * 4)
		}
	}
	for i := range 16 {
		binary.LittleEndian.PutUint16(b[paletteAt+2*i:], uint16(2*i+1))
	}
	for lang, s := range titles {
		for i, u := range utf16.Encode([]rune(s)) {
			binary.LittleEndian.PutUint16(b[titlesAt+lang*titleSize+2*i:], u)
		}
	}
	return b
}

func TestBannerIcon(t *testing.T) {
	b, err := Parse(makeBanner(nil))
	must.Succeed(t, err)
	if s := b.Icon.Bounds().Size(); s.X != 32 || s.Y != 32 {
		t.Fatalf("icon of %v", s)
	}
	for y := range 32 {
		for x := range 32 {
			if got := int(b.Icon.ColorIndexAt(x, y)); got != (x+y)%16 {
				t.Fatalf("pixel %d,%d has colour %d, want %d", x, y, got, (x+y)%16)
			}
		}
	}
	if _, _, _, a := b.Icon.At(0, 0).RGBA(); a != 0 {
		t.Error("colour 0 is not transparent")
	}
	if got, want := b.Icon.Palette[15], (color.NRGBA{R: 255, A: 255}); got != want { // 31 of 31
		t.Errorf("full red is %v", got)
	}
	if got, want := b.Icon.Palette[1], (color.NRGBA{R: 24, A: 255}); got != want { // 3 of 31
		t.Errorf("dark red is %v, want %v", got, want)
	}
}

func TestBannerTitle(t *testing.T) {
	for name, tt := range map[string]struct {
		titles map[int]string
		want   string
	}{
		"English":           {map[int]string{0: "J", 1: "E"}, "E"},
		"Japanese":          {map[int]string{0: "あ\nい"}, "あ い"},
		"neither":           {map[int]string{2: "F"}, ""},
		"blank":             {map[int]string{0: "J", 1: " \n "}, "J"},
		"a dot":             {map[int]string{0: "J", 1: "."}, "J"},
		"dots":              {map[int]string{0: "...", 1: "\n.\n"}, ""},
		"control":           {map[int]string{1: "A\x1b[31m\u202eB\u0000C"}, "A[31mB"},
		"ideographic space": {map[int]string{1: "A\u3000B"}, "A B"},
		"no end":            {map[int]string{1: string(bytes.Repeat([]byte("x"), 128))}, string(bytes.Repeat([]byte("x"), 128))},
	} {
		b, err := Parse(makeBanner(tt.titles))
		if err != nil || b.Title() != tt.want {
			t.Errorf("%s: %q, %v; want %q", name, b.Title(), err, tt.want)
		}
	}
}

func FuzzParseBanner(f *testing.F) {
	f.Add(makeBanner(map[int]string{1: "The Game\nMaker", 0: "ゲーム"}))
	f.Add([]byte{1, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := Parse(data)
		if err != nil {
			return
		}
		for _, s := range append(b.Titles[:], b.Title()) {
			for _, r := range s {
				if r != '\n' && !unicode.IsPrint(r) {
					t.Fatalf("title %q has %U", s, r)
				}
			}
		}
		if len(b.Icon.Pix) != 32*32 || len(b.Icon.Palette) != 16 {
			t.Fatalf("icon of %d pixels, %d colours", len(b.Icon.Pix), len(b.Icon.Palette))
		}
	})
}

// TestBannerNames: players call a game by the first line of its title, and by the second one, too, after a colon.
func TestBannerNames(t *testing.T) {
	for title, want := range map[string][2]string{
		"Save\na counter":                     {"Save", "a counter"},
		"Trainers:\nBlue Edition\nSomebody":   {"Trainers: Blue Edition", "Somebody"},
		"Racer  DS\nThe Sequel\n\nSomebody\n": {"Racer DS", "The Sequel, Somebody"},
		"Alone:":                              {"Alone:", ""},
		".":                                   {"", ""},
	} {
		b := Banner{Titles: [6]string{1: title}}
		if name, more := b.Names(); name != want[0] || more != want[1] {
			t.Errorf("%q: %q and %q, want %q", title, name, more, want)
		}
	}
}
