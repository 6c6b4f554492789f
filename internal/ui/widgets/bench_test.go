package widgets

import (
	"testing"

	"github.com/nettplay/nettplay/internal/ui/draw"
)

// BenchmarkBuild is building a screen with every widget: no drawing.
func BenchmarkBuild(b *testing.B) {
	w := newBench(b, 1280, 960, 1)
	g := newGallery(w.store)
	w.frame(g.build)
	quads := countQuads(w.frame(g.build))
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
	for b.Loop() {
		draw.Raster(out.List, w.store)
	}
}
