package app

import (
	"bytes"
	"image"
	"image/color"
	imagedraw "image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestScreens compares every screen with its golden picture. A scene like another, but for the size, has none.
func TestScreens(t *testing.T) {
	must.HaveLinux(t, "paths of Linux in the pictures")
	all := append(scenes(), playScenes()...)
	for _, s := range all {
		if likeAnother(s.name, all) && *gallery == "" {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			img := inspect(t, s, s.size, 1).picture()
			if *gallery != "" {
				writePNG(t, filepath.Join(*gallery, s.name+".png"), img)
				writePNG(t, filepath.Join(*gallery, s.name+"@2x.png"), inspect(t, s, s.size, 2).picture())
			}
			if !likeAnother(s.name, all) {
				compare(t, filepath.Join("testdata", "screens", s.name+".png"), img)
			}
		})
	}
}

func writePNG(t testing.TB, path string, img image.Image) {
	t.Helper()
	must.Succeed(t, os.MkdirAll(filepath.Dir(path), 0o755))
	f, err := os.Create(path)
	must.Succeed(t, err)
	defer f.Close()
	must.Succeed(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(f, fewColors(img)))
}

// fewColors gives a picture of at most 256 colours a palette: that makes a smaller file.
func fewColors(img image.Image) image.Image {
	of, ok := img.(*image.RGBA)
	if !ok {
		return img
	}
	numbers, out := map[color.RGBA]uint8{}, image.NewPaletted(of.Rect, nil)
	for i := range out.Pix {
		c := color.RGBA{R: of.Pix[4*i], G: of.Pix[4*i+1], B: of.Pix[4*i+2], A: of.Pix[4*i+3]}
		n, known := numbers[c]
		if !known {
			if len(out.Palette) == 256 {
				return img
			}
			n = uint8(len(out.Palette))
			numbers[c], out.Palette = n, append(out.Palette, c)
		}
		out.Pix[i] = n
	}
	return out
}

// coarse leaves a picture fewer colours, none of them far from what it was: that makes a smaller file.
//
//go:norace
func coarse(img *image.RGBA) {
	for i := range img.Pix {
		if i%4 != 3 {
			img.Pix[i] = uint8(min(int(img.Pix[i])+4, 255)) &^ 7
		}
	}
}

// compare allows pixels to differ by a little, as floating-point arithmetic does
// from one processor to the next, and a few of them by more.
func compare(t testing.TB, path string, img *image.RGBA) {
	t.Helper()
	if *update {
		coarse(img)
		writePNG(t, path, img)
		return
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatalf("%v (write it with -update)", err)
	}
	defer f.Close()
	want, err := png.Decode(f)
	must.Succeed(t, err)
	if want.Bounds() != img.Bounds() {
		t.Fatalf("the picture is %v, want %v", img.Bounds(), want.Bounds())
	}
	wrong, golden := 0, pixels(want)
	for at := 0; at < len(img.Pix); at += img.Stride {
		wrong += different(img.Pix[at:at+img.Stride], golden[at:at+img.Stride])
	}
	if wrong > 20 {
		now := filepath.Join(os.TempDir(), "nettplay-"+filepath.Base(path))
		writePNG(t, now, img)
		t.Errorf("%d pixels differ from %s; it is now like %s", wrong, path, now)
	}
}

// pixels are those of an image, red, green, blue and alpha, row by row.
func pixels(img image.Image) []byte {
	rgba := image.NewRGBA(image.Rectangle{Max: img.Bounds().Size()})
	imagedraw.Draw(rgba, rgba.Rect, img, img.Bounds().Min, imagedraw.Src)
	return rgba.Pix
}

// different counts the pixels of two rows that differ by much.
func different(a, b []byte) (n int) {
	if bytes.Equal(a, b) {
		return 0
	}
	for i := 0; i < len(a); i += 4 {
		for c := range 4 {
			if max(a[i+c], b[i+c])-min(a[i+c], b[i+c]) >= 12 {
				n++
				break
			}
		}
	}
	return n
}
