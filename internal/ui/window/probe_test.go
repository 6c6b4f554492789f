package window

import (
	"image"
	"testing"

	"github.com/nettplay/nettplay/internal/ui/draw"
)

// Seen tells the pixels that are painted, at any size and with either canvas.
func TestSeen(t *testing.T) {
	for name, config := range canvases() {
		withWindow(t, config, func(r *rig) {
			const w, h = 256, 192
			coded := r.store.New(w, h, draw.BGRX, false)
			pix := make([]byte, w*h*4)
			for i := range w * h {
				pix[4*i], pix[4*i+1], pix[4*i+2] = byte(i%w), byte(i/w), 77
			}
			if err := r.store.Lend(coded, pix, true); err != nil {
				t.Error(err)
			}
			for _, at := range []image.Rectangle{
				image.Rect(0, 0, 512, 384), image.Rect(3, 5, 260, 198), image.Rect(20, 1, 637, 464), image.Rect(100, 100, 199, 174),
			} {
				uv := draw.UV{U0: 0.25 / float32(at.Dx()*w), V0: 0.25 / float32(at.Dy()*h), U1: 1, V1: 1}
				list := draw.NewList(r.fonts)
				list.Reset(r.Size(), 1)
				list.ImagePixels(coded, draw.R(float32(at.Min.X), float32(at.Min.Y), float32(at.Dx()), float32(at.Dy())), uv)
				columns, rows, err := r.Seen(at, image.Pt(w, h), uv)
				if err != nil || len(columns) != at.Dx() || len(rows) != at.Dy() {
					t.Errorf("%s: %v: %v, %d columns, %d rows", name, at, err, len(columns), len(rows))
					return
				}
				img, err := r.Screenshot(list)
				if err != nil {
					t.Error(err)
					return
				}
				checkSeen(t, name, img, at, columns, rows)
			}
			for _, outside := range []image.Rectangle{{}, image.Rect(-1, 0, 9, 9), image.Rect(0, 0, 641, 9)} {
				if _, _, err := r.Seen(outside, image.Pt(w, h), draw.UV{U1: 1, V1: 1}); err == nil {
					t.Errorf("%s: seen at %v", name, outside)
				}
			}
		})
	}
}

func checkSeen(t *testing.T, name string, img *image.RGBA, at image.Rectangle, columns, rows []int) {
	t.Helper()
	wrong := 0
	for y, row := range rows {
		for x, column := range columns {
			if c := img.RGBAAt(at.Min.X+x, at.Min.Y+y); int(c.B) != column || int(c.G) != row || c.R != 77 {
				wrong++
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%s: %d pixels of %v show another pixel than Seen tells", name, wrong, at)
	}
}
