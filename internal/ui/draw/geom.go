package draw

import "math"

// Point is a place, or a width and a height, in points unless said otherwise.
// A point is one pixel at scale 1.
type Point struct{ X, Y float32 }

// Pt is Point{x, y}.
func Pt(x, y float32) Point { return Point{x, y} }

// Add returns p moved by q.
func (p Point) Add(q Point) Point { return Point{p.X + q.X, p.Y + q.Y} }

// Sub returns p moved by the opposite of q.
func (p Point) Sub(q Point) Point { return Point{p.X - q.X, p.Y - q.Y} }

// Mul returns p with both coordinates multiplied by f.
func (p Point) Mul(f float32) Point { return Point{p.X * f, p.Y * f} }

// In reports whether p lies in r; the right and bottom edges do not belong to it.
func (p Point) In(r Rect) bool {
	return p.X >= r.X && p.Y >= r.Y && p.X < r.X+r.W && p.Y < r.Y+r.H
}

// Rect is a rectangle by its top left corner, width and height, in points
// unless said otherwise.
type Rect struct{ X, Y, W, H float32 }

// R is Rect{x, y, w, h}.
func R(x, y, w, h float32) Rect { return Rect{x, y, w, h} }

// Right returns the x of the right edge.
func (r Rect) Right() float32 { return r.X + r.W }

// Bottom returns the y of the bottom edge.
func (r Rect) Bottom() float32 { return r.Y + r.H }

// Center returns the middle.
func (r Rect) Center() Point { return Point{r.X + r.W/2, r.Y + r.H/2} }

// Empty reports whether no pixel can be in r.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Move returns r moved by dx and dy.
func (r Rect) Move(dx, dy float32) Rect { return Rect{r.X + dx, r.Y + dy, r.W, r.H} }

// Mul returns r with all four numbers multiplied by f, such as to go from
// points to pixels.
func (r Rect) Mul(f float32) Rect { return Rect{r.X * f, r.Y * f, r.W * f, r.H * f} }

// Inset returns r without d points at each edge; never smaller than nothing.
func (r Rect) Inset(d float32) Rect { return r.Inset4(d, d, d, d) }

// Inset2 returns r without dx points left and right, dy above and below.
func (r Rect) Inset2(dx, dy float32) Rect { return r.Inset4(dx, dy, dx, dy) }

// Inset4 returns r without so many points at each edge. Negative ones make it
// larger.
func (r Rect) Inset4(left, top, right, bottom float32) Rect {
	out := Rect{r.X + left, r.Y + top, r.W - left - right, r.H - top - bottom}
	if out.W < 0 {
		out.X, out.W = r.X+r.W/2, 0
	}
	if out.H < 0 {
		out.Y, out.H = r.Y+r.H/2, 0
	}
	return out
}

// Intersect returns what r and s share, empty if nothing.
func (r Rect) Intersect(s Rect) Rect {
	x0, y0 := max(r.X, s.X), max(r.Y, s.Y)
	x1, y1 := min(r.Right(), s.Right()), min(r.Bottom(), s.Bottom())
	return Rect{x0, y0, max(x1-x0, 0), max(y1-y0, 0)}
}

// Top takes the uppermost h points off r and returns them: what is left of a
// window is laid out by cutting from its edges.
func (r *Rect) Top(h float32) Rect {
	h = clamp(h, 0, r.H)
	out := Rect{r.X, r.Y, r.W, h}
	r.Y, r.H = r.Y+h, r.H-h
	return out
}

// CutBottom takes the lowest h points off r and returns them.
func (r *Rect) CutBottom(h float32) Rect {
	h = clamp(h, 0, r.H)
	r.H -= h
	return Rect{r.X, r.Y + r.H, r.W, h}
}

// Left takes the leftmost w points off r and returns them.
func (r *Rect) Left(w float32) Rect {
	w = clamp(w, 0, r.W)
	out := Rect{r.X, r.Y, w, r.H}
	r.X, r.W = r.X+w, r.W-w
	return out
}

// CutRight takes the rightmost w points off r and returns them.
func (r *Rect) CutRight(w float32) Rect {
	w = clamp(w, 0, r.W)
	r.W -= w
	return Rect{r.X + r.W, r.Y, w, r.H}
}

// Centered returns a rectangle of a size in the middle of r, no larger than r.
func (r Rect) Centered(w, h float32) Rect {
	w, h = min(w, r.W), min(h, r.H)
	return Rect{r.X + (r.W-w)/2, r.Y + (r.H-h)/2, w, h}
}

func clamp(v, low, high float32) float32 { return max(low, min(v, high)) }

func round(v float32) float32 { return float32(math.Floor(float64(v) + 0.5)) }
