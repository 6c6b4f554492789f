package draw

import "image"

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
	return q.texture == 0 || p != nil && p.Format.Opaque()
}

// paint paints the part of a quad that is in a rectangle.
func (b *brush) paint(q *quad, clip image.Rectangle) {
	in := q.at.Intersect(clip).Intersect(image.Rectangle{Max: b.to.Size})
	if in.Empty() || q.a.Color.A == 0 {
		return
	}
	p := b.store.Pixels(q.texture)
	switch {
	case q.texture == 0:
		b.fill(in, q.a.Color)
	case p == nil: // it is gone
	case p.Format == Mask:
		b.stencil(in, q, p)
	case p.Format == RGBA && p.Smooth:
		b.softBlend(in, q, p)
	case p.Format == RGBA:
		b.blend(in, q, p)
	case p.Smooth:
		b.soft(in, q, p)
	default:
		b.sharp(in, q, p)
	}
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
