package corestore

import (
	"os"
	"strings"

	"github.com/nettplay/nettplay/internal/disk"
)

// workshopLock ends the name of the file, beside a workshop, that is locked as long as its maker lives: Windows
// locks files only, and moves no folder in which one is open.
const workshopLock = ".lock"

func lockWorkshop(dir string) (*os.File, error) {
	f, err := os.Create(dir + workshopLock)
	if err != nil {
		return nil, err
	}
	_ = disk.TryExclusive(f)
	return f, nil
}

func unlockWorkshop(lock *os.File) {
	lock.Close()
	os.Remove(lock.Name())
}

// sweepWorkshop removes a workshop that nobody has locked.
func sweepWorkshop(path string) {
	dir := strings.TrimSuffix(path, workshopLock)
	if st, err := os.Lstat(path); err != nil || st.IsDir() != (dir == path) {
		return
	}
	lock, err := os.OpenFile(dir+workshopLock, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	left := disk.TryExclusive(lock) == nil
	if left {
		os.RemoveAll(dir)
	}
	lock.Close()
	if left {
		os.Remove(lock.Name())
	}
}
