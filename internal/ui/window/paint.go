package window

import (
	"fmt"
	"image"
	"time"
	"unsafe"

	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/kit"
	"github.com/veandco/go-sdl2/sdl"
)

// Show paints what a UI came out as, and does what it asks for: the cursor, and
// whether one can type.
func (w *Window) Show(out kit.Output) error {
	w.setTyping(out.Typing, out.Caret)
	w.setCursor(out.Cursor)
	return w.Paint(out.List)
}

// Paint shows lists, the later ones over the earlier. The list must be of the
// window's size.
func (w *Window) Paint(lists ...*draw.List) error {
	if err := w.render(lists...); err != nil {
		return err
	}
	w.renderer.Present()
	return nil
}

func (w *Window) render(lists ...*draw.List) (err error) {
	if err := w.store.Sync(w); err != nil {
		return err
	}
	done, err := w.clear(lists)
	if err != nil {
		return err
	}
	for _, l := range lists {
		l.Each(func(t draw.Texture, quads []draw.Vertex) {
			quads, done = quads[done:], 0
			if e := w.run(t, quads); e != nil && err == nil {
				err = e
			}
		})
	}
	return err
}

// clear makes the window black, or what the first quad makes it, if that covers all:
// done is how many vertices that is. The software renderer would blend each pixel of such
// a quad with the one below, which takes longer than all else.
func (w *Window) clear(lists []*draw.List) (done int, err error) {
	c := draw.Black
	if len(lists) > 0 {
		if lists[0].Covered() {
			return 0, nil
		}
		if back, covered := lists[0].Backdrop(w.Size()); covered {
			c, done = back, 4
		}
	}
	if err := w.renderer.SetDrawColor(c.R, c.G, c.B, 255); err != nil {
		return 0, fmt.Errorf("window: clear: %w", err)
	}
	if err := w.renderer.Clear(); err != nil {
		return 0, fmt.Errorf("window: clear: %w", err)
	}
	return done, nil
}

// run paints quads of one texture. Those without one that are opaque are not blended:
// the software renderer does that for each pixel.
func (w *Window) run(t draw.Texture, quads []draw.Vertex) error {
	if t != 0 {
		return w.quads(t, quads)
	}
	for len(quads) >= 4 {
		n, opaque := 4, quads[0].Color.A == 255
		for n+4 <= len(quads) && (quads[n].Color.A == 255) == opaque {
			n += 4
		}
		paint := w.blended
		if opaque {
			paint = w.fill
		}
		if err := paint(quads[:n]); err != nil {
			return err
		}
		quads = quads[n:]
	}
	return nil
}

// blended paints quads without a texture over what is there.
func (w *Window) blended(quads []draw.Vertex) error {
	_ = w.renderer.SetDrawBlendMode(sdl.BLENDMODE_BLEND)
	return w.quads(0, quads)
}

// fill paints opaque quads without a texture. What SDL makes of geometry the software
// renderer always blends, whatever the mode is, so there each is filled by itself.
func (w *Window) fill(quads []draw.Vertex) error {
	_ = w.renderer.SetDrawBlendMode(sdl.BLENDMODE_NONE)
	if !w.software {
		return w.quads(0, quads)
	}
	for ; len(quads) >= 4; quads = quads[4:] {
		a, b, c := quads[0], quads[2], quads[0].Color
		r := sdl.FRect{X: a.X, Y: a.Y, W: b.X - a.X, H: b.Y - a.Y}
		if err := w.renderer.SetDrawColor(c.R, c.G, c.B, c.A); err != nil {
			return fmt.Errorf("window: fill %v: %w", r, err)
		}
		if err := w.renderer.FillRectF(&r); err != nil {
			return fmt.Errorf("window: fill %v: %w", r, err)
		}
	}
	return nil
}

