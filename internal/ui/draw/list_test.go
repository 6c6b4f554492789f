package draw

import (
	"errors"
	"image"
	"image/color"
	"testing"
)

func paint(l *List, s *Store, w, h int) *image.RGBA {
	return Raster(l, s).SubImage(image.Rect(0, 0, w, h)).(*image.RGBA)
}

// Rectangles that touch in points touch in pixels at every scale: no gap, no overlap.
func TestEdgesMeet(t *testing.T) {
	l, store := newTestList(t, noSystem)
	half := Color{255, 255, 255, 128}
	for _, scale := range []float32{1, 1.25, 1.5, 1.75, 2, 2.3} {
		l.Reset(image.Pt(200, 10), scale)
		for x := float32(0); x < 60; x += 3.3 {
			l.Fill(R(x, 0, 3.3, 10), half)
		}
		img := paint(l, store, 200, 10)
		for x := range int(60 * scale) {
			if c := img.RGBAAt(x, 2); c.R != 128 {
				t.Fatalf("scale %g: %v at %d", scale, c, x)
			}
		}
	}
}

func TestClip(t *testing.T) {
	l, store := newTestList(t, noSystem)
	img := image.NewRGBA(image.Rect(0, 0, 10, 10))
	for i := range 100 {
		img.Set(i%10, i/10, color.RGBA{uint8(i%10) * 20, uint8(i/10) * 20, 0, 255})
	}
	tex := store.NewImage(img, false)
	whole := func() { l.Image(tex, R(0, 0, 100, 100)) }
	whole()
	want := paint(l, store, 100, 100)
	l.Reset(image.Pt(100, 100), 1)
	l.PushClip(R(13, 20, 50, 33))
	l.PushClip(R(0, 25, 40, 100))
	if c := l.Clip(); c != R(13, 25, 27, 28) {
		t.Errorf("clip %v", c)
	}
	whole()
	l.PopClip()
	l.PopClip()
	l.PopClip() // one too many
	got := paint(l, store, 100, 100)
	for y := range 100 {
		for x := range 100 {
			w := color.RGBA{A: 255}
			if image.Pt(x, y).In(image.Rect(13, 25, 40, 53)) {
				w = want.RGBAAt(x, y)
			}
			if g := got.RGBAAt(x, y); g != w {
				t.Fatalf("%v at %d, %d, want %v", g, x, y, w)
			}
		}
	}
	l.PushClip(R(0, 0, 0, 0))
	n := len(l.quads(nil))
	l.Text(Pt(0, 0), body, "nothing", White)
	l.FillRound(R(0, 0, 50, 50), 8, White)
	if len(l.quads(nil)) != n {
		t.Error("quads in an empty clip")
	}
}

func TestLayers(t *testing.T) {
	l, store := newTestList(t, noSystem)
	before := l.SetLayer(3)
	l.Fill(R(0, 0, 10, 10), Color{255, 0, 0, 255})
	l.SetLayer(before)
	l.Fill(R(0, 0, 20, 20), Color{0, 255, 0, 255})
	img := paint(l, store, 20, 20)
	if img.RGBAAt(5, 5).R != 255 || img.RGBAAt(15, 15).G != 255 {
		t.Errorf("got %v and %v", img.RGBAAt(5, 5), img.RGBAAt(15, 15))
	}
}

func TestRoundShapes(t *testing.T) {
	l, store := newTestList(t, noSystem)
	area := func(f func(r Rect)) (sum float64, img *image.RGBA) {
		l.Reset(image.Pt(100, 60), 1)
		f(R(0, 0, 100, 60))
		img = paint(l, store, 100, 60)
		for i := 0; i < len(img.Pix); i += 4 {
			sum += float64(img.Pix[i]) / 255
		}
		return sum, img
	}
	sum, img := area(func(r Rect) { l.FillRound(r, 20, White) })
	if want := 100*60 - (4-3.14159)*400; sum < want-25 || sum > want+25 {
		t.Errorf("a rounded rectangle covers %g pixels, want %g", sum, want)
	}
	if img.RGBAAt(0, 0).R != 0 || img.RGBAAt(50, 0).R != 255 || img.RGBAAt(99, 30).R != 255 {
		t.Error("the corners are not where they belong")
	}
	sum, img = area(func(r Rect) { l.Border(r, 20, 2, White) })
	if want := 2.0 * (2*60 + 2*20 + 2*3.14159*19); sum < want-25 || sum > want+25 {
		t.Errorf("a border covers %g pixels, want %g", sum, want)
	}
	if img.RGBAAt(50, 30).R != 0 || img.RGBAAt(50, 1).R != 255 || img.RGBAAt(1, 30).R != 255 {
		t.Error("the border is not where it belongs")
	}
	for _, r := range []Rect{{}, R(5, 5, 1, 1), R(5, 5, 3, 90), R(0, 0, -5, 10)} {
		area(func(Rect) {
			l.FillRound(r, 50, White)
			l.Border(r, 50, 3, White)
			l.Shadow(r, 5, 12, Black)
		})
	}
}

