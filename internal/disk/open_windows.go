package disk

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// openFile waits a moment for whoever has the file for themselves: a scanner, or ourselves while a file gets the place of
// another.
func openFile(path string, flags int) (f *os.File, err error) {
	for wait := firstWait; wait < lastWait/4; wait *= 2 {
		f, err = os.OpenFile(path, flags, 0)
		if !errors.Is(err, windows.ERROR_SHARING_VIOLATION) && !errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
			break
		}
		time.Sleep(wait)
	}
	return f, err
}
