package window

import (
	"cmp"
	"fmt"
	"image"
	"unsafe"

	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/veandco/go-sdl2/sdl"
)

// card paints with SDL's renderer, which is to say the graphics card.
type card struct {
	renderer *sdl.Renderer
	store    *draw.Store
	textures map[draw.Texture]*sdl.Texture
	indices  []int32
	scratch  []uint32 // a texture's pixels in a format that each card has
}

// openCard opens a renderer of SDL's with flags.
func openCard(w *sdl.Window, store *draw.Store, flags uint32) (*card, error) {
	r, err := sdl.CreateRenderer(w, -1, flags)
	if err != nil {
		return nil, fmt.Errorf("window: make a renderer: %w", err)
	}
	return &card{renderer: r, store: store, textures: map[draw.Texture]*sdl.Texture{}}, nil
}

func (c *card) close() {
	c.lost()
	_ = c.renderer.Destroy()
}

func (c *card) size() (image.Point, error) {
	w, h, err := c.renderer.GetOutputSize()
	if err != nil {
		return image.Point{}, fmt.Errorf("window: ask for its size: %w", err)
	}
	return image.Pt(int(w), int(h)), nil
}

func (c *card) vsync(on bool) (waits bool) {
	_ = c.renderer.RenderSetVSync(on)
	return on
}

// stale implements canvas: each picture is painted whole.
func (c *card) stale() {}

func (c *card) lost() {
	for t := range c.textures {
		c.Destroy(t)
	}
	c.store.Lost()
}

func (c *card) present() error {
	c.renderer.Present()
	return nil
}

func (c *card) paint(lists []*draw.List) (err error) {
	if err := c.store.Sync(c); err != nil {
		return err
	}
	if err := cmp.Or(c.renderer.SetDrawColor(0, 0, 0, 255), c.renderer.Clear()); err != nil {
		return fmt.Errorf("window: clear: %w", err)
	}
	_ = c.renderer.SetDrawBlendMode(sdl.BLENDMODE_BLEND)
	for _, l := range lists {
		l.Each(func(t draw.Texture, quads []draw.Vertex) {
			if texture := c.textures[t]; t == 0 || texture != nil { // else it is gone
				err = cmp.Or(err, c.geometry(texture, quads))
			}
		})
	}
	return err
}

// geometry paints quads, of two triangles each.
func (c *card) geometry(texture *sdl.Texture, quads []draw.Vertex) error {
	n := len(quads) / 4
	for i := int32(len(c.indices) / 6); i < int32(n); i++ {
		c.indices = append(c.indices, 4*i, 4*i+1, 4*i+2, 4*i, 4*i+2, 4*i+3)
	}
	if err := c.renderer.RenderGeometry(texture, vertices(quads), c.indices[:6*n]); err != nil {
		return fmt.Errorf("window: paint %d quads: %w", n, err)
	}
	return nil
}

// vertices returns SDL's view of the same memory: a test compares the layouts.
func vertices(v []draw.Vertex) []sdl.Vertex {
	return unsafe.Slice((*sdl.Vertex)(unsafe.Pointer(unsafe.SliceData(v))), len(v))
}

// Update implements [draw.Uploader].
func (c *card) Update(t draw.Texture, p *draw.Pixels, r image.Rectangle) (err error) {
	if c.textures[t] == nil {
		if c.textures[t], err = c.create(p); err != nil {
			return err
		}
	}
	return c.fill(c.textures[t], p, r)
}

// create makes a texture for pixels.
func (c *card) create(p *draw.Pixels) (*sdl.Texture, error) {
	format, blend := uint32(sdl.PIXELFORMAT_RGBA32), sdl.BlendMode(sdl.BLENDMODE_BLEND)
	if p.Format.Opaque() {
		format, blend = uint32(sdl.PIXELFORMAT_RGB888), sdl.BLENDMODE_NONE
	}
	quality := "nearest"
	if p.Smooth {
		quality = "linear"
	}
	sdl.SetHint(sdl.HINT_RENDER_SCALE_QUALITY, quality) // read when a texture is made
	texture, err := c.renderer.CreateTexture(format, sdl.TEXTUREACCESS_STATIC, int32(p.W), int32(p.H))
	if err != nil {
		return nil, fmt.Errorf("window: make a texture of %dx%d: %w", p.W, p.H, err)
	}
	_ = texture.SetBlendMode(blend)
	return texture, nil
}

// fill copies the pixels in r.
func (c *card) fill(texture *sdl.Texture, p *draw.Pixels, r image.Rectangle) error {
	first := unsafe.Pointer(unsafe.SliceData(p.Pix))
	switch p.Format {
	case draw.RGB565, draw.XRGB1555:
		c.scratch = p.BGRX(c.scratch)
		first = unsafe.Pointer(unsafe.SliceData(c.scratch))
	case draw.Mask: // only what is asked for: a page of letters changes by one letter at a time
		c.scratch = p.White(c.scratch, r)
		if err := texture.Update(rectOf(r), unsafe.Pointer(unsafe.SliceData(c.scratch)), 4*r.Dx()); err != nil {
			return fmt.Errorf("window: fill a texture of %dx%d: %w", p.W, p.H, err)
		}
		return nil
	}
	first = unsafe.Add(first, 4*(r.Min.Y*p.W+r.Min.X))
	if err := texture.Update(rectOf(r), first, 4*p.W); err != nil {
		return fmt.Errorf("window: fill a texture of %dx%d: %w", p.W, p.H, err)
	}
	return nil
}

// rectOf is a rectangle as SDL has it.
func rectOf(r image.Rectangle) *sdl.Rect {
	return &sdl.Rect{X: int32(r.Min.X), Y: int32(r.Min.Y), W: int32(r.Dx()), H: int32(r.Dy())}
}

// Destroy implements [draw.Uploader].
func (c *card) Destroy(t draw.Texture) {
	if texture := c.textures[t]; texture != nil {
		_ = texture.Destroy()
		delete(c.textures, t)
	}
}

func (c *card) read() (*image.RGBA, error) {
	size, err := c.size()
	if err != nil {
		return nil, err
	}
	img, err := c.readIn(image.Rectangle{Max: size})
	if err != nil {
		return nil, err
	}
	for i := 3; i < len(img.Pix); i += 4 {
		img.Pix[i] = 255
	}
	return img, nil
}

// readIn returns what is drawn in a rectangle.
func (c *card) readIn(r image.Rectangle) (*image.RGBA, error) {
	img := image.NewRGBA(r)
	if err := c.renderer.ReadPixels(rectOf(r), uint32(sdl.PIXELFORMAT_RGBA32), unsafe.Pointer(&img.Pix[0]), img.Stride); err != nil {
		return nil, fmt.Errorf("window: read %v of the picture: %w", r, err)
	}
	return img, nil
}
