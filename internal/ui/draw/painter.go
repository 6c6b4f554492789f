package draw

import (
	"image"
	"slices"
)

// Painter paints lists on a surface that keeps what was painted, and only what is another
// than before. It alone decides what that is: quads that were not there, are not there any
// more, or whose texture has changed. The zero value is ready.
type Painter struct {
	brush   brush
	quads   []quad
	before  []quad
	changed []bool // textures, by their number
	on      Surface
	damage  []image.Rectangle
}

// Forget lets the next Paint paint everything.
func (p *Painter) Forget() { p.on = Surface{} }

// Paint paints lists, the later ones over the earlier, on a surface that is black where
// nothing is, and returns where it has changed: rectangles that are the Painter's. A
// surface other than the last is painted anew. No other renderer may follow the store.
func (p *Painter) Paint(to Surface, s *Store, lists ...*List) []image.Rectangle {
	clear(p.changed)
	_ = s.Sync(p) // it cannot fail
	p.quads, p.before = p.before[:0], p.quads
	for _, l := range lists {
		p.quads = l.quads(p.quads)
	}
	p.find(image.Rectangle{Max: to.Size}, !p.on.same(to))
	p.on, p.brush.to, p.brush.store = to, to, s
	for _, r := range p.damage {
		p.repaint(r)
	}
	return p.damage
}

// same reports whether two surfaces are the same memory.
func (s *Surface) same(t Surface) bool {
	return len(s.Pix) == len(t.Pix) && len(s.Pix) > 0 && &s.Pix[0] == &t.Pix[0] && s.Size == t.Size && s.Pitch == t.Pitch
}

// find finds what has to be painted.
func (p *Painter) find(bounds image.Rectangle, all bool) {
	p.damage = p.damage[:0]
	if all {
		p.damage = append(p.damage, bounds)
		return
	}
	add := func(q *quad) {
		if r := q.at.Intersect(bounds); !r.Empty() {
			p.add(r)
		}
	}
	both := min(len(p.quads), len(p.before))
	for i := range both {
		is, was := &p.quads[i], &p.before[i]
		if *is != *was {
			add(was)
			add(is)
		} else if int(is.texture) < len(p.changed) && p.changed[is.texture] {
			add(is)
		}
	}
	for _, rest := range [...][]quad{p.quads[both:], p.before[both:]} {
		for i := range rest {
			add(&rest[i])
		}
	}
}

// maxDamage is the number of rectangles that are painted by themselves, and smallDamage how many pixels
// one may have that is made of several.
const (
	maxDamage   = 32
	smallDamage = 1 << 15
)

// add adds what has to be painted. Small rectangles near each other, as of letters, become one.
func (p *Painter) add(r image.Rectangle) {
	for i := 0; i < len(p.damage); i++ {
		d := p.damage[i]
		if r.In(d) {
			return
		}
		if u := r.Union(d); u == r || area(u) <= smallDamage && area(u) <= 2*(area(r)+area(d)) {
			r = u
			p.damage = slices.Delete(p.damage, i, i+1)
			i = -1 // what is larger may touch others
		}
	}
	p.damage = append(p.damage, r)
	if len(p.damage) > maxDamage {
		for _, d := range p.damage {
			r = r.Union(d)
		}
		p.damage = append(p.damage[:0], r)
	}
}

func area(r image.Rectangle) int { return r.Dx() * r.Dy() }

// repaint paints what is in a rectangle, from the last quad on that hides all below it.
func (p *Painter) repaint(r image.Rectangle) {
	first := len(p.quads) - 1
	for first >= 0 && !p.quads[first].covers(r, p.brush.store) {
		first--
	}
	if first < 0 {
		p.brush.clear(r, Black)
		first = 0
	}
	for i := first; i < len(p.quads); i++ {
		if p.quads[i].at.Overlaps(r) {
			p.brush.paint(&p.quads[i], r)
		}
	}
}

// Update implements [Uploader]: a Painter has no copies, it only takes note.
func (p *Painter) Update(t Texture, _ *Pixels, _ image.Rectangle) error {
	p.Destroy(t)
	return nil
}

// Destroy implements [Uploader].
func (p *Painter) Destroy(t Texture) {
	for len(p.changed) <= int(t) {
		p.changed = append(p.changed, false)
	}
	p.changed[t] = true
}
