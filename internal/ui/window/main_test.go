package window

import (
	"os"
	"runtime"
	"testing"

	"github.com/veandco/go-sdl2/sdl"
)

// SDL belongs to the main thread, so tests hand their work to it.
func init() { runtime.LockOSThread() }

var work = make(chan func())

func TestMain(m *testing.M) {
	if os.Getenv("SDL_VIDEODRIVER") == "" && os.Getenv(shownEnv) == "" {
		_ = os.Setenv("SDL_VIDEODRIVER", "dummy")
	}
	code := make(chan int)
	go func() { code <- m.Run() }()
	for {
		select {
		case f := <-work:
			f()
		case c := <-code:
			sdl.Quit()
			os.Exit(c)
		}
	}
}

// onMain runs f on the main thread and waits for it.
func onMain(f func()) {
	done := make(chan struct{})
	work <- func() {
		defer close(done)
		f()
	}
	<-done
}
