package draw

import "image"

// brush paints quads on a surface. The pixels of a quad do not depend on which part of it is asked for.
type brush struct {
	to    Surface
	store *Store

	// Memory that is used again.
	columns      []uint16
	spots        []spot
	line         [MaxSide]uint32 // a row of a texture
	above, below softLine
}

// fill paints one colour.
func (b *brush) fill(in image.Rectangle, c Color) {
	if c.A == 255 {
		b.clear(in, c)
		return
	}
	over, rest := c.times(), uint64(255-c.A)
	for y := in.Min.Y; y < in.Max.Y; y++ {
		row := b.to.row(in, y)
		for x, under := range row {
			row[x] = packed(over + spread(under)*rest)
		}
	}
}

// clear paints one opaque colour.
func (b *brush) clear(in image.Rectangle, c Color) {
	first := b.to.row(in, in.Min.Y)
	for x := range first {
		first[x] = c.word() | opaque
	}
	for y := in.Min.Y + 1; y < in.Max.Y; y++ {
		copy(b.to.row(in, y), first)
	}
}

// spread puts the three colours of a pixel 16 bits apart.
func spread(v uint32) uint64 {
	return uint64(v&0xff) | uint64(v&0xff00)<<8 | uint64(v&0xff0000)<<16
}

// packed makes a pixel of three numbers, each 255 times as much and rounded to the nearest.
func packed(v uint64) uint32 {
	v += 0x0080_0080_0080
	v = (v + v>>8&0x00ff_00ff_00ff) >> 8
	return joined(v)
}

// joined makes a pixel of three numbers, of which the lowest eight bits count.
func joined(v uint64) uint32 {
	return uint32(v)&0xff | uint32(v>>8)&0xff00 | uint32(v>>16)&0xff0000 | opaque
}

// times are a colour's parts times its opacity.
func (c Color) times() uint64 { return spread(c.word()) * uint64(c.A) }

// sharp paints a texture without opacity as it is: each of its pixels a square. Rows that
// show the same of it are made once.
func (b *brush) sharp(in image.Rectangle, q *quad, p *Pixels) {
	b.across(in, q, p)
	enlarged, last := q.at.Dx() > p.W, -1
	for y := in.Min.Y; y < in.Max.Y; y++ {
		to := b.to.row(in, y)
		j := inside(int(q.down(y, p)), p.H)
		switch {
		case j == last:
			copy(to, b.to.row(in, y-1))
		case enlarged:
			p.line(b.line[:], j)
			gather(to, &b.line, b.columns)
		default:
			p.pick(to, j, b.columns)
		}
		last = j
	}
}

// gather takes pixels of a line by their columns.
func gather(to []uint32, line *[MaxSide]uint32, columns []uint16) {
	for len(columns) >= 4 && len(to) >= 4 {
		to[0], to[1] = line[columns[0]&(MaxSide-1)], line[columns[1]&(MaxSide-1)]
		to[2], to[3] = line[columns[2]&(MaxSide-1)], line[columns[3]&(MaxSide-1)]
		to, columns = to[4:], columns[4:]
	}
	for x, i := range columns {
		to[x] = line[i&(MaxSide-1)]
	}
}

// across finds which of a texture's columns are seen in a rectangle.
func (b *brush) across(in image.Rectangle, q *quad, p *Pixels) {
	b.columns = b.columns[:0]
	for x := in.Min.X; x < in.Max.X; x++ {
		b.columns = append(b.columns, uint16(inside(int(along(x, q.a.X, q.b.X, q.a.U, q.b.U, p.W)), p.W)))
	}
}

// down is where in a texture a row is, by along.
func (q *quad) down(y int, p *Pixels) float64 { return along(y, q.a.Y, q.b.Y, q.a.V, q.b.V, p.H) }

// blend paints a texture over what is there, in a colour.
func (b *brush) blend(in image.Rectangle, q *quad, p *Pixels) {
	b.across(in, q, p)
	for y := in.Min.Y; y < in.Max.Y; y++ {
		j, to := inside(int(q.down(y, p)), p.H), b.to.row(in, y)
		for x, i := range b.columns {
			if c := p.at(int(i), j); c.A > 0 {
				over(&to[x], q.a.Color.multiply(c))
			}
		}
	}
}

// stencil paints a colour where a mask lets it.
func (b *brush) stencil(in image.Rectangle, q *quad, p *Pixels) {
	b.across(in, q, p)
	c := q.a.Color
	for y := in.Min.Y; y < in.Max.Y; y++ {
		from, to := p.Pix[inside(int(q.down(y, p)), p.H)*p.W:][:p.W], b.to.row(in, y)
		for x, i := range b.columns {
			if a := from[i]; a > 0 {
				c.A = times(q.a.Color.A, a)
				over(&to[x], c)
			}
		}
	}
}

// over paints a colour over a pixel.
func over(pix *uint32, c Color) { *pix = packed(c.times() + spread(*pix)*uint64(255-c.A)) }

func (c Color) multiply(d Color) Color {
	return Color{times(c.R, d.R), times(c.G, d.G), times(c.B, d.B), times(c.A, d.A)}
}

// times multiplies two parts of colours, of which 255 is one.
func times(a, b uint8) uint8 { return uint8((uint32(a)*uint32(b) + 127) / 255) }
