package window

import (
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
	for t := range c.textures {
		c.Destroy(t)
	}
	_ = c.renderer.Destroy()
}

func (c *card) size() (image.Point, error) {
	w, h, err := c.renderer.GetOutputSize()
	if err != nil {
		return image.Point{}, fmt.Errorf("window: ask for its size: %w", err)
	}
	return image.Pt(int(w), int(h)), nil
}

func (c *card) vsync(on bool) { _ = c.renderer.RenderSetVSync(on) }
func (c *card) waits() bool   { return true }

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
	if err := c.renderer.SetDrawColor(0, 0, 0, 255); err != nil {
		return fmt.Errorf("window: clear: %w", err)
	}
	if err := c.renderer.Clear(); err != nil {
		return fmt.Errorf("window: clear: %w", err)
	}
	_ = c.renderer.SetDrawBlendMode(sdl.BLENDMODE_BLEND)
	for _, l := range lists {
		l.Each(func(t draw.Texture, quads []draw.Vertex) {
			if e := c.quads(t, quads); e != nil && err == nil {
				err = e
			}
		})
	}
	return err
}

// quads paints quads of one texture. A texture that is gone is left out.
func (c *card) quads(t draw.Texture, quads []draw.Vertex) error {
	texture := c.textures[t]
	if len(quads) < 4 || t != 0 && texture == nil {
		return nil
	}
	n := len(quads) / 4
	c.grow(n)
	if err := c.renderer.RenderGeometry(texture, vertices(quads[:4*n]), c.indices[:6*n]); err != nil {
		return fmt.Errorf("window: paint %d quads: %w", n, err)
	}
	return nil
}

// vertices returns SDL's view of the same memory: a test holds the layouts
// against each other.
func vertices(v []draw.Vertex) []sdl.Vertex {
	return unsafe.Slice((*sdl.Vertex)(unsafe.Pointer(unsafe.SliceData(v))), len(v))
}

// grow makes indices for n quads: two triangles each.
func (c *card) grow(n int) {
	for i := int32(len(c.indices) / 6); i < int32(n); i++ {
		c.indices = append(c.indices, 4*i, 4*i+1, 4*i+2, 4*i, 4*i+2, 4*i+3)
	}
}

// Create implements [draw.Uploader].
func (c *card) Create(t draw.Texture, p *draw.Pixels) error {
	format, blend := uint32(sdl.PIXELFORMAT_RGBA32), sdl.BlendMode(sdl.BLENDMODE_BLEND)
	if p.Format != draw.RGBA {
		format, blend = uint32(sdl.PIXELFORMAT_RGB888), sdl.BLENDMODE_NONE
	}
	quality := "nearest"
	if p.Smooth {
		quality = "linear"
	}
	sdl.SetHint(sdl.HINT_RENDER_SCALE_QUALITY, quality) // read when a texture is made
	texture, err := c.renderer.CreateTexture(format, sdl.TEXTUREACCESS_STATIC, int32(p.W), int32(p.H))
	if err != nil {
		return fmt.Errorf("window: make a texture of %dx%d: %w", p.W, p.H, err)
	}
	_ = texture.SetBlendMode(blend)
	c.textures[t] = texture
	return nil
}

// Update implements [draw.Uploader].
func (c *card) Update(t draw.Texture, p *draw.Pixels, r image.Rectangle) error {
	if r.Empty() {
		return nil
	}
	rect := sdl.Rect{X: int32(r.Min.X), Y: int32(r.Min.Y), W: int32(r.Dx()), H: int32(r.Dy())}
	first := unsafe.Pointer(unsafe.SliceData(p.Pix))
	if p.Format.Size() != 4 {
		c.scratch = p.BGRX(c.scratch)
		first = unsafe.Pointer(unsafe.SliceData(c.scratch))
	}
	first = unsafe.Add(first, 4*(r.Min.Y*p.W+r.Min.X))
	if err := c.textures[t].Update(&rect, first, 4*p.W); err != nil {
		return fmt.Errorf("window: fill a texture of %dx%d: %w", p.W, p.H, err)
	}
	return nil
}

// Destroy implements [draw.Uploader].
func (c *card) Destroy(t draw.Texture) {
	if texture := c.textures[t]; texture != nil {
		_ = texture.Destroy()
		delete(c.textures, t)
	}
}

// read implements canvas.
func (c *card) read() (*image.RGBA, error) {
	size, err := c.size()
	if err != nil {
		return nil, err
	}
	img := image.NewRGBA(image.Rectangle{Max: size})
	if err := c.renderer.ReadPixels(nil, uint32(sdl.PIXELFORMAT_RGBA32), unsafe.Pointer(&img.Pix[0]), img.Stride); err != nil {
		return nil, fmt.Errorf("window: read the picture: %w", err)
	}
	for i := 3; i < len(img.Pix); i += 4 {
		img.Pix[i] = 255
	}
	return img, nil
}
