package window

import (
	"os"
	"testing"

	"github.com/nettplay/nettplay/internal/ui/maintest"
	"github.com/veandco/go-sdl2/sdl"
)

func TestMain(m *testing.M) {
	if os.Getenv("SDL_VIDEODRIVER") == "" && os.Getenv(shownEnv) == "" {
		_ = os.Setenv("SDL_VIDEODRIVER", "dummy")
	}
	code := maintest.Main(m)
	sdl.Quit()
	os.Exit(code)
}

// onMain runs f on the main thread and waits for it.
func onMain(f func()) { maintest.Run(f) }
