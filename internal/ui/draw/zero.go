package draw

import (
	"image"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// plainZero is a face of a Go font whose zero has no stroke through it: between words it looks like a letter of another
// font. [Mono], for what is copied letter by letter, keeps the stroke.
type plainZero struct {
	font.Face
	font *sfnt.Font
	ppem fixed.Int26_6
}

// Glyph implements [font.Face]. The zero of the font has three contours: its edge, and what the stroke leaves of the
// hole in it on either side. The new hole touches the same four sides as they, with corners as round as the edge's.
func (p *plainZero) Glyph(dot fixed.Point26_6, r rune) (at image.Rectangle, mask image.Image, from image.Point, advance fixed.Int26_6, ok bool) {
	if r != '0' {
		return p.Face.Glyph(dot, r)
	}
	var buf sfnt.Buffer
	i, err := p.font.GlyphIndex(&buf, r)
	if err != nil {
		return p.Face.Glyph(dot, r)
	}
	all, err := p.font.LoadGlyph(&buf, i, p.ppem, nil)
	edge := 1
	for edge < len(all) && all[edge].Op != sfnt.SegmentOpMoveTo {
		edge++
	}
	if err != nil || edge >= len(all) {
		return p.Face.Glyph(dot, r)
	}
	b, hole := all.Bounds().Add(dot), all[edge:].Bounds().Add(dot)
	at = image.Rect(b.Min.X.Floor(), b.Min.Y.Floor(), b.Max.X.Ceil(), b.Max.Y.Ceil())
	z := vector.NewRasterizer(at.Dx(), at.Dy())
	place := func(f fixed.Point26_6) (x, y float32) {
		return float32(f.X)/64 - float32(at.Min.X), float32(f.Y)/64 - float32(at.Min.Y)
	}
	for _, s := range all[:edge] {
		x, y := place(s.Args[0].Add(dot))
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			z.MoveTo(x, y)
		case sfnt.SegmentOpLineTo:
			z.LineTo(x, y)
		case sfnt.SegmentOpQuadTo:
			x2, y2 := place(s.Args[1].Add(dot))
			z.QuadTo(x, y, x2, y2)
		}
	}
	z.ClosePath()
	left, top := place(hole.Min)
	right, bottom := place(hole.Max)
	middle, half := (left+right)/2, (top+bottom)/2
	z.MoveTo(middle, bottom) // the other way round than the edge
	z.QuadTo(right, bottom, right, half)
	z.QuadTo(right, top, middle, top)
	z.QuadTo(left, top, left, half)
	z.QuadTo(left, bottom, middle, bottom)
	z.ClosePath()
	out := image.NewAlpha(image.Rectangle{Max: at.Size()})
	z.Draw(out, out.Rect, image.Opaque, image.Point{})
	advance, ok = p.GlyphAdvance(r)
	return at, out, image.Point{}, advance, ok
}
