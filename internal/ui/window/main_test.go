package window

import (
	"os"
	"testing"

	"github.com/veandco/go-sdl2/sdl"

	"github.com/nettplay/nettplay/internal/testing/uitest"
)

func TestMain(m *testing.M) {
	if os.Getenv("SDL_VIDEODRIVER") == "" && os.Getenv(shownEnv) == "" {
		_ = os.Setenv("SDL_VIDEODRIVER", "dummy")
	}
	code := uitest.Main(m)
	sdl.Quit()
	os.Exit(code)
}

// onMain runs f on the main thread and waits for it.
func onMain(f func()) { uitest.Run(f) }
