package draw

import (
	"image"
	"math/rand/v2"
	"slices"
	"testing"
)

// newSurface is memory with rows that are longer than what they show.
func newSurface(w, h int) Surface {
	return Surface{Size: image.Pt(w, h), Pitch: w + 3, Pix: make([]uint32, (w+3)*h)}
}

// FuzzPainter: what is painted bit by bit is what is painted at once, and nothing changes
// where the painter does not say so.
func FuzzPainter(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		random := rand.New(rand.NewPCG(seed, 0))
		l, store := newTestList(t, noSystem)
		sc := &randomScene{random: random, list: l, store: store}
		var p Painter
		to := newSurface(90, 70)
		shown := slices.Clone(to.Pix)
		for step := range 12 {
			sc.change()
			if random.IntN(12) == 0 {
				p.Forget()
			}
			for _, r := range p.Paint(to, store, sc.paint()) {
				for y := r.Min.Y; y < r.Max.Y; y++ {
					at := y*to.Pitch + r.Min.X
					copy(shown[at:at+r.Dx()], to.Pix[at:])
				}
			}
			if !slices.Equal(shown, to.Pix) {
				t.Fatalf("step %d: something changed where the painter does not say so", step)
			}
			whole := newSurface(90, 70)
			(&Painter{}).Paint(whole, store, l)
			if !slices.Equal(whole.Pix, to.Pix) {
				t.Fatalf("step %d: another picture than when all is painted", step)
			}
		}
	})
}

// randomScene is a list of things that come, change and go.
type randomScene struct {
	random *rand.Rand
	list   *List
	store  *Store
	things []thing
}

type thing struct {
	texture Texture
	at      Rect
	color   Color
	text    string
}

func (s *randomScene) change() {
	n := len(s.things)
	switch kind := s.random.IntN(6); {
	case n < 4 || kind == 0:
		s.things = slices.Insert(s.things, s.random.IntN(n+1), s.thing())
	case kind == 1:
		i := s.random.IntN(n)
		s.store.Free(s.things[i].texture)
		s.things = slices.Delete(s.things, i, i+1)
	case kind == 2:
		s.things[s.random.IntN(n)].at = s.place()
	case kind == 3:
		for _, th := range s.things {
			if p := s.store.Pixels(th.texture); p != nil {
				p.Pix[s.random.IntN(len(p.Pix))] ^= 0x55
				_ = s.store.Lend(th.texture, p.Pix, true)
			}
		}
	}
}

func (s *randomScene) place() Rect {
	return R(float32(s.random.IntN(100)-10), float32(s.random.IntN(80)-10), float32(1+s.random.IntN(70)), float32(1+s.random.IntN(60)))
}

func (s *randomScene) thing() thing {
	th := thing{at: s.place(), color: White}
	switch s.random.IntN(4) {
	case 0:
		th.color = Color{200, uint8(s.random.IntN(256)), 10, []uint8{255, 255, 90}[s.random.IntN(3)]}
	case 1:
		th.text = "Ann, ボブ"
	default:
		format := Format(s.random.IntN(4))
		th.texture = s.store.New(1+s.random.IntN(40), 1+s.random.IntN(40), format, s.random.IntN(2) == 0)
		pix := s.store.Pixels(th.texture).Pix
		for i := range pix {
			pix[i] = uint8(s.random.Uint32())
		}
	}
	return th
}

func (s *randomScene) paint() *List {
	s.list.Reset(image.Pt(90, 70), 1)
	for _, th := range s.things {
		switch {
		case th.text != "":
			s.list.Text(Pt(th.at.X, th.at.Y), body, th.text, th.color)
		case th.texture != 0:
			s.list.ImagePixels(th.texture, th.at, UV{0.1, 0, 1, 0.9})
		default:
			s.list.Fill(th.at, th.color)
		}
	}
	return s.list
}

// The painter leaves unchanged things alone, and paints only the places of changed ones.
func TestPaintsWhatChanged(t *testing.T) {
	l, store := newTestList(t, noSystem)
	top, bottom := store.New(8, 6, RGB565, false), store.New(8, 6, RGB565, false)
	lent := [2][]byte{make([]byte, 96), make([]byte, 96)}
	text := "in sync"
	scene := func() *List {
		l.Reset(image.Pt(80, 160), 1)
		l.Fill(l.Bounds(), RGB(0x112233))
		l.Image(top, R(0, 0, 80, 60))
		l.Image(bottom, R(0, 60, 80, 60))
		l.Text(Pt(4, 130), body, text, White)
		return l
	}
	var p Painter
	to := newSurface(80, 160)
	expect := func(what string, want ...image.Rectangle) {
		t.Helper()
		if got := p.Paint(to, store, scene()); !slices.Equal(got, want) {
			t.Errorf("%s: %v was painted, want %v", what, got, want)
		}
	}
	expect("the first picture", image.Rect(0, 0, 80, 160))
	p.Paint(to, store, scene()) // letters were new
	expect("the same again")
	if err := store.Lend(bottom, lent[0], true); err != nil {
		t.Error(err)
	}
	expect("one screen", image.Rect(0, 60, 80, 120))
	if err := store.Lend(bottom, lent[1], false); err != nil {
		t.Error(err)
	}
	expect("the same screen, elsewhere")
	text = "in sync 9 s ago"
	for _, r := range p.Paint(to, store, scene()) {
		if !r.In(image.Rect(0, 125, 80, 150)) {
			t.Errorf("%v was painted because of a text at the bottom", r)
		}
	}
	to = newSurface(80, 160)
	expect("another surface", image.Rect(0, 0, 80, 160))
	p.Forget()
	expect("all forgotten", image.Rect(0, 0, 80, 160))
	if store.Lend(99, lent[0], true) == nil || store.Lend(top, lent[0][:95], true) == nil {
		t.Error("lent what cannot be lent")
	}
}