func TestIconsAreAllThere(t *testing.T) {
	l, store := newTestList(t, noSystem)
	seen := map[string]Icon{}
	for i := NoIcon + 1; i < icons; i++ {
		l.Reset(image.Pt(24, 24), 1)
		l.Icon(R(0, 0, 24, 24), i, 24, White)
		pix := string(paint(l, store, 24, 24).Pix)
		if other, ok := seen[pix]; ok || len(l.quads(nil)) == 0 {
			t.Errorf("icon %d is empty or as %d", i, other)
		}
		seen[pix] = i
	}
	l.Icon(R(0, 0, 24, 24), icons, 24, White) // none such
}

// copies is a renderer's textures.
type copies struct {
	pix  map[Texture][]byte
	fail bool
}

func (c *copies) Update(t Texture, p *Pixels, r image.Rectangle) error {
	if c.fail {
		return errors.New("no memory")
	}
	if c.pix[t] == nil {
		c.pix[t] = make([]byte, len(p.Pix))
	}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		from, to := p.Format.Size()*(y*p.W+r.Min.X), p.Format.Size()*(y*p.W+r.Max.X)
		copy(c.pix[t][from:to], p.Pix[from:to])
	}
	return nil
}

func (c *copies) Destroy(t Texture) { delete(c.pix, t) }

func TestStoreSync(t *testing.T) {
	l, store := newTestList(t, noSystem)
	c := &copies{pix: map[Texture][]byte{}, fail: true}
	a := store.New(3, 2, BGRX, false)
	if store.Sync(c) == nil {
		t.Error("the renderer's error is lost")
	}
	c.fail = false
	same := func(when string) {
		t.Helper()
		if err := store.Sync(c); err != nil {
			t.Error(err)
		}
		for i, p := range store.textures {
			if p != nil && string(c.pix[Texture(i+1)]) != string(p.Pix) {
				t.Errorf("%s: texture %d differs", when, i+1)
			}
		}
	}
	same("first")
	l.Text(Pt(0, 0), body, "Ann", White)
	if err := store.Lend(a, []byte("123456789012abcdefghijkl"), true); err != nil {
		t.Error(err)
	}
	same("after changes")
	c.pix = map[Texture][]byte{}
	store.Lost()
	same("after all was lost")
	store.Free(a)
	store.Free(a)
	same("after one was freed")
	if b := store.New(1, 1, RGBA, true); b != a || store.Pixels(b).W != 1 {
		t.Errorf("texture %d instead of the one freed", b)
	}
	same("after it was given again")
	for _, bad := range []error{store.Lend(99, nil, true), store.Lend(a, []byte("123"), true), store.Lend(-1, nil, true)} {
		if bad == nil {
			t.Error("lent what cannot be lent")
		}
	}
}

// When the pages are full of letters, they are drawn anew, and the next
// picture is right again.
func TestAtlasFull(t *testing.T) {
	l, store := newTestList(t, noSystem)
	l.Text(Pt(0, 0), body, "Ann", White)
	want := paint(l, store, 100, 30)
	for size := float32(100); !l.fonts.atlas.full; size++ {
		if size > 400 {
			t.Fatal("the pages never fill")
		}
		for r := 'A'; r < 'z'; r++ {
			l.Text(Pt(0, 0), Style{Size: size, Weight: Bold}, string(r), White)
		}
	}
	l.Reset(image.Pt(640, 480), 1)
	l.Text(Pt(0, 0), body, "Ann", White)
	got := paint(l, store, 100, 30)
	if string(got.Pix) != string(want.Pix) {
		t.Error("another picture than before")
	}
	if n := len(l.fonts.atlas.pages); n != 1 {
		t.Errorf("%d pages after all was forgotten", n)
	}
}

func TestRectCuts(t *testing.T) {
	r := R(0, 0, 100, 50)
	if top := r.Top(10); top != R(0, 0, 100, 10) || r != R(0, 10, 100, 40) {
		t.Errorf("top %v, left %v", top, r)
	}
	if b := r.CutBottom(10); b != R(0, 40, 100, 10) {
		t.Errorf("bottom %v", b)
	}
	if l := r.Left(30); l != R(0, 10, 30, 30) {
		t.Errorf("left %v", l)
	}
	if x := r.CutRight(1000); x != R(30, 10, 70, 30) || !r.Empty() {
		t.Errorf("right %v, left %v", x, r)
	}
	if c := R(0, 0, 10, 10).Inset(20); c != R(5, 5, 0, 0) {
		t.Errorf("inset %v", c)
	}
}

func BenchmarkText(b *testing.B) {
	l, _ := newTestList(b, noSystem)
	b.ReportAllocs()
	for b.Loop() {
		l.Reset(image.Pt(640, 480), 1)
		for y := range 20 {
			l.Text(Pt(0, float32(y)*20), body, "waiting for Bob 1.2 s, アンナ is ready", White)
		}
	}
}
