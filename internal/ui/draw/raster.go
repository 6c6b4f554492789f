package draw

import "image"

// Surface is memory that is painted on. A pixel has blue in its lowest 8 bits, then
// green and red; the highest 8 are 255 where something was painted.
type Surface struct {
	Size  image.Point
	Pitch int // pixels from one row to the next
	Pix   []uint32
}

// row returns the pixels of a rectangle in one of its rows.
func (s *Surface) row(in image.Rectangle, y int) []uint32 {
	return s.Pix[y*s.Pitch+in.Min.X:][:in.Dx():in.Dx()]
}

// opaque is the part of a pixel that says that it was painted.
const opaque = 0xff000000

// word is a colour as a surface has it.
func (c Color) word() uint32 { return uint32(c.R)<<16 | uint32(c.G)<<8 | uint32(c.B) }

// quad is a rectangle to be painted.
type quad struct {
	texture Texture
	at      image.Rectangle
	a, b    Vertex // its top left and bottom right corner
}

// quads appends what is on a list, in the order of painting.
func (l *List) quads(to []quad) []quad {
	l.Each(func(t Texture, v []Vertex) {
		for ; len(v) >= 4; v = v[4:] {
			a, b := v[0], v[2]
			to = append(to, quad{t, image.Rect(int(a.X), int(a.Y), int(b.X), int(b.Y)), a, b})
		}
	})
	return to
}

// covers reports whether nothing of what is below a quad is seen in a rectangle.
func (q *quad) covers(r image.Rectangle, s *Store) bool {
	if !r.In(q.at) || q.a.Color.A != 255 {
		return false
	}
	p := s.Pixels(q.texture)
	return q.texture == 0 || p != nil && p.Format != RGBA
}

// Raster returns the picture of a list, with the pixels of a store, as a renderer would
// paint it. Quads of textures that the store no longer has are left out.
func Raster(l *List, s *Store) *image.RGBA {
	b := &brush{to: Surface{Size: l.size, Pitch: l.size.X, Pix: make([]uint32, l.size.X*l.size.Y)}, store: s}
	for _, q := range l.quads(nil) {
		b.paint(&q, image.Rectangle{Max: l.size})
	}
	return b.to.Image()
}

// Image returns a copy of what is on a surface, opaque.
func (s *Surface) Image() *image.RGBA {
	img := image.NewRGBA(image.Rectangle{Max: s.Size})
	for y := range s.Size.Y {
		row := img.Pix[y*img.Stride:]
		for x, v := range s.Pix[y*s.Pitch:][:s.Size.X] {
			row[4*x], row[4*x+1], row[4*x+2], row[4*x+3] = uint8(v>>16), uint8(v>>8), uint8(v), 255
		}
	}
	return img
}
