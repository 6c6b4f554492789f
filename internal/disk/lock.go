package disk

import (
	"errors"
	"os"
	"path/filepath"
)

// A lock ends with the process that has it, in whatever way that ends. Where a file system cannot lock, calls fail with an
// error that is not [ErrLocked], and the caller says what that means.

// ErrLocked says that another open file has the lock.
var ErrLocked = errors.New("another program has locked it")

// Changing has do read a file and write it anew while no other process that asks here changes what is in
// its folder, which is made. It waits for the others, and returns the error of do. Where the file system cannot lock, do
// is called all the same.
func Changing(path string, do func() error) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if unlock, err := LockFolder(dir); err == nil {
		defer unlock()
	}
	return do()
}
