package disk

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Nameless makes a file in a folder that is gone with the process, even if that is killed at once;
// where the file system cannot do so, it has a name for a moment.
func Nameless(dir string) (*os.File, error) {
	if fd, err := unix.Open(dir, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600); err == nil {
		return os.NewFile(uintptr(fd), filepath.Join(dir, "a file without a name")), nil
	}
	return named(dir)
}
