package draw

import (
	"image"

	"github.com/nettplay/nettplay/internal/language"
)

// Vertex is one corner of a quad: a place in pixels, a colour that multiplies
// the texture's, and a place in the texture, 0 to 1. Its layout in memory is
// that of SDL_Vertex.
type Vertex struct {
	X, Y  float32
	Color Color
	U, V  float32
}

// Layers is the number of layers that a list has. Things in a higher layer are painted after, and so
// over, all that is in lower ones, whatever the order of calls.
const Layers = 16

// UV is a part of a texture, 0 to 1 in both directions.
type UV struct{ U0, V0, U1, V1 float32 }

// List holds what is to be painted. Make one with [NewList]; reuse it with Reset.
type List struct {
	fonts  *Fonts
	size   image.Point
	scale  float32
	layer  int
	layers [Layers]layer
	clip   pixelRect
	clips  []pixelRect
	texts  []Written
	veil   func(string) string // nil: all texts are written as they are

	language *language.Language
}

type layer struct {
	vertices []Vertex
	runs     []run
}

// run is a number of consecutive vertices with one texture.
type run struct {
	texture Texture
	end     int // the index behind the last vertex
}

// pixelRect is a rectangle by its edges, in pixels.
type pixelRect struct{ x0, y0, x1, y1 float32 }

func (r pixelRect) empty() bool { return r.x0 >= r.x1 || r.y0 >= r.y1 }

func (r pixelRect) cut(s pixelRect) pixelRect {
	return pixelRect{max(r.x0, s.x0), max(r.y0, s.y0), min(r.x1, s.x1), min(r.y1, s.y1)}
}

// NewList makes an empty list whose text, corners and icons are fonts'.
func NewList(fonts *Fonts) *List { return &List{fonts: fonts, scale: 1} }

// Reset empties the list for a surface of so many pixels with so many pixels
// to a point.
func (l *List) Reset(size image.Point, scale float32) {
	l.size, l.scale, l.layer = size, clamp(scale, 0.25, 16), 0
	for i := range l.layers {
		l.layers[i].vertices = l.layers[i].vertices[:0]
		l.layers[i].runs = l.layers[i].runs[:0]
	}
	l.clips, l.texts = l.clips[:0], l.texts[:0]
	l.clip = l.whole()
	l.fonts.next()
}

// Size returns the surface's size in pixels.
func (l *List) Size() image.Point { return l.size }

// Scale returns how many pixels a point is.
func (l *List) Scale() float32 { return l.scale }

// Bounds returns the whole surface in points.
func (l *List) Bounds() Rect {
	return Rect{0, 0, float32(l.size.X) / l.scale, float32(l.size.Y) / l.scale}
}

// SetLayer makes what follows part of a layer, 0 to [Layers]-1, and returns the
// layer before. Numbers outside are brought inside.
func (l *List) SetLayer(n int) (before int) {
	before = l.layer
	l.layer = max(0, min(n, Layers-1))
	return before
}

// Layer returns the number of the layer in which things are painted now.
func (l *List) Layer() int { return l.layer }

// PushClip cuts what follows to r as well as to the clip in force, until the
// matching PopClip.
func (l *List) PushClip(r Rect) {
	l.clips = append(l.clips, l.clip)
	l.clip = l.clip.cut(l.snap(r))
}

// PushWholeClip lifts the clip, such as for a popup, until the matching
// PopClip.
func (l *List) PushWholeClip() {
	l.clips = append(l.clips, l.clip)
	l.clip = l.whole()
}

// whole is all of the surface.
func (l *List) whole() pixelRect { return pixelRect{0, 0, float32(l.size.X), float32(l.size.Y)} }

// PopClip brings back the clip before the last PushClip.
func (l *List) PopClip() {
	if n := len(l.clips); n > 0 {
		l.clip = l.clips[n-1]
		l.clips = l.clips[:n-1]
	}
}

// Clip returns the clip in force, in points.
func (l *List) Clip() Rect {
	c := l.clip
	return Rect{c.x0, c.y0, max(c.x1-c.x0, 0), max(c.y1-c.y0, 0)}.Mul(1 / l.scale)
}

// Each calls paint for every run of quads, in the order of painting. Each quad
// is four vertices: top left, top right, bottom right, bottom left. No run is
// empty. The vertices are the list's own.
func (l *List) Each(paint func(t Texture, quads []Vertex)) {
	for i := range l.layers {
		start := 0
		for _, r := range l.layers[i].runs {
			paint(r.texture, l.layers[i].vertices[start:r.end])
			start = r.end
		}
	}
}

// snap returns r in pixels, each edge on the nearest one: what touches goes on touching.
func (l *List) snap(r Rect) pixelRect {
	return pixelRect{round(r.X * l.scale), round(r.Y * l.scale), round(r.Right() * l.scale), round(r.Bottom() * l.scale)}
}

// Snap returns r moved so that its edges lie between pixels.
func (l *List) Snap(r Rect) Rect {
	p := l.snap(r)
	return Rect{p.x0, p.y0, p.x1 - p.x0, p.y1 - p.y0}.Mul(1 / l.scale)
}

// quad adds a rectangle in pixels, cut to the clip; nothing if nothing is left.
func (l *List) quad(t Texture, r pixelRect, uv UV, c Color) {
	in := r.cut(l.clip)
	if in.empty() || c.A == 0 {
		return
	}
	if in != r {
		uv = cutUV(r, in, uv)
	}
	ly := &l.layers[l.layer]
	ly.vertices = append(ly.vertices,
		Vertex{in.x0, in.y0, c, uv.U0, uv.V0}, Vertex{in.x1, in.y0, c, uv.U1, uv.V0},
		Vertex{in.x1, in.y1, c, uv.U1, uv.V1}, Vertex{in.x0, in.y1, c, uv.U0, uv.V1})
	if n := len(ly.runs); n > 0 && ly.runs[n-1].texture == t {
		ly.runs[n-1].end = len(ly.vertices)
		return
	}
	ly.runs = append(ly.runs, run{t, len(ly.vertices)})
}

// cutUV returns the part of the texture that is left when r is cut to in.
func cutUV(r, in pixelRect, uv UV) UV {
	du, dv := (uv.U1-uv.U0)/(r.x1-r.x0), (uv.V1-uv.V0)/(r.y1-r.y0)
	return UV{
		uv.U0 + (in.x0-r.x0)*du, uv.V0 + (in.y0-r.y0)*dv,
		uv.U1 - (r.x1-in.x1)*du, uv.V1 - (r.y1-in.y1)*dv,
	}
}
