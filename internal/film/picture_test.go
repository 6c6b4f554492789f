package film

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

func screen(c color.Color) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, 256, 384))
	draw.Draw(img, img.Bounds(), image.NewUniform(c), image.Point{}, draw.Src)
	return img
}

// Every console's pixels are in the picture, unscaled, however many there are.
func TestComposeShowsEveryConsole(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 5, 16} {
		var list []Console
		for i := range n {
			list = append(list, Console{Title: "Ann", Screen: screen(color.RGBA{uint8(10 + i), 200, 7, 255})})
		}
		img, err := Compose(list)
		must.Succeed(t, err)
		count := map[color.RGBA]int{}
		for y := range img.Bounds().Dy() {
			for x := range img.Bounds().Dx() {
				count[img.RGBAAt(x, y)]++
			}
		}
		for i := range n {
			if got := count[color.RGBA{uint8(10 + i), 200, 7, 255}]; got != 256*384 {
				t.Errorf("%d consoles: console %d has %d pixels, want %d", n, i, got, 256*384)
			}
		}
	}
}

func TestLongCaptionStaysInItsColumn(t *testing.T) {
	long, err := Compose([]Console{{Title: strings.Repeat("W", 300), Screen: screen(color.Black)}, {Screen: screen(color.Black)}})
	must.Succeed(t, err)
	for y := range long.Bounds().Dy() {
		for x := margin + 256 + 1; x < long.Bounds().Dx(); x++ {
			if got := long.RGBAAt(x, y); got != background && got != (color.RGBA{0, 0, 0, 255}) {
				t.Fatalf("the first caption reaches into the second column at %d,%d", x, y)
			}
		}
	}
}

func TestWritePNG(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.png")
	for range 2 { // the second replaces the first
		must.Succeed(t, WritePNG(path, screen(color.White)))
	}
	f, err := os.Open(path)
	must.Succeed(t, err)
	defer f.Close()
	if img, err := png.Decode(f); err != nil || img.Bounds().Dx() != 256 {
		t.Errorf("read back %v, %v", img, err)
	}
	if err := WritePNG(filepath.Join(dir, "no", "such", "dir.png"), screen(color.White)); err == nil {
		t.Error("writing into a missing folder gave no error")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".png-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
