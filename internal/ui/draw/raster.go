package draw

import (
	"image"
	"math"
)

// Raster paints a list over an image, with the pixels of a store, as a renderer
// would. Quads of textures that the store no longer has are left out.
func Raster(dst *image.RGBA, l *List, s *Store) {
	l.Each(func(t Texture, quads []Vertex) {
		p := s.Pixels(t)
		if t != 0 && p == nil {
			return
		}
		for i := 0; i+3 < len(quads); i += 4 {
			rasterQuad(dst, quads[i], quads[i+2], p)
		}
	})
}

func rasterQuad(dst *image.RGBA, a, b Vertex, p *Pixels) {
	in := image.Rect(int(a.X), int(a.Y), int(b.X), int(b.Y)).Intersect(dst.Rect)
	if p == nil {
		rasterFill(dst, in, a.Color)
		return
	}
	for y := in.Min.Y; y < in.Max.Y; y++ {
		v := a.V + (b.V-a.V)*(float32(y)+0.5-a.Y)/(b.Y-a.Y)
		row := dst.Pix[dst.PixOffset(in.Min.X, y):]
		for x := in.Min.X; x < in.Max.X; x++ {
			u := a.U + (b.U-a.U)*(float32(x)+0.5-a.X)/(b.X-a.X)
			if c := p.sample(u, v); c.A > 0 {
				blend(row[4*(x-in.Min.X):][:4:4], multiply(a.Color, c))
			}
		}
	}
}

// rasterFill paints one colour.
func rasterFill(dst *image.RGBA, in image.Rectangle, c Color) {
	if in.Empty() {
		return
	}
	first := dst.Pix[dst.PixOffset(in.Min.X, in.Min.Y):][:4*in.Dx()]
	for y := in.Min.Y; y < in.Max.Y; y++ {
		row := dst.Pix[dst.PixOffset(in.Min.X, y):][:4*in.Dx()]
		if c.A == 255 && y > in.Min.Y {
			copy(row, first)
			continue
		}
		for x := 0; x < len(row); x += 4 {
			blend(row[x:][:4:4], c)
		}
	}
}

func multiply(c, d Color) Color {
	m := func(a, b uint8) uint8 { return uint8((uint32(a)*uint32(b) + 127) / 255) }
	return Color{m(c.R, d.R), m(c.G, d.G), m(c.B, d.B), m(c.A, d.A)}
}

// blend paints a colour over an opaque pixel.
func blend(pix []byte, c Color) {
	a := uint32(c.A)
	mix := func(under, over uint8) uint8 { return uint8((uint32(over)*a + uint32(under)*(255-a) + 127) / 255) }
	pix[0], pix[1], pix[2], pix[3] = mix(pix[0], c.R), mix(pix[1], c.G), mix(pix[2], c.B), 255
}

// sample returns the colour at a place, 0 to 1.
func (p *Pixels) sample(u, v float32) Color {
	x, y := float64(u)*float64(p.W), float64(v)*float64(p.H)
	if !p.Smooth {
		return p.at(int(x), int(y))
	}
	x, y = x-0.5, y-0.5
	x0, y0 := math.Floor(x), math.Floor(y)
	i, j := int(x0), int(y0)
	top := p.at(i, j).Mix(p.at(i+1, j), float32(x-x0))
	bottom := p.at(i, j+1).Mix(p.at(i+1, j+1), float32(x-x0))
	return top.Mix(bottom, float32(y-y0))
}

// at returns a pixel; outside, the nearest one.
func (p *Pixels) at(x, y int) Color {
	x, y = max(0, min(x, p.W-1)), max(0, min(y, p.H-1))
	q := p.Pix[4*(y*p.W+x):][:4:4]
	if p.Format == BGRX {
		return Color{q[2], q[1], q[0], 255}
	}
	return Color{q[0], q[1], q[2], q[3]}
}