// quads paints quads of one texture. A texture that is gone is left out.
func (w *Window) quads(t draw.Texture, quads []draw.Vertex) error {
	texture := w.textures[t]
	if len(quads) < 4 || t != 0 && texture == nil {
		return nil
	}
	n := len(quads) / 4
	w.grow(n)
	if err := w.renderer.RenderGeometry(texture, vertices(quads[:4*n]), w.indices[:6*n]); err != nil {
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
func (w *Window) grow(n int) {
	for i := int32(len(w.indices) / 6); i < int32(n); i++ {
		w.indices = append(w.indices, 4*i, 4*i+1, 4*i+2, 4*i, 4*i+2, 4*i+3)
	}
}

// Create implements [draw.Uploader].
func (w *Window) Create(t draw.Texture, p *draw.Pixels) error {
	format := uint32(sdl.PIXELFORMAT_RGBA32)
	if p.Format == draw.BGRX {
		format = sdl.PIXELFORMAT_RGB888 // what most screens have: copied without a look at each pixel
	}
	quality := "nearest"
	if p.Smooth {
		quality = "linear"
	}
	sdl.SetHint(sdl.HINT_RENDER_SCALE_QUALITY, quality) // read when a texture is made
	texture, err := w.renderer.CreateTexture(format, sdl.TEXTUREACCESS_STATIC, int32(p.W), int32(p.H))
	if err != nil {
		return fmt.Errorf("window: make a texture of %dx%d: %w", p.W, p.H, err)
	}
	blend := sdl.BlendMode(sdl.BLENDMODE_BLEND)
	if p.Format == draw.BGRX {
		blend = sdl.BLENDMODE_NONE
	}
	_ = texture.SetBlendMode(blend)
	w.textures[t] = texture
	return nil
}

// Update implements [draw.Uploader].
func (w *Window) Update(t draw.Texture, p *draw.Pixels, r image.Rectangle) error {
	if r.Empty() {
		return nil
	}
	rect := sdl.Rect{X: int32(r.Min.X), Y: int32(r.Min.Y), W: int32(r.Dx()), H: int32(r.Dy())}
	first := unsafe.Pointer(&p.Pix[4*(r.Min.Y*p.W+r.Min.X)])
	if err := w.textures[t].Update(&rect, first, 4*p.W); err != nil {
		return fmt.Errorf("window: fill a texture of %dx%d: %w", p.W, p.H, err)
	}
	return nil
}

// Destroy implements [draw.Uploader].
func (w *Window) Destroy(t draw.Texture) {
	if texture := w.textures[t]; texture != nil {
		_ = texture.Destroy()
		delete(w.textures, t)
	}
}

// lost makes all textures again: the graphics card has forgotten them.
func (w *Window) lost() {
	for t := range w.textures {
		w.Destroy(t)
	}
	w.store.Lost()
}

// Screenshot paints lists and returns the picture, in pixels.
func (w *Window) Screenshot(lists ...*draw.List) (*image.RGBA, error) {
	if err := w.render(lists...); err != nil {
		return nil, err
	}
	size := w.Size()
	img := image.NewRGBA(image.Rectangle{Max: size})
	if err := w.renderer.ReadPixels(nil, uint32(sdl.PIXELFORMAT_RGBA32), unsafe.Pointer(&img.Pix[0]), img.Stride); err != nil {
		return nil, fmt.Errorf("window: read the picture: %w", err)
	}
	for i := 3; i < len(img.Pix); i += 4 {
		img.Pix[i] = 255
	}
	w.renderer.Present()
	return img, nil
}

// setTyping switches text input and says where the caret is.
func (w *Window) setTyping(on bool, caret image.Rectangle) {
	if on {
		ww, _ := w.window.GetSize()
		unit := float32(ww) / float32(max(w.Size().X, 1))
		px := func(v int) int32 { return int32(float32(v) * unit) }
		sdl.SetTextInputRect(&sdl.Rect{X: px(caret.Min.X), Y: px(caret.Min.Y), W: max(px(caret.Dx()), 1), H: px(caret.Dy())})
	}
	switch {
	case on && !w.typing:
		w.typing = true
		sdl.StartTextInput()
	case !on && w.typing:
		w.stopTyping()
	}
}

func (w *Window) stopTyping() {
	w.typing = false
	w.in.Compose = kit.Composition{}
	sdl.StopTextInput()
}

func (w *Window) setCursor(c kit.Cursor) {
	if c == w.cursor || int(c) >= len(w.cursors) {
		return
	}
	w.cursor = c
	if w.cursors[c] == nil {
		w.cursors[c] = sdl.CreateSystemCursor([3]sdl.SystemCursor{
			kit.Arrow: sdl.SYSTEM_CURSOR_ARROW, kit.Hand: sdl.SYSTEM_CURSOR_HAND, kit.Beam: sdl.SYSTEM_CURSOR_IBEAM,
		}[c])
	}
	if w.cursors[c] != nil {
		sdl.SetCursor(w.cursors[c])
	}
}

// Paste implements [kit.Clipboard].
func (w *Window) Paste() string {
	s, err := sdl.GetClipboardText()
	if err != nil {
		return ""
	}
	return s
}

// Copy implements [kit.Clipboard].
func (w *Window) Copy(text string) { _ = sdl.SetClipboardText(text) }

// displayScale returns how many pixels a point is by the display: of a window
// with more pixels than units (Wayland, macOS) that ratio, otherwise what its
// dots per inch say, in steps of a quarter and not below 1.
func (w *Window) displayScale() float64 {
	units, _ := w.window.GetSize()
	if ratio := float64(w.Size().X) / float64(max(units, 1)); ratio > 1.05 {
		return ratio
	}
	if !pixelUnits() {
		return 1
	}
	return w.dpiScale()
}

// pixelUnits tells whether the units of windows are pixels whatever the display
// is, as on X11.
func pixelUnits() bool {
	driver, _ := sdl.GetCurrentVideoDriver()
	return driver == "x11"
}

// dpiScale is asked of SDL at most once a second: it is slow on X11.
func (w *Window) dpiScale() float64 {
	if now := time.Since(w.start); w.dpiAt == 0 || now-w.dpiAt > time.Second {
		w.dpiAt, w.dpi = now, 1
		if i, err := w.window.GetDisplayIndex(); err == nil {
			if _, dpi, _, err := sdl.GetDisplayDPI(i); err == nil {
				w.dpi = stepped(float64(dpi))
			}
		}
	}
	return w.dpi
}

// stepped turns dots per inch into a scale. Displays lie about small ones: what
// is near 96 is 1.
func stepped(dpi float64) float64 {
	s := float64(int(dpi/96*4+0.25)) / 4
	return max(1, min(s, 4))
}
