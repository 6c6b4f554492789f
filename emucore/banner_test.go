package emucore

import (
	"encoding/binary"
	"testing"
	"unicode/utf16"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// makeBanner builds a banner with the given titles by language: see package banner.
func makeBanner(titles map[int]string) []byte {
	b := make([]byte, 0x840)
	b[0] = 1
	for lang, s := range titles {
		for i, u := range utf16.Encode([]rune(s)) {
			binary.LittleEndian.PutUint16(b[0x240+lang*0x100+2*i:], u)
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
	must.Succeed(t, err)
	if r.BannerTitle != "The Game Part 2 Maker" {
		t.Errorf("title is %q", r.BannerTitle)
	}
	b, err := r.Banner()
	must.Succeed(t, err)
	if want := [6]string{"ゲーム", "The Game\nPart 2\nMaker", "", "Das Spiel"}; b.Titles != want {
		t.Errorf("titles are %q", b.Titles)
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
