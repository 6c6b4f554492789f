package window

import (
	"errors"
	"fmt"
	"image"
	"slices"

	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/veandco/go-sdl2/sdl"
)

// Seen tells which pixel of a picture of some size is seen at each place of a rectangle
// of the window, when uv of it is drawn there sharply: for each column of the rectangle
// the picture's column, and for each row its row. Renderers round in ways of their own,
// so it is taken from what this one draws. It draws where the next picture will be, and
// is not seen itself; call it between two of them. The rectangle must be inside the
// window, and no side of the picture longer than [draw.MaxSide].
func (w *Window) Seen(at image.Rectangle, size image.Point, uv draw.UV) (columns, rows []int, err error) {
	if at.Empty() || !at.In(image.Rectangle{Max: w.Size()}) || size.X < 1 || size.Y < 1 || max(size.X, size.Y) > draw.MaxSide {
		return nil, nil, fmt.Errorf("window: look at %v of %v in a window of %v", at, size, w.Size())
	}
	return w.canvas.seen(at, size, uv)
}

// ruler is a texture that no store has.
const ruler draw.Texture = -1

// seen takes it from a picture that the renderer draws.
func (c *card) seen(at image.Rectangle, size image.Point, uv draw.UV) (columns, rows []int, err error) {
	defer c.Destroy(ruler)
	if err := c.Update(ruler, marks(size), image.Rectangle{Max: size}); err != nil {
		return nil, nil, err
	}
	if err := c.stretch(c.textures[ruler], at, uv); err != nil {
		return nil, nil, err
	}
	middle := at.Min.Add(image.Pt(at.Dx()/2, at.Dy()/2))
	across, err := c.readIn(image.Rect(at.Min.X, middle.Y, at.Max.X, middle.Y+1))
	if err != nil {
		return nil, nil, err
	}
	down, err := c.readIn(image.Rect(middle.X, at.Min.Y, middle.X+1, at.Max.Y))
	if err != nil {
		return nil, nil, err
	}
	for p := across.Pix; len(p) > 0; p = p[4:] {
		columns = append(columns, int(p[0])|int(p[2]&0x0f)<<8)
	}
	for p := down.Pix; len(p) > 0; p = p[4:] {
		rows = append(rows, int(p[1])|int(p[2]&0xf0)<<4)
	}
	if slices.Max(columns) >= size.X || slices.Max(rows) >= size.Y {
		return nil, nil, errors.New("window: the renderer does not draw what it is given")
	}
	return columns, rows, nil
}

// marks are pixels whose colours say where each is: red has the column's low byte, green the
// row's, blue the rest of both: 12 bits each, enough for [draw.MaxSide].
func marks(size image.Point) *draw.Pixels {
	p := &draw.Pixels{W: size.X, H: size.Y, Format: draw.BGRX}
	for y := range size.Y {
		for x := range size.X {
			p.Pix = append(p.Pix, byte(y>>8<<4|x>>8), byte(y), byte(x), 0)
		}
	}
	return p
}

// stretch draws a texture as Paint does.
func (c *card) stretch(texture *sdl.Texture, at image.Rectangle, uv draw.UV) error {
	x0, y0, x1, y1 := float32(at.Min.X), float32(at.Min.Y), float32(at.Max.X), float32(at.Max.Y)
	return c.geometry(texture, []draw.Vertex{
		{X: x0, Y: y0, Color: draw.White, U: uv.U0, V: uv.V0},
		{X: x1, Y: y0, Color: draw.White, U: uv.U1, V: uv.V0},
		{X: x1, Y: y1, Color: draw.White, U: uv.U1, V: uv.V1},
		{X: x0, Y: y1, Color: draw.White, U: uv.U0, V: uv.V1},
	})
}
