package emucore

import (
	"os"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// desmumePath is where no core is: Windows has no place of its own for one.
func desmumePath() string { return `C:\no\desmume_libretro.dll` }

// makePipe makes a folder in the place of a named pipe, which Windows has in no folder.
func makePipe(t *testing.T, path string) {
	t.Helper()
	must.Succeed(t, os.Mkdir(path, 0o700))
}
