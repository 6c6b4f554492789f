package window

import (
	"time"

	"github.com/veandco/go-sdl2/sdl"
)

// display is what is known of the display and of how it takes pictures.
type display struct {
	presented time.Time     // when the last picture was
	refresh   time.Duration // from one to the next, 0 if unknown
	asked     time.Time     // when refresh was
}

// Presented is when the last picture had been painted, and was given to the display: from then on the
// display may have held up Paint.
func (w *Window) Presented() time.Time { return w.display.presented }

// Refresh is the time between two refreshes of the display by its own account, while pictures wait for them;
// 0 where they do not, and where it is unknown. It is asked of SDL once a second: the window may be
// on another display then.
func (w *Window) Refresh() time.Duration {
	if !w.config.VSync || !w.canvas.waits() {
		return 0
	}
	if time.Since(w.display.asked) > time.Second {
		w.display.asked, w.display.refresh = time.Now(), 0
		if i, err := w.window.GetDisplayIndex(); err == nil {
			if mode, err := sdl.GetCurrentDisplayMode(i); err == nil && mode.RefreshRate > 0 {
				w.display.refresh = time.Second / time.Duration(mode.RefreshRate)
			}
		}
	}
	return w.display.refresh
}
