package window

import (
	"testing"

	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// BenchmarkPaint is what a picture costs SDL: a lobby and a console's two
// screens, enlarged, in a window of 768x1152, with the software renderer.
func BenchmarkPaint(b *testing.B) {
	withWindow(b, Config{Width: 768, Height: 1152, Software: true}, func(r *rig) {
		screens := [2]draw.Texture{r.store.New(256, 192, draw.BGRX, false), r.store.New(256, 192, draw.BGRX, false)}
		pix := make([]byte, 256*192*4)
		list := draw.NewList(r.fonts)
		list.Reset(r.Size(), 1)
		for i, t := range screens {
			list.ImagePixels(t, draw.R(0, float32(i)*576, 768, 576), draw.UV{U1: 1, V1: 1})
		}
		r.ui.SetBare(true)
		hud := r.ui.Frame(widgets.Input{Size: r.Size()}, func(u *widgets.UI) {
			u.Title("waiting for Bob 1.2 s")
			u.Row(widgets.Cells(widgets.Auto, widgets.Auto), func() {
				u.Badge(widgets.Good, "in sync")
				u.Label("delay 4 · ping 38 ms · 59.8 frames a second")
			})
		}).List
		b.ResetTimer()
		for b.Loop() {
			for _, t := range screens {
				if err := r.store.Lend(t, pix, true); err != nil {
					b.Error(err)
				}
			}
			if err := r.Paint(list, hud); err != nil {
				b.Error(err)
			}
		}
	})
}
