package sound

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/veandco/go-sdl2/sdl"
)

// Look returns what Devices does, before there is a player. Main thread only.
func Look() ([]string, error) {
	defer noPulseFolder()()
	if err := sdl.InitSubSystem(sdl.INIT_AUDIO); err != nil {
		return nil, fmt.Errorf("start sound: %w", err)
	}
	defer sdl.QuitSubSystem(sdl.INIT_AUDIO)
	return Devices(), nil
}

// pulseRuntime is the variable with the folder in which PulseAudio's library looks for a server.
const pulseRuntime = "PULSE_RUNTIME_PATH"

// noPulseFolder lends PulseAudio's library such a folder, until end, on a machine without
// one: the library would make its own among the temporary files, and leave it there.
func noPulseFolder() (end func()) {
	if os.Getenv(pulseRuntime) != "" || os.Getenv("XDG_RUNTIME_DIR") != "" || hasPulseFolder() {
		return func() {}
	}
	dir, err := os.MkdirTemp("", "nettplay-sound-")
	if err != nil {
		return func() {}
	}
	os.Setenv(pulseRuntime, dir)
	return func() {
		os.Unsetenv(pulseRuntime)
		os.RemoveAll(dir)
	}
}

// hasPulseFolder reports whether a client or a server has made the folder already. A link in the
// settings leads there.
func hasPulseFolder() bool {
	config, _ := os.UserConfigDir()
	home, _ := os.UserHomeDir()
	return slices.ContainsFunc([]string{filepath.Join(config, "pulse"), filepath.Join(home, ".pulse")}, func(settings string) bool {
		links, _ := filepath.Glob(filepath.Join(settings, "*-runtime"))
		return len(links) > 0
	})
}
