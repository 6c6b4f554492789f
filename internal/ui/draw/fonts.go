package draw

import (
	"fmt"
	"image"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
)

// Weight is a cut of the font.
type Weight uint8

// Weights.
const (
	Regular Weight = iota
	Medium
	Bold
	Mono
	weights
)

// Style is the style of text.
type Style struct {
	Size   float32 // of the font, in points: about the distance from the top of a letter to the bottom of the deepest
	Weight Weight
}

// Fonts writes: it finds the font for each letter, and keeps the pictures of
// letters, corners, shadows and icons that were needed so far, in pages that
// are textures of its store.
type Fonts struct {
	atlas  atlas
	latin  [weights]*outline
	paths  []string // of the system's fonts; nil once one was looked for
	system source
	faces  map[uint32]*face // by size, in quarters of a pixel, and weight
	shapes map[shapeKey]mask

	drawings map[rune]drawing  // of emoji; nil until one is written
	names    map[rune]string   // of emoji; nil until one is written that has no drawing
	plates   map[string]string // what was asked for of them
}

// NewFonts makes fonts that keep their pages in a store. Letters that the Go fonts lack come
// from the first usable font of some paths, [SystemFonts] if nil. An empty list means none,
// so that pictures are the same on every machine.
func NewFonts(store *Store, paths []string) (*Fonts, error) {
	f := &Fonts{atlas: atlas{store: store}}
	for w, data := range [weights][]byte{goregular.TTF, gomedium.TTF, gobold.TTF, gomono.TTF} {
		font, err := opentype.Parse(data)
		if err != nil {
			return nil, fmt.Errorf("draw: parse a font that is compiled in: %w", err)
		}
		f.latin[w] = &outline{font: font, plain: Weight(w) != Mono}
	}
	if f.paths = paths; paths == nil {
		f.paths = SystemFonts()
	}
	f.forget()
	return f, nil
}

func (f *Fonts) forget() { f.shapes, f.faces = map[shapeKey]mask{}, map[uint32]*face{} }

// next begins another list: if the pages are full, all is drawn anew.
func (f *Fonts) next() {
	if f.atlas.full {
		f.atlas.clear()
		f.forget()
	}
}

// face returns a style at a scale.
func (f *Fonts) face(s Style, scale float32) *face {
	w, quarters := min(s.Weight, weights-1), uint32(clamp(s.Size*scale, 4, 500)*4+0.5)
	key := quarters*uint32(weights) + uint32(w)
	fc := f.faces[key]
	if fc == nil {
		fc = &face{fonts: f, px: float32(quarters) / 4, weight: w, others: map[glyphKey]*glyph{}}
		if o := fc.open(0); o.face != nil {
			m := o.face.Metrics()
			fc.ascent, fc.descent = float32(m.Ascent)/64, float32(m.Descent)/64
		}
		f.faces[key] = fc
	}
	return fc
}

// face is one weight at one size in pixels.
type face struct {
	fonts   *Fonts
	px      float32
	weight  Weight
	ascent  float32
	descent float32
	ascii   [128][steps]*glyph
	others  map[glyphKey]*glyph
	sources [3]opened // latin, system, bitmap
}

// opened is a font at a size, nil if it is not to be had.
type opened struct {
	tried   bool
	source  source
	face    font.Face
	enlarge int
}

// steps is at how many places between two pixels a letter can begin.
const steps = 4

type glyphKey struct {
	r    rune
	step uint8
}

// glyph is one letter at one place between two pixels.
type glyph struct {
	mask
	advance float32 // pixels
}

// open returns the n-th font in the order of preference.
func (fc *face) open(n int) *opened {
	o := &fc.sources[n]
	if o.tried {
		return o
	}
	o.tried = true
	switch n {
	case 0:
		o.source = fc.fonts.latin[fc.weight]
	case 1:
		if f := fc.fonts; f.paths != nil { // it was not needed yet
			f.system, f.paths = openSystem(f.paths), nil
		}
		o.source = fc.fonts.system
	case 2:
		o.source = bitmap{}
	}
	if o.source != nil {
		o.face, o.enlarge = o.source.open(fc.px)
	}
	return o
}

// find returns the font that has a letter, nil if none has.
func (fc *face) find(r rune) *opened {
	for n := range fc.sources {
		if o := fc.open(n); o.face != nil && o.source.has(r) {
			return o
		}
	}
	return nil
}

// glyph returns a letter that begins step/steps of a pixel right of a whole one.
func (fc *face) glyph(r rune, step uint8) *glyph {
	if r >= 0 && r < 128 {
		g := &fc.ascii[r][step]
		if *g == nil {
			*g = fc.make(r, step)
		}
		return *g
	}
	key := glyphKey{r, step}
	g := fc.others[key]
	if g == nil {
		g = fc.make(r, step)
		fc.others[key] = g
	}
	return g
}

func (fc *face) make(r rune, step uint8) *glyph {
	if silent(r) {
		return &glyph{}
	}
	o := fc.find(r)
	switch {
	case o != nil:
	case combining(r):
		return &glyph{} // the letter below it shows, or its box does
	default:
		return fc.box()
	}
	g := &glyph{}
	if a, ok := o.face.GlyphAdvance(r); ok && !combining(r) {
		g.advance = float32(a) / 64 * float32(o.enlarge)
	}
	alpha, at := rasterise(o.face, o.enlarge, r, float32(step)/steps)
	if alpha == nil {
		return g
	}
	if _, thin := o.source.(bitmap); thin && (fc.weight == Medium || fc.weight == Bold) {
		alpha = bolder(alpha)
	}
	g.mask = fc.fonts.atlas.add(alpha.Rect.Dx(), alpha.Rect.Dy(), func(out []byte) { copy(out, alpha.Pix) })
	g.left, g.top = float32(at.X), float32(at.Y)
	return g
}

// bolder makes the strokes of a letter wider to the right by half a pixel: whole ones would run into each other in kanji.
func bolder(a *image.Alpha) *image.Alpha {
	out := image.NewAlpha(image.Rect(0, 0, a.Rect.Dx()+1, a.Rect.Dy()))
	for y := range a.Rect.Dy() {
		was := uint8(0)
		for x := range out.Rect.Dx() {
			is := uint8(0)
			if x < a.Rect.Dx() {
				is = a.Pix[y*a.Stride+x]
			}
			out.Pix[y*out.Stride+x] = max(is, was/2)
			was = is
		}
	}
	return out
}

// box returns the glyph that stands for a letter that no font has.
func (fc *face) box() *glyph {
	w, h := int(max(fc.px*0.45, 3)), int(max(fc.px*0.65, 4))
	g := &glyph{advance: float32(w) + max(fc.px*0.15, 1)}
	g.mask = fc.fonts.atlas.add(w, h, func(out []byte) {
		for i := range out {
			if x, y := i%w, i/w; x == 0 || y == 0 || x == w-1 || y == h-1 {
				out[i] = 255
			}
		}
	})
	g.top = float32(-h)
	return g
}
