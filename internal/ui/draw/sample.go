package draw

import (
	"encoding/binary"
	"image"
	"slices"
)

// along returns where in a texture of n pixels the middle of pixel i is seen, when u of it
// is at a and v at b: 0 to n, if u and v are 0 to 1.
func along(i int, a, b, u, v float32, n int) float64 {
	return float64(u+(v-u)*(float32(i)+0.5-a)/(b-a)) * float64(n)
}

// Sampled tells which pixel of a texture of some size a sharp picture shows at each place of
// a rectangle: for each of its columns that of the texture, and for each row.
func Sampled(at image.Rectangle, size image.Point, uv UV) (columns, rows []int) {
	for x := at.Min.X; x < at.Max.X; x++ {
		columns = append(columns, inside(int(along(x, float32(at.Min.X), float32(at.Max.X), uv.U0, uv.U1, size.X)), size.X))
	}
	for y := at.Min.Y; y < at.Max.Y; y++ {
		rows = append(rows, inside(int(along(y, float32(at.Min.Y), float32(at.Max.Y), uv.V0, uv.V1, size.Y)), size.Y))
	}
	return columns, rows
}

// inside is the nearest of n pixels.
func inside(i, n int) int { return max(0, min(i, n-1)) }

// spot is where between two pixels of a texture a soft picture is seen.
type spot struct {
	i, j   int32  // the pixels
	weight uint32 // of the second, in 256ths
}

// spotOf is where the middle of a pixel is, by along.
func spotOf(at float64, n int) spot {
	at = max(at-0.5, 0)
	i := int(at)
	return spot{int32(inside(i, n)), int32(inside(i+1, n)), uint32((at-float64(i))*256 + 0.5)}
}

// The colours of the 16-bit formats, of the high byte of a pixel and the low one: what
// both tables have makes the pixel.
var (
	high565, low565   = tables(func(v int) uint32 { return widen(v>>11, 5)<<16 | widen(v>>5&0x3f, 6)<<8 | widen(v&0x1f, 5) })
	high1555, low1555 = tables(func(v int) uint32 { return widen(v>>10&0x1f, 5)<<16 | widen(v>>5&0x1f, 5)<<8 | widen(v&0x1f, 5) })
)

type table = [256]uint32

// tables makes tables of a function that gives each bit of its result from one bit of v.
func tables(color func(v int) uint32) (high, low *table) {
	high, low = new(table), new(table)
	for i := range 256 {
		high[i], low[i] = color(i<<8)|opaque, color(i)
	}
	return high, low
}

// widen makes 8 bits of fewer, so that the largest is the largest.
func widen(v, bits int) uint32 { return uint32(v<<(8-bits) | v>>(2*bits-8)) }

// line writes row y of a texture that has no opacity.
func (p *Pixels) line(to []uint32, y int) {
	size := p.Format.Size()
	from := p.Pix[y*p.W*size:][:p.W*size]
	to = to[:p.W]
	if size == 4 {
		for len(to) >= 2 && len(from) >= 8 {
			two := binary.LittleEndian.Uint64(from)
			to[0], to[1] = uint32(two)|opaque, uint32(two>>32)|opaque
			to, from = to[2:], from[8:]
		}
		for i := range to {
			to[i] = word(from[4*i:])
		}
		return
	}
	high, low := p.Format.tables()
	for len(to) >= 4 && len(from) >= 8 {
		four := binary.LittleEndian.Uint64(from)
		to[0], to[1] = high[uint8(four>>8)]|low[uint8(four)], high[uint8(four>>24)]|low[uint8(four>>16)]
		to[2], to[3] = high[uint8(four>>40)]|low[uint8(four>>32)], high[uint8(four>>56)]|low[uint8(four>>48)]
		to, from = to[4:], from[8:]
	}
	for i := range to {
		to[i] = high[from[2*i+1]] | low[from[2*i]]
	}
}

// pick writes pixels of row y of a texture that has no opacity, by their columns.
func (p *Pixels) pick(to []uint32, y int, columns []uint16) {
	size := p.Format.Size()
	from := p.Pix[y*p.W*size:][:p.W*size]
	if size == 4 {
		for i, x := range columns {
			to[i] = word(from[4*int(x):])
		}
		return
	}
	high, low := p.Format.tables()
	for i, x := range columns {
		two := from[2*int(x):][:2:2]
		to[i] = high[two[1]] | low[two[0]]
	}
}

// word is a pixel of BGRX.
func word(b []byte) uint32 { return binary.LittleEndian.Uint32(b) | opaque }

func (f Format) tables() (high, low *table) {
	if f == XRGB1555 {
		return high1555, low1555
	}
	return high565, low565
}

// at returns a pixel of RGBA.
func (p *Pixels) at(x, y int) Color {
	q := p.Pix[4*(y*p.W+x):][:4:4]
	return Color{q[0], q[1], q[2], q[3]}
}

// White returns the pixels of a mask in a rectangle as RGBA, in a slice that may be given to be used again.
func (p *Pixels) White(to []uint32, r image.Rectangle) []uint32 {
	to = slices.Grow(to[:0], r.Dx()*r.Dy())[:0]
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for _, a := range p.Pix[y*p.W:][r.Min.X:r.Max.X] {
			to = append(to, 0xff_ffff|uint32(a)<<24)
		}
	}
	return to
}

// BGRX returns the pixels of a texture without opacity in that format, in a slice that may
// be given to be used again.
func (p *Pixels) BGRX(to []uint32) []uint32 {
	to = slices.Grow(to[:0], p.W*p.H)[:p.W*p.H]
	for y := range p.H {
		p.line(to[y*p.W:], y)
	}
	return to
}
