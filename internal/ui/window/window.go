package window

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"sync/atomic"
	"time"

	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
	"github.com/veandco/go-sdl2/sdl"
)

// MinWidth and MinHeight are the least size of the window, in points: the larger the scale, the more
// pixels that is. Where a display has no room for that, the scale gives way. So 640x480 pixels, as
// handhelds have, hold all screens at up to 1.33.
const (
	MinWidth  = 480
	MinHeight = 360
)

// Config holds the beginning of the window.
type Config struct {
	Title         string
	Width, Height int   // points; at least MinWidth x MinHeight
	Place         Place // goes over Width and Height; the zero one: in the middle
	FullScreen    bool
	Scale         float64 // the user's, multiplied with the display's; 0 is what suits the display
	Software      bool    // never use the graphics card
	VSync         bool    // Show waits for the display
	Hidden        bool    // not on the screen, for tests

	renderer uint32 // which of SDL's is the graphics card's, for tests
}

// Window is the program's window.
type Window struct {
	config Config
	window *sdl.Window
	canvas canvas
	store  *draw.Store

	user    atomic.Uint32 // the type of the event that wakes
	woken   atomic.Bool   // one is under way
	closed  bool
	start   time.Time
	comfort float64 // the least scale while the user wants none, 0 for any
	display display
	in      widgets.Input
	onEvent func(sdl.Event) // see OnEvent; nil for nothing
	pending []sdl.Event     // copies, oldest first
	placed  placed
	begins  image.Point // where the inside of the window is to be first
	stayed  bool        // it is there
	typing  bool
	pressed bool              // a key, or a mouse's button, has been: see CanCopy
	labels  map[string]string // see KeyLabels; nil: the layout may be another one
	cursors [3]*sdl.Cursor
	cursor  widgets.Cursor
}

// Open opens the window. It starts SDL's video if that has not been done. [draw.List]s name textures of
// store, which the window reads from then on.
func Open(config Config, store *draw.Store) (*Window, error) {
	if err := startVideo(); err != nil {
		return nil, fmt.Errorf("window: start video: %w", err)
	}
	hints()
	useUTF8()
	w := &Window{config: config, store: store, start: time.Now()}
	if err := w.open(); err != nil {
		w.Close()
		return nil, err
	}
	w.in.Focused = true
	w.user.Store(sdl.RegisterEvents(1))
	w.stopTyping()
	return w, nil
}

// OnEvent has f see every event of SDL first, such as those of pads. The event is valid during the call only.
func (w *Window) OnEvent(f func(sdl.Event)) { w.onEvent = f }

// hints sets SDL's behaviour where it is not the default.
func hints() {
	sdl.SetHint("SDL_IME_SHOW_UI", "1")               // the list of candidates is the input method's
	sdl.SetHint("SDL_IME_SUPPORT_EXTENDED_TEXT", "1") // see composing
	sdl.SetHint("SDL_VIDEO_ALLOW_SCREENSAVER", "0")   // nobody types during a cutscene
	sdl.SetHint("SDL_MOUSE_FOCUS_CLICKTHROUGH", "1")  // the click that raises the window counts
	sdl.SetHint("SDL_QUIT_ON_LAST_WINDOW_CLOSE", "0") // the program decides
	sdl.SetHint("SDL_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR", "0")
	sdl.SetHint("SDL_RENDER_BATCHING", "1")
	sdl.SetHint("SDL_ENABLE_SCREEN_KEYBOARD", "0") // the widgets have one: Steam's would lie over it
}

func (w *Window) open() (err error) {
	flags := uint32(sdl.WINDOW_RESIZABLE | sdl.WINDOW_ALLOW_HIGHDPI)
	if w.config.FullScreen {
		flags |= sdl.WINDOW_FULLSCREEN_DESKTOP
	}
	if w.config.Hidden {
		flags |= sdl.WINDOW_HIDDEN
	}
	width, height := firstSize(w.config)
	x, y := int32(sdl.WINDOWPOS_CENTERED), int32(sdl.WINDOWPOS_CENTERED)
	if p := w.config.Place; p.Width > 0 && p.Height > 0 {
		least := image.Pt(leastSize(w.config.Scale))
		p.Width, p.Height = max(p.Width, least.X), max(p.Height, least.Y)
		p = p.within(displaysNow())
		x, y, width, height, w.begins = int32(p.X), int32(p.Y), p.Width, p.Height, image.Pt(p.X, p.Y)
		w.placed.place = p
		if p.Maximized {
			flags |= sdl.WINDOW_MAXIMIZED
		}
	}
	w.window, err = sdl.CreateWindow(w.config.Title, x, y, int32(width), int32(height), flags)
	if err != nil {
		return fmt.Errorf("window: open %dx%d: %w", width, height, err)
	}
	if err := setIcon(w.window); err != nil {
		return err
	}
	w.limit()
	display, _ := w.window.GetDisplayIndex()
	w.comfort = here(max(display, 0)).scale()
	return w.openCanvas()
}

// limit makes the window no smaller than what the scale needs and the display has.
func (w *Window) limit() {
	width, height := leastSize(w.config.Scale)
	w.window.SetMinimumSize(int32(width), int32(height))
}

// leastSize returns the smallest size of a window of a user's scale, in SDL's units.
func leastSize(user float64) (width, height int) {
	b, err := sdl.GetDisplayUsableBounds(0)
	if err != nil {
		b = sdl.Rect{W: MinWidth, H: MinHeight}
	}
	scale := max(unitScale()*cmp.Or(max(user, 0), 1), 0.5)
	scale = min(scale, float64(b.W)/MinWidth, float64(b.H)/MinHeight)
	return max(int(MinWidth*scale), 1), max(int(MinHeight*scale), 1)
}

