package window

import (
	"image"
	"time"

	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
	"github.com/veandco/go-sdl2/sdl"
)

// Show paints what a UI came out as, and does what it asks for: the cursor, and
// whether one can type.
func (w *Window) Show(out widgets.Output) error {
	w.setTyping(out.Typing, out.Caret)
	w.setCursor(out.Cursor)
	return w.Paint(out.List)
}

// canvas is the ground that pictures are painted on.
type canvas interface {
	// size returns the size of the window's inside, in pixels.
	size() (image.Point, error)
	// paint paints lists, the later ones over the earlier; present shows it, and read
	// returns it.
	paint(lists []*draw.List) error
	present() error
	read() (*image.RGBA, error)
	// seen is Window.Seen for a rectangle in the window.
	seen(at image.Rectangle, size image.Point, uv draw.UV) (columns, rows []int, err error)
	// vsync lets present wait for the display, or not, and tells whether it is to wait.
	vsync(on bool) (waits bool)
	// stale says that what the window shows may not be what was presented last, and
	// lost that textures have to be made again.
	stale()
	lost()
	close()
}

// Size returns the size of the window's inside in pixels.
func (w *Window) Size() image.Point {
	size, err := w.canvas.size()
	if err != nil || size.X <= 0 || size.Y <= 0 {
		width, height := w.window.GetSize()
		size = image.Pt(int(width), int(height))
	}
	return size
}

// Paint shows lists, the later ones over the earlier. The list must be of the
// window's size.
func (w *Window) Paint(lists ...*draw.List) error {
	if err := w.canvas.paint(lists); err != nil {
		return err
	}
	w.display.presented = time.Now()
	return w.canvas.present()
}

// Screenshot paints lists and returns the picture, in pixels.
func (w *Window) Screenshot(lists ...*draw.List) (*image.RGBA, error) {
	if err := w.canvas.paint(lists); err != nil {
		return nil, err
	}
	img, err := w.canvas.read()
	if err != nil {
		return nil, err
	}
	return img, w.canvas.present()
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
	w.in.Compose = widgets.Composition{}
	sdl.StopTextInput()
}

func (w *Window) setCursor(c widgets.Cursor) {
	if c == w.cursor {
		return
	}
	w.cursor = c
	if w.cursors[c] == nil {
		w.cursors[c] = sdl.CreateSystemCursor([3]sdl.SystemCursor{
			widgets.Arrow: sdl.SYSTEM_CURSOR_ARROW, widgets.Hand: sdl.SYSTEM_CURSOR_HAND, widgets.Beam: sdl.SYSTEM_CURSOR_IBEAM,
		}[c])
	}
	if w.cursors[c] != nil {
		sdl.SetCursor(w.cursors[c])
	}
}

// Paste implements [widgets.Clipboard].
func (w *Window) Paste() string {
	s, _ := sdl.GetClipboardText() // "" with an error
	return s
}

// Copy implements [widgets.Clipboard]. Where nobody else would get the text it does nothing.
func (w *Window) Copy(text string) {
	if w.CanCopy() {
		_ = sdl.SetClipboardText(text)
	}
}

// CanCopy reports whether others would get what is copied now. On Wayland a program may copy only behind a key or a click, not by
// a controller alone. SDL does not tell, and would go on pasting that text here (findings/sdl-wayland-copy-that-nobody-gets.sh).
func (w *Window) CanCopy() bool { return mayCopy(driver(), w.pressed) }

func mayCopy(driver string, pressed bool) bool { return driver != wayland || pressed }
