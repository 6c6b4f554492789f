package romstest_test

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
	"github.com/nettplay/nettplay/roms-test/internal/font"
)

func TestWriteFiles(t *testing.T) {
	dir := t.TempDir()
	paths, err := romstest.WriteFiles(dir, romstest.All()...)
	must.Succeed(t, err)
	want := []string{
		filepath.Join(dir, "pad.nds"), filepath.Join(dir, "save.nds"), filepath.Join(dir, "draw3d.nds"),
		filepath.Join(dir, "broadcast.nds"), filepath.Join(dir, "multiplay.nds"), filepath.Join(dir, "power.nds"),
	}
	if !slices.Equal(paths, want) {
		t.Fatalf("wrote %q, want %q", paths, want)
	}
	if b, err := os.ReadFile(paths[1]); err != nil || !bytes.Equal(b, romstest.Save) {
		t.Errorf("%s does not hold the ROM: %v", paths[1], err)
	}
	if _, err := romstest.WriteFiles(filepath.Join(dir, "none"), romstest.All()...); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("in a folder that is not there: %v", err)
	}
}

func TestFlagsChangeOneBit(t *testing.T) {
	for _, r := range romstest.All() {
		for name, flagged := range map[string]func([]byte) ([]byte, error){"broken": romstest.Broken, "quiet": romstest.Quiet} {
			before := bytes.Clone(r.Data)
			b, err := flagged(r.Data)
			must.Succeed(t, err)
			if !bytes.Equal(before, r.Data) {
				t.Fatalf("%s: the sound ROM was changed", r.Name)
			}
			if bits := bitsBetween(b, r.Data); len(b) != len(r.Data) || bits != 1 {
				t.Errorf("%s %s: %d bits of %d bytes differ, want 1 of %d", name, r.Name, bits, len(b), len(r.Data))
			}
		}
	}
	for _, rom := range [][]byte{nil, make([]byte, 0x22), make([]byte, 0x400), romstest.Pad[:0x220], bytes.Repeat([]byte{0xFF}, 0x400)} {
		if _, err := romstest.Broken(rom); !errors.Is(err, romstest.ErrNotTestROM) {
			t.Errorf("%d other bytes: %v", len(rom), err)
		}
	}
}

func bitsBetween(a, b []byte) (n int) {
	for i := range a {
		n += bits.OnesCount8(a[i] ^ b[i])
	}
	return n
}

// picture is a blank picture of both screens.
func picture() *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, 256, 384))
	for i := range img.Pix {
		img.Pix[i] = 0x30
	}
	return img
}

// drawBarcode draws a barcode as the documentation says, at the end of img.
func drawBarcode(img *image.RGBA, value uint32) {
	rows := []uint32{0xAAAAAAAA, value, value, value, value, value, value, 0x55555555}
	b := img.Bounds()
	for y, row := range rows {
		for x := range 256 {
			c := color.RGBA{8, 8, 16, 255}
			if row>>(31-x/8)&1 != 0 {
				c = color.RGBA{255, 255, 255, 255}
			}
			img.SetRGBA(b.Min.X+x, b.Max.Y-8+y, c)
		}
	}
}

func TestReadBarcode(t *testing.T) {
	for _, want := range []uint32{0, 1, 0x80000000, 0xFFFFFFFF, 0xAAAAAAAA, 0x12345678} {
		img := picture()
		drawBarcode(img, want)
		if got, err := romstest.ReadBarcode(img); err != nil || got != want {
			t.Errorf("both screens: read %08X, %v, want %08X", got, err, want)
		}
		bottom := img.SubImage(image.Rect(0, 192, 256, 384))
		if got, err := romstest.ReadBarcode(bottom); err != nil || got != want {
			t.Errorf("bottom screen: read %08X, %v, want %08X", got, err, want)
		}
	}
}

func TestReadBarcodeRefusesOtherPictures(t *testing.T) {
	with := func(change func(img *image.RGBA)) image.Image {
		img := picture()
		drawBarcode(img, 0x12345678)
		change(img)
		return img
	}
	fill := func(c color.RGBA) image.Image {
		return with(func(img *image.RGBA) {
			for y := range 384 {
				for x := range 256 {
					img.SetRGBA(x, y, c)
				}
			}
		})
	}
	row := func(y int, value uint32) image.Image {
		return with(func(img *image.RGBA) {
			for x := range 256 {
				v := byte(value >> (31 - x/8) & 1 * 255)
				img.SetRGBA(x, y, color.RGBA{v, v, v, 255})
			}
		})
	}
	for name, img := range map[string]image.Image{
		"blank":             picture(),
		"black":             fill(color.RGBA{A: 255}),
		"white":             fill(color.RGBA{255, 255, 255, 255}),
		"one grey pixel":    with(func(img *image.RGBA) { img.SetRGBA(3, 380, color.RGBA{99, 99, 99, 255}) }),
		"one pixel changed": with(func(img *image.RGBA) { img.SetRGBA(3, 380, color.RGBA{255, 255, 255, 255}) }),
		"coloured":          with(func(img *image.RGBA) { img.SetRGBA(3, 380, color.RGBA{255, 255, 0, 255}) }),
		"half drawn":        row(380, 0x12345679),
		"no upper guard":    row(376, 0x12345678),
		"no lower guard":    row(383, 0x12345678),
		"cut":               with(func(*image.RGBA) {}).(*image.RGBA).SubImage(image.Rect(0, 0, 256, 383)),
		"narrow":            image.NewRGBA(image.Rect(0, 0, 255, 384)),
		"flat":              image.NewRGBA(image.Rect(0, 0, 256, 7)),
		"empty":             image.NewRGBA(image.Rectangle{}),
	} {
		if v, err := romstest.ReadBarcode(img); !errors.Is(err, romstest.ErrNoBarcode) {
			t.Errorf("%s: read %08X, %v", name, v, err)
		}
	}
}

