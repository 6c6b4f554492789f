package widgets

import (
	"image"
	"testing"

	"github.com/nettplay/nettplay/internal/ui/draw"
)

// BenchmarkBuild is building a screen with every widget: no drawing.
func BenchmarkBuild(b *testing.B) {
	w := newBench(b, 1280, 960, 1)
	g := newGallery(w.store)
	w.frame(g.build)
	quads := w.frame(g.build).List.Quads()
	b.ReportAllocs()
	for b.Loop() {
		w.frame(g.build)
	}
	b.ReportMetric(float64(quads), "quads")
}

// BenchmarkRaster is painting it without a graphics card or SDL.
func BenchmarkRaster(b *testing.B) {
	w := newBench(b, 960, 720, 1)
	out := w.frame(newGallery(w.store).build)
	img := image.NewRGBA(image.Rect(0, 0, 960, 720))
	for b.Loop() {
		draw.Raster(img, out.List, w.store)
	}
}