// unitScale returns the number of SDL's units of a point on the first display, at the user's scale 1.
func unitScale() float64 {
	if _, dpi, _, err := sdl.GetDisplayDPI(0); err == nil && pixelUnits() {
		return stepped(float64(dpi))
	}
	return 1
}

// frameHigh is the height of what a desktop puts around a window, at most, in points.
const frameHigh = 40

// firstSize returns how large the window begins, in SDL's units: larger on a
// display of many dots per inch, but not larger than the display, with its frame.
func firstSize(c Config) (width, height int) {
	least := image.Pt(leastSize(c.Scale))
	width, height = max(c.Width, MinWidth), max(c.Height, MinHeight)
	scale := unitScale()
	if b, err := sdl.GetDisplayUsableBounds(0); err == nil {
		width, height = min(width, int(float64(b.W)/scale)), min(height, int(float64(b.H)/scale)-frameHigh)
	}
	return max(int(float64(width)*scale), least.X), max(int(float64(height)*scale), least.Y)
}

// openCanvas takes the graphics card, or else paints into memory.
func (w *Window) openCanvas() error {
	var first error
	if !w.config.Software && (w.config.renderer != 0 || hasCard("/dev")) {
		flags := cmp.Or(w.config.renderer, sdl.RENDERER_ACCELERATED)
		if w.config.VSync {
			flags |= sdl.RENDERER_PRESENTVSYNC
		}
		c, err := openCard(w.window, w.store, flags)
		if err == nil {
			w.canvas = c
			return nil
		}
		first = err
	}
	m, err := openMemory(w.window, w.store)
	if err != nil {
		return errors.Join(first, err)
	}
	w.canvas, w.config.VSync = m, false
	return nil
}

// Close closes the window. It can be called again.
func (w *Window) Close() {
	if w.closed {
		return
	}
	w.closed = true
	for _, c := range w.cursors {
		if c != nil {
			sdl.FreeCursor(c)
		}
	}
	if w.canvas != nil {
		w.canvas.close()
	}
	if w.window != nil {
		_ = w.window.Destroy()
	}
	w.store.Lost()
	sdl.QuitSubSystem(sdl.INIT_VIDEO | sdl.INIT_EVENTS)
}

// Wake makes Next return, from any goroutine: something has happened that the
// picture shows. Calls before Next returns count as one.
func (w *Window) Wake() {
	if !w.woken.CompareAndSwap(false, true) {
		return
	}
	// SDL copies a whole SDL_Event, which is larger than a UserEvent.
	event := new(struct {
		sdl.UserEvent
		_ [128]byte
	})
	event.Type = w.user.Load()
	if filtered, err := sdl.PushEvent(&event.UserEvent); err != nil || filtered {
		w.woken.Store(false)
	}
}

// Position returns where the window's inside is on the desktop, in SDL's units.
func (w *Window) Position() (x, y int) {
	px, py := w.window.GetPosition()
	return int(px), int(py)
}

// Scale returns how many pixels a point is: the display's scale times the
// user's, but not so many that less than MinWidth x MinHeight points are in the
// window.
func (w *Window) Scale() float32 {
	size := w.Size()
	most := max(0.5, min(float64(size.X)/MinWidth, float64(size.Y)/MinHeight))
	display := w.displayScale()
	return float32(min(display*cmp.Or(max(w.config.Scale, 0), w.suiting(display)), most))
}

// SetScale changes the user's part of the scale. A window that is too small for it grows.
func (w *Window) SetScale(scale float64) {
	w.config.Scale = scale
	w.limit()
}

// SetVSync lets Show wait for the display, or not. Without a graphics card it never waits.
func (w *Window) SetVSync(on bool) { w.config.VSync = w.canvas.vsync(on) }

// SetTitle changes the window's title.
func (w *Window) SetTitle(title string) { w.window.SetTitle(title) }

// SetSize changes the size of the window, in points at the user's scale 1. One that is maximized is so no longer: the desktop
// would refuse the size, and SDL takes it for the window's all the same (findings/sdl-size-that-was-refused.sh).
func (w *Window) SetSize(width, height int) {
	if w.window.GetFlags()&sdl.WINDOW_MAXIMIZED != 0 {
		w.window.Restore()
	}
	least := image.Pt(leastSize(w.config.Scale))
	w.window.SetSize(int32(max(width, least.X)), int32(max(height, least.Y)))
}

// SetFullScreen fills the screen, or goes back to a window.
func (w *Window) SetFullScreen(on bool) error {
	flags := uint32(0)
	if on {
		flags = sdl.WINDOW_FULLSCREEN_DESKTOP
	}
	if err := w.window.SetFullscreen(flags); err != nil {
		return fmt.Errorf("window: full screen %t: %w", on, err)
	}
	return nil
}

// Raise brings the window to the front, or where a desktop does not let it asks for the user's attention.
func (w *Window) Raise() {
	if w.window.GetFlags()&sdl.WINDOW_MINIMIZED != 0 {
		w.window.Restore()
	}
	w.window.Raise()
	w.Flash()
}

// Flash asks for the user's attention until the window is in front.
func (w *Window) Flash() {
	_ = w.window.Flash(sdl.FLASH_UNTIL_FOCUSED) // not every desktop can
}
