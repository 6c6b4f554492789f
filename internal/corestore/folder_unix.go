//go:build unix

package corestore

import (
	"os"

	"golang.org/x/sys/unix"

	"github.com/nettplay/nettplay/internal/disk"
)

// lockWorkshop locks a workshop's folder.
func lockWorkshop(dir string) (*os.File, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	_ = disk.TryExclusive(f)
	return f, nil
}

func unlockWorkshop(lock *os.File) { lock.Close() }

// sweepWorkshop removes a workshop that nobody has locked, and nothing that a link leads to.
func sweepWorkshop(dir string) {
	d, err := os.OpenFile(dir, os.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return
	}
	if disk.TryExclusive(d) == nil {
		os.RemoveAll(dir)
	}
	d.Close()
}
