package emucore

import (
	"bytes"
	"encoding/binary"
	"image/color"
	"testing"
	"unicode"
	"unicode/utf16"
)

// makeBanner builds a banner with the given titles by language and an icon whose
// pixel x, y has the colour (x + y) mod 16; colour i is i shades of red.
func makeBanner(titles map[int]string) []byte {
	b := make([]byte, bannerSize)
	b[0] = 1
	for y := range 32 {
		for x := range 32 {
			tile, in := y/8*4+x/8, y%8*8+x%8
			b[bannerIcon+tile*32+in/2] |= byte((x+y)%16) << (in % 2 * 4)
		}
	}
	for i := range 16 {
		binary.LittleEndian.PutUint16(b[bannerPalette+2*i:], uint16(2*i+1))
	}
	for lang, s := range titles {
		for i, u := range utf16.Encode([]rune(s)) {
			binary.LittleEndian.PutUint16(b[bannerTitles+lang*bannerTitle+2*i:], u)
		}
	}
	return b
}

// withBanner appends a banner to a ROM.
func withBanner(banner []byte) []byte {
	rom := makeROM("BANNER", put32(0x68, 0x1000))
	return append(rom, banner...)
}

func TestBannerOfAROM(t *testing.T) {
	path := writeFile(t, "a.nds", withBanner(makeBanner(map[int]string{0: "ゲーム", 1: "The Game\nPart 2\nMaker", 3: "Das Spiel"})))
	r, err := OpenROM(path)
	if err != nil {
		t.Fatal(err)
	}
	if r.BannerTitle != "The Game Part 2 Maker" {
		t.Errorf("title is %q", r.BannerTitle)
	}
	b, err := r.Banner()
	if err != nil {
		t.Fatal(err)
	}
	if want := [6]string{"ゲーム", "The Game\nPart 2\nMaker", "", "Das Spiel"}; b.Titles != want {
		t.Errorf("titles are %q", b.Titles)
	}
}

func TestBannerIcon(t *testing.T) {
	b, err := parseBanner(makeBanner(nil))
	if err != nil {
		t.Fatal(err)
	}
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
		b, err := parseBanner(makeBanner(tt.titles))
		if err != nil || b.Title() != tt.want {
			t.Errorf("%s: %q, %v; want %q", name, b.Title(), err, tt.want)
		}
	}
}

// TestBrokenBanner: such a ROM still plays, it only has no title.
func TestBrokenBanner(t *testing.T) {
	whole := makeBanner(map[int]string{1: "X"})
	for name, banner := range map[string][]byte{
		"cut":       whole[:len(whole)-1],
		"version 0": append([]byte{0}, whole[1:]...),
		"version 9": append([]byte{9}, whole[1:]...),
	} {
		r, err := OpenROM(writeFile(t, "a.nds", withBanner(banner)))
		if err != nil || r.BannerTitle != "" {
			t.Errorf("%s: %v, %v", name, r, err)
			continue
		}
		if b, err := r.Banner(); err == nil {
			t.Errorf("%s: banner %v", name, b)
		}
	}
}

func FuzzParseBanner(f *testing.F) {
	f.Add(makeBanner(map[int]string{1: "The Game\nMaker", 0: "ゲーム"}))
	f.Add([]byte{1, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := parseBanner(data)
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
