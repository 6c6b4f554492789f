package draw

import "math"

// shapeKey names a mask that is not a letter.
type shapeKey struct {
	kind shapeKind
	a, b uint16 // pixels, by kind
}

type shapeKind uint8

const (
	disc      shapeKind = iota // of radius a
	ring                       // of radius a, b quarters of a pixel wide
	shadow                     // of a corner with radius a, blurred by b
	icon                       // number b, a pixels wide and high
	emojiPart                  // b: the number of a drawing and of its part, a pixels wide and high
)

func (f *Fonts) shape(key shapeKey, w, h int, opacity func(x, y float64) float64) mask {
	m, ok := f.shapes[key]
	if !ok {
		m = f.atlas.add(w, h, func(alpha []byte) {
			for i := range alpha {
				v := opacity(float64(i%w)+0.5, float64(i/w)+0.5)
				alpha[i] = uint8(max(0, min(v, 1))*255 + 0.5)
			}
		})
		f.shapes[key] = m
	}
	return m
}

// Fill paints a rectangle.
func (l *List) Fill(r Rect, c Color) { l.quad(0, l.snap(r), UV{}, c) }

// FillRound paints a rectangle with rounded corners. A radius larger than half
// of a side makes the side round.
func (l *List) FillRound(r Rect, radius float32, c Color) {
	p := l.snap(r)
	n := l.radius(p, radius)
	if n == 0 || p.empty() {
		l.quad(0, p, UV{}, c)
		return
	}
	m := l.fonts.shape(shapeKey{disc, uint16(n), 0}, int(2*n), int(2*n), func(x, y float64) float64 {
		return float64(n) - math.Hypot(x-float64(n), y-float64(n)) + 0.5
	})
	l.corners(p, n, m, c)
	l.quad(0, pixelRect{p.x0 + n, p.y0, p.x1 - n, p.y0 + n}, UV{}, c)
	l.quad(0, pixelRect{p.x0, p.y0 + n, p.x1, p.y1 - n}, UV{}, c)
	l.quad(0, pixelRect{p.x0 + n, p.y1 - n, p.x1 - n, p.y1}, UV{}, c)
}

// radius returns a radius in whole pixels that fits into p.
func (l *List) radius(p pixelRect, radius float32) float32 {
	half := float32(math.Floor(float64(min(p.x1-p.x0, p.y1-p.y0) / 2)))
	return clamp(round(radius*l.scale), 0, min(half, 250))
}

// corners paints the four quarters of a mask, each n pixels, into the corners.
func (l *List) corners(p pixelRect, n float32, m mask, c Color) {
	um, vm := (m.uv.U0+m.uv.U1)/2, (m.uv.V0+m.uv.V1)/2
	l.quad(m.texture, pixelRect{p.x0, p.y0, p.x0 + n, p.y0 + n}, UV{m.uv.U0, m.uv.V0, um, vm}, c)
	l.quad(m.texture, pixelRect{p.x1 - n, p.y0, p.x1, p.y0 + n}, UV{um, m.uv.V0, m.uv.U1, vm}, c)
	l.quad(m.texture, pixelRect{p.x0, p.y1 - n, p.x0 + n, p.y1}, UV{m.uv.U0, vm, um, m.uv.V1}, c)
	l.quad(m.texture, pixelRect{p.x1 - n, p.y1 - n, p.x1, p.y1}, UV{um, vm, m.uv.U1, m.uv.V1}, c)
}

// Border paints the outline of a rectangle, width points wide (at least a
// pixel), inside of r.
func (l *List) Border(r Rect, radius, width float32, c Color) {
	p := l.snap(r)
	w := max(round(width*l.scale), 1)
	n := l.radius(p, radius)
	if n > 0 {
		m := l.fonts.shape(shapeKey{ring, uint16(n), uint16(w)}, int(2*n), int(2*n), func(x, y float64) float64 {
			d := math.Hypot(x-float64(n), y-float64(n))
			return min(float64(n)-d+0.5, d-(float64(n)-float64(w))+0.5)
		})
		l.corners(p, n, m, c)
	}
	side := max(n, w)
	l.quad(0, pixelRect{p.x0 + n, p.y0, p.x1 - n, p.y0 + w}, UV{}, c)
	l.quad(0, pixelRect{p.x0 + n, p.y1 - w, p.x1 - n, p.y1}, UV{}, c)
	l.quad(0, pixelRect{p.x0, p.y0 + side, p.x0 + w, p.y1 - side}, UV{}, c)
	l.quad(0, pixelRect{p.x1 - w, p.y0 + side, p.x1, p.y1 - side}, UV{}, c)
}

// Shadow paints the soft shadow of a rectangle, blur points wide, below where
// the rectangle itself is to be painted.
func (l *List) Shadow(r Rect, radius, blur float32, c Color) {
	p := l.snap(r)
	b := clamp(round(blur*l.scale), 1, 200)
	n := l.radius(p, max(radius, blur))
	side := int(2 * (n + b))
	m := l.fonts.shape(shapeKey{shadow, uint16(n), uint16(b)}, side, side, func(x, y float64) float64 {
		t := (float64(n+b) - math.Hypot(x-float64(n+b), y-float64(n+b))) / (2 * float64(b))
		t = max(0, min(t, 1))
		return t * t * (3 - 2*t)
	})
	l.nine(pixelRect{p.x0 - b, p.y0 - b, p.x1 + b, p.y1 + b}, n+b, m, c)
}

// nine paints a mask with its corners, n pixels each, in the corners of p, and
// its middle lines drawn out between them.
func (l *List) nine(p pixelRect, n float32, m mask, c Color) {
	l.corners(p, n, m, c)
	um, vm := (m.uv.U0+m.uv.U1)/2, (m.uv.V0+m.uv.V1)/2
	const px = 1.0 / pageSide
	l.quad(m.texture, pixelRect{p.x0 + n, p.y0, p.x1 - n, p.y0 + n}, UV{um, m.uv.V0, um + px, vm}, c)
	l.quad(m.texture, pixelRect{p.x0 + n, p.y1 - n, p.x1 - n, p.y1}, UV{um, vm, um + px, m.uv.V1}, c)
	l.quad(m.texture, pixelRect{p.x0, p.y0 + n, p.x0 + n, p.y1 - n}, UV{m.uv.U0, vm, um, vm + px}, c)
	l.quad(m.texture, pixelRect{p.x1 - n, p.y0 + n, p.x1, p.y1 - n}, UV{um, vm, m.uv.U1, vm + px}, c)
	l.quad(0, pixelRect{p.x0 + n, p.y0 + n, p.x1 - n, p.y1 - n}, UV{}, c)
}

// Image paints a texture into r.
func (l *List) Image(t Texture, r Rect) { l.quad(t, l.snap(r), UV{0, 0, 1, 1}, White) }

// ImagePixels paints a part of a texture to exact pixels: left, top, width and
// height.
func (l *List) ImagePixels(t Texture, r Rect, part UV) {
	l.quad(t, pixelRect{round(r.X), round(r.Y), round(r.Right()), round(r.Bottom())}, part, White)
}
