package window

import (
	"errors"
	"fmt"
	"image"
	"unsafe"

	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/veandco/go-sdl2/sdl"
)

// MaxProbe is the largest side of a picture that Seen can tell of.
const MaxProbe = 4096

// Seen tells which pixel of a picture of some size is seen at each place of a rectangle
// of the window, when uv of it is drawn there sharply: for each column of the rectangle
// the picture's column, and for each row its row. Renderers round in ways of their own,
// so it is taken from what this one draws. It draws where the next picture will be, and
// is not seen itself; call it between two of them. The rectangle must be inside the
// window.
func (w *Window) Seen(at image.Rectangle, size image.Point, uv draw.UV) (columns, rows []int, err error) {
	if at.Empty() || !at.In(image.Rectangle{Max: w.Size()}) || size.X < 1 || size.Y < 1 || size.X > MaxProbe || size.Y > MaxProbe {
		return nil, nil, fmt.Errorf("window: look at %v of %v in a window of %v", at, size, w.Size())
	}
	return w.canvas.seen(at, size, uv)
}

// seen takes it from a picture that the renderer draws.
func (c *card) seen(at image.Rectangle, size image.Point, uv draw.UV) (columns, rows []int, err error) {
	texture, err := c.ruler(size)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = texture.Destroy() }()
	if err := c.stretch(texture, at, uv); err != nil {
		return nil, nil, err
	}
	middle := at.Min.Add(image.Pt(at.Dx()/2, at.Dy()/2))
	across, err := c.pixels(image.Rect(at.Min.X, middle.Y, at.Max.X, middle.Y+1))
	if err != nil {
		return nil, nil, err
	}
	down, err := c.pixels(image.Rect(middle.X, at.Min.Y, middle.X+1, at.Max.Y))
	if err != nil {
		return nil, nil, err
	}
	for x := range at.Dx() {
		columns = append(columns, int(across[4*x])|int(across[4*x+2]&0x0f)<<8)
	}
	for y := range at.Dy() {
		rows = append(rows, int(down[4*y+1])|int(down[4*y+2]&0xf0)<<4)
	}
	for i, list := range [][]int{columns, rows} {
		for _, n := range list {
			if n >= [2]int{size.X, size.Y}[i] {
				return nil, nil, errors.New("window: the renderer does not draw what it is given")
			}
		}
	}
	return columns, rows, nil
}

// ruler makes a texture whose colours say where each pixel is: red has the column's low
// byte, green the row's, blue the rest of both.
func (c *card) ruler(size image.Point) (*sdl.Texture, error) {
	sdl.SetHint(sdl.HINT_RENDER_SCALE_QUALITY, "nearest")
	texture, err := c.renderer.CreateTexture(uint32(sdl.PIXELFORMAT_RGB888), sdl.TEXTUREACCESS_STATIC, int32(size.X), int32(size.Y))
	if err != nil {
		return nil, fmt.Errorf("window: make a texture of %v: %w", size, err)
	}
	_ = texture.SetBlendMode(sdl.BLENDMODE_NONE)
	pix := make([]uint32, size.X*size.Y)
	for y := range size.Y {
		for x := range size.X {
			pix[y*size.X+x] = uint32(x&0xff)<<16 | uint32(y&0xff)<<8 | uint32(y>>8<<4|x>>8)
		}
	}
	if err := texture.Update(nil, unsafe.Pointer(&pix[0]), 4*size.X); err != nil {
		_ = texture.Destroy()
		return nil, fmt.Errorf("window: fill a texture of %v: %w", size, err)
	}
	return texture, nil
}

// stretch draws a texture as Paint does.
func (c *card) stretch(texture *sdl.Texture, at image.Rectangle, uv draw.UV) error {
	x0, y0, x1, y1 := float32(at.Min.X), float32(at.Min.Y), float32(at.Max.X), float32(at.Max.Y)
	corners := []draw.Vertex{
		{X: x0, Y: y0, Color: draw.White, U: uv.U0, V: uv.V0},
		{X: x1, Y: y0, Color: draw.White, U: uv.U1, V: uv.V0},
		{X: x1, Y: y1, Color: draw.White, U: uv.U1, V: uv.V1},
		{X: x0, Y: y1, Color: draw.White, U: uv.U0, V: uv.V1},
	}
	c.grow(1)
	if err := c.renderer.RenderGeometry(texture, vertices(corners), c.indices[:6]); err != nil {
		return fmt.Errorf("window: paint a quad: %w", err)
	}
	return nil
}

// pixels returns what is drawn in a rectangle, as red, green, blue and one more.
func (c *card) pixels(r image.Rectangle) ([]byte, error) {
	pix := make([]byte, 4*r.Dx()*r.Dy())
	rect := sdl.Rect{X: int32(r.Min.X), Y: int32(r.Min.Y), W: int32(r.Dx()), H: int32(r.Dy())}
	if err := c.renderer.ReadPixels(&rect, uint32(sdl.PIXELFORMAT_RGBA32), unsafe.Pointer(&pix[0]), 4*r.Dx()); err != nil {
		return nil, fmt.Errorf("window: read %v: %w", r, err)
	}
	return pix, nil
}