// Soft pixels are the same whether or not there is something to blend.
func TestSoftLikeBlended(t *testing.T) {
	l, store := newTestList(t, noSystem)
	tex, see := store.New(16, 12, BGRX, true), store.New(16, 12, RGBA, true)
	for i := range 16 * 12 {
		r, g, b := uint8(i*7), uint8(i*31), uint8(i*91)
		copy(store.Pixels(tex).Pix[4*i:], []byte{b, g, r, 0})
		copy(store.Pixels(see).Pix[4*i:], []byte{r, g, b, 255})
	}
	for _, at := range []Rect{R(0, 0, 100, 80), R(-5, -7, 33, 90), R(3, 3, 5, 4)} {
		var got [2]Surface
		for i, texture := range []Texture{tex, see} {
			l.Reset(image.Pt(100, 80), 1)
			l.Image(texture, at)
			got[i] = newSurface(100, 80)
			(&Painter{}).Paint(got[i], store, l)
		}
		for i, v := range got[0].Pix {
			w := got[1].Pix[i]
			for bit := 0; bit < 24; bit += 8 {
				if d := int(v>>bit&0xff) - int(w>>bit&0xff); d > 2 || d < -2 {
					t.Fatalf("%v: %06x and %06x at %d", at, v, w, i)
				}
			}
		}
	}
}

// Sampled tells what is painted.
func TestSampledIsWhatIsPainted(t *testing.T) {
	l, store := newTestList(t, noSystem)
	tex := store.New(40, 30, BGRX, false)
	for i := range 40 * 30 {
		copy(store.Pixels(tex).Pix[4*i:], []byte{uint8(i % 40), uint8(i / 40), 0, 0})
	}
	for _, at := range []image.Rectangle{image.Rect(0, 0, 40, 30), image.Rect(7, 3, 96, 79), image.Rect(1, 1, 20, 16)} {
		l.Reset(image.Pt(100, 80), 1)
		uv := UV{0.001, 0.001, 1, 1}
		l.ImagePixels(tex, R(float32(at.Min.X), float32(at.Min.Y), float32(at.Dx()), float32(at.Dy())), uv)
		to := newSurface(100, 80)
		(&Painter{}).Paint(to, store, l)
		columns, rows := Sampled(at, image.Pt(40, 30), uv)
		for y, j := range rows {
			for x, i := range columns {
				if v := to.Pix[(at.Min.Y+y)*to.Pitch+at.Min.X+x]; v != opaque|uint32(j)<<8|uint32(i) {
					t.Fatalf("%v: %08x at %d, %d, want %d, %d", at, v, x, y, i, j)
				}
			}
		}
	}
}

// BenchmarkPainter is painting two screens that have changed, 768x1152 in all.
func BenchmarkPainter(b *testing.B) {
	for _, scene := range []struct {
		name   string
		format Format
		smooth bool
		width  float32
	}{{"565", RGB565, false, 768}, {"8888", BGRX, false, 768}, {"uneven", BGRX, false, 700}, {"small", RGB565, false, 140}, {"soft", BGRX, true, 768}} {
		b.Run(scene.name, func(b *testing.B) {
			l, store := newTestList(b, noSystem)
			top, bottom := store.New(256, 192, scene.format, scene.smooth), store.New(256, 192, scene.format, scene.smooth)
			pix := store.Pixels(top).Pix
			for i := range pix {
				pix[i] = byte(i*7 + i>>8)
			}
			to := newSurface(768, 1152)
			var p Painter
			high := scene.width * 3 / 4
			for b.Loop() {
				l.Reset(image.Pt(768, 1152), 1)
				l.Image(top, R(0, 0, scene.width, high))
				l.Image(bottom, R(0, high, scene.width, high))
				_ = store.Lend(top, pix, true)
				_ = store.Lend(bottom, pix, true)
				p.Paint(to, store, l)
			}
		})
	}
}
