package window

import (
	"fmt"
	"image"
	"unsafe"

	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/veandco/go-sdl2/sdl"
)

// memory paints by itself into the memory of SDL's that a window shows, without a graphics
// card: only what has changed is painted, and shown.
type memory struct {
	window  *sdl.Window
	store   *draw.Store
	painter draw.Painter
	shadow  *sdl.Surface // what is painted on, where a window's own pixels are not like ours
	to      *sdl.Surface // what is shown
	damage  []sdl.Rect   // painted, and not shown yet
}

// openMemory takes a window's memory.
func openMemory(w *sdl.Window, store *draw.Store) (*memory, error) {
	sdl.SetHint(sdl.HINT_FRAMEBUFFER_ACCELERATION, "0") // by a card that there is not, or shall not be used
	m := &memory{window: w, store: store}
	return m, m.take()
}

// take takes the window's memory as it is now: another after each change of size.
func (m *memory) take() error {
	s, err := m.window.GetSurface()
	if err != nil {
		return fmt.Errorf("window: take its memory: %w", err)
	}
	m.to = s
	return nil
}

// surface returns the one to be painted on.
func (m *memory) surface() (draw.Surface, error) {
	if err := m.take(); err != nil {
		return draw.Surface{}, err
	}
	s := m.to
	if f := s.Format.Format; f != uint32(sdl.PIXELFORMAT_RGB888) && f != uint32(sdl.PIXELFORMAT_ARGB8888) || s.Pitch%4 != 0 {
		if err := m.shade(s.W, s.H); err != nil {
			return draw.Surface{}, err
		}
		s = m.shadow
	}
	pitch := int(s.Pitch) / 4
	pix := unsafe.Slice((*uint32)(s.Data()), pitch*int(s.H))
	return draw.Surface{Size: image.Pt(int(s.W), int(s.H)), Pitch: pitch, Pix: pix}, nil
}

// shade makes a shadow of a size.
func (m *memory) shade(w, h int32) error {
	if m.shadow != nil && m.shadow.W == w && m.shadow.H == h {
		return nil
	}
	m.close()
	s, err := sdl.CreateRGBSurfaceWithFormat(0, w, h, 32, uint32(sdl.PIXELFORMAT_RGB888))
	if err != nil {
		return fmt.Errorf("window: make a picture of %dx%d: %w", w, h, err)
	}
	m.shadow = s
	return nil
}

func (m *memory) close() {
	if m.shadow != nil {
		m.shadow.Free()
		m.shadow = nil
	}
}

func (m *memory) size() (image.Point, error) {
	if err := m.take(); err != nil {
		return image.Point{}, err
	}
	return image.Pt(int(m.to.W), int(m.to.H)), nil
}

func (m *memory) vsync(bool) (waits bool) { return false }

func (m *memory) stale() { m.painter.Forget() }

func (m *memory) lost() {
	m.store.Lost()
	m.painter.Forget()
}

func (m *memory) paint(lists []*draw.List) error {
	to, err := m.surface()
	if err != nil {
		return err
	}
	for _, r := range m.painter.Paint(to, m.store, lists...) {
		m.damage = append(m.damage, *rectOf(r))
	}
	return nil
}

func (m *memory) present() error {
	if len(m.damage) == 0 {
		return nil
	}
	if m.shadow != nil {
		for _, r := range m.damage {
			at := r
			if err := m.shadow.Blit(&r, m.to, &at); err != nil {
				return fmt.Errorf("window: convert the picture: %w", err)
			}
		}
	}
	err := m.window.UpdateSurfaceRects(m.damage)
	m.damage = m.damage[:0]
	if err != nil {
		m.stale()
		return fmt.Errorf("window: show the picture: %w", err)
	}
	return nil
}

func (m *memory) read() (*image.RGBA, error) {
	s, err := m.surface()
	if err != nil {
		return nil, err
	}
	return s.Image(), nil
}

func (m *memory) seen(at image.Rectangle, size image.Point, uv draw.UV) (columns, rows []int, err error) {
	columns, rows = draw.Sampled(at, size, uv)
	return columns, rows, nil
}
