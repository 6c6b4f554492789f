package window

import (
	"os"
	"path/filepath"
	"slices"
)

// cardFiles are a graphics card's files in /dev: the kernel's own name for one, and those of makers' drivers.
var cardFiles = []string{"dri/renderD*", "nvidia*", "nvhost-gpu", "mali*", "kgsl-3d*", "pvr*", "galcore", "dxg"}

// cardVariable of SDL names what shall draw: whoever sets it wants that.
const cardVariable = "SDL_RENDER_DRIVER"

// hasCard tells whether a machine, whose devices lie in a folder, may have a graphics card. Without one, OpenGL would
// be computed by a library that takes more memory than all else here together, and more time than our own painter.
func hasCard(devices string) bool {
	return os.Getenv(cardVariable) != "" || slices.ContainsFunc(cardFiles, func(pattern string) bool {
		found, err := filepath.Glob(filepath.Join(devices, pattern))
		return err != nil || len(found) > 0
	})
}
