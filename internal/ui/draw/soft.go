package draw

import "image"

// softLine is a row of a texture, as wide as it is painted, its colours 16 bits apart.
type softLine struct {
	of  int // the row; -1 for none
	pix []uint64
}

// soft paints a texture without opacity, its pixels running into each other. Each row of
// the texture is drawn out once, for all rows of the surface that show something of it.
func (b *brush) soft(in image.Rectangle, q *quad, p *Pixels) {
	b.softAcross(in, q, p)
	b.above.of, b.below.of = -1, -1
	for y := in.Min.Y; y < in.Max.Y; y++ {
		at := spotOf(q.down(y, p), p.H)
		if int(at.i) == b.below.of {
			b.above, b.below = b.below, b.above
		}
		b.drawOut(&b.above, p, int(at.i))
		b.drawOut(&b.below, p, int(at.j))
		w := uint64(at.weight)
		to, one, two := b.to.row(in, y), b.above.pix, b.below.pix
		one, two = one[:len(to)], two[:len(to)]
		for x := range to {
			to[x] = joined((one[x]*(256-w) + two[x]*w) >> 8)
		}
	}
}

// softAcross finds where in a texture each column of a rectangle is seen.
func (b *brush) softAcross(in image.Rectangle, q *quad, p *Pixels) {
	b.spots = b.spots[:0]
	for x := in.Min.X; x < in.Max.X; x++ {
		b.spots = append(b.spots, spotOf(along(x, q.a.X, q.b.X, q.a.U, q.b.U, p.W), p.W))
	}
}

// drawOut makes a line of row y, unless it is that.
func (b *brush) drawOut(l *softLine, p *Pixels, y int) {
	if l.of == y {
		return
	}
	l.of, l.pix = y, l.pix[:0]
	p.line(b.line[:], y)
	for _, s := range b.spots {
		one, two := spread(b.line[s.i&(MaxSide-1)]), spread(b.line[s.j&(MaxSide-1)])
		l.pix = append(l.pix, (one*uint64(256-s.weight)+two*uint64(s.weight))>>8&0x00ff_00ff_00ff)
	}
}

// softBlend paints a texture over what is there, in a colour, its pixels run together.
func (b *brush) softBlend(in image.Rectangle, q *quad, p *Pixels) {
	b.softAcross(in, q, p)
	for y := in.Min.Y; y < in.Max.Y; y++ {
		v, to := spotOf(q.down(y, p), p.H), b.to.row(in, y)
		for x, u := range b.spots {
			t := float32(u.weight) / 256
			top := p.at(int(u.i), int(v.i)).Mix(p.at(int(u.j), int(v.i)), t)
			bottom := p.at(int(u.i), int(v.j)).Mix(p.at(int(u.j), int(v.j)), t)
			over(&to[x], q.a.Color.multiply(top.Mix(bottom, float32(v.weight)/256)))
		}
	}
}