// drawText draws text with the programs' font.
func drawText(t *testing.T, img *image.RGBA, column, y int, s string, ink, paper color.RGBA) {
	t.Helper()
	text := must.Read(t, "src/font.txt")
	f, err := font.Parse(string(text))
	must.Succeed(t, err)
	for i := range len(s) {
		for j := range 64 {
			c := paper
			if f[s[i]-font.First][j/8]<<(j%8)&0x80 != 0 {
				c = ink
			}
			img.SetRGBA((column+i)*8+j%8, y+j/8, c)
		}
	}
}

var (
	red   = color.RGBA{255, 0, 0, 255}
	green = color.RGBA{0, 255, 0, 255}
	grey  = color.RGBA{90, 90, 90, 255}
)

func TestReadText(t *testing.T) {
	img := picture()
	drawText(t, img, 1, 13, "frame  00000123", red, grey)
	drawText(t, img, 19, 13, "timer   3F21", green, grey)
	drawText(t, img, 0, 24, "WMwm ~{|}^_`@", grey, red)
	drawText(t, img, 1, 300, "ab", red, grey) // too short to be called text
	got := romstest.ReadText(img)
	want := []romstest.Line{
		{Y: 13, Text: " frame  00000123   timer   3F21"},
		{Y: 24, Text: "WMwm ~{|}^_`@"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("read %+v\nwant %+v", got, want)
	}
	img.SetRGBA(8, 15, green) // a dot of a third colour in the first letter
	if got := romstest.ReadText(img)[0].Text; got != "  rame  00000123   timer   3F21" {
		t.Errorf("with a dot: %q", got)
	}
	if got := romstest.ReadText(image.NewRGBA(image.Rect(0, 0, 5, 5))); got != nil {
		t.Errorf("in a picture without room for text: %v", got)
	}
}

func TestReadTextFindsAllCharacters(t *testing.T) {
	var all strings.Builder
	for c := byte('!'); c <= '~'; c++ {
		all.WriteByte(c)
	}
	for i := 0; i < all.Len(); i += 28 {
		part := "abc" + all.String()[i:min(i+28, all.Len())]
		img := picture()
		drawText(t, img, 0, 7, part, red, grey)
		if got := romstest.ReadText(img); len(got) != 1 || got[0].Text != part {
			t.Errorf("read %+v, want %q", got, part)
		}
	}
}

func TestField(t *testing.T) {
	lines := []romstest.Line{
		{Text: " clock  Thu 2026-01-01 00:00:07"},
		{Text: " frame  00000123   timer   3F21"},
		{Text: " hash 8F3A12CD  check BAD 000012"},
		{Text: " frame  second one"},
	}
	for label, want := range map[string]string{
		"clock": "Thu 2026-01-01 00:00:07", "frame": "00000123", "timer": "3F21",
		"hash": "8F3A12CD", "check": "BAD 000012",
	} {
		if got, ok := romstest.Field(lines, label); !ok || got != want {
			t.Errorf("%s is %q, want %q", label, got, want)
		}
	}
	for _, label := range []string{"BAD", "fram", "3F21", "none", "2026-01-01"} {
		if got, ok := romstest.Field(lines, label); ok {
			t.Errorf("%s is %q, want nothing", label, got)
		}
	}
}

// Any picture may be read, whatever its size and wherever it lies.
func FuzzReadPicture(f *testing.F) {
	f.Add([]byte{}, uint16(0), uint16(0), int16(0))
	f.Add([]byte{0, 255, 255}, uint16(256), uint16(9), int16(-5))
	f.Add(bytes.Repeat([]byte{0, 0, 0, 0, 255}, 99), uint16(31), uint16(20), int16(7))
	f.Fuzz(func(t *testing.T, pix []byte, w, h uint16, at int16) {
		r := image.Rect(0, 0, int(w)%300, int(h)%64).Add(image.Pt(int(at), -int(at)))
		img := image.NewGray(r)
		for i := range img.Pix {
			if len(pix) > 0 {
				img.Pix[i] = pix[i%len(pix)]
			}
		}
		for _, l := range romstest.ReadText(img) {
			if l.Y < 0 || l.Y > r.Dy()-8 || len(l.Text) > r.Dx()/8 {
				t.Errorf("line %+v in a picture of %v", l, r)
			}
		}
		if _, err := romstest.ReadBarcode(img); err == nil && r.Dx() != 256 {
			t.Errorf("a barcode in a picture of %v", r)
		}
	})
}

func FuzzBroken(f *testing.F) {
	f.Add(romstest.Pad)
	f.Add(romstest.Save[:0x8030])
	f.Add([]byte{})
	f.Add(bytes.Repeat([]byte{0xFF}, 0x30))
	f.Fuzz(func(t *testing.T, rom []byte) {
		b, err := romstest.Broken(rom)
		if err == nil && len(b) != len(rom) {
			t.Errorf("%d bytes of %d", len(b), len(rom))
		}
	})
}
