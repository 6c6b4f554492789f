// Package filelock keeps two processes from changing the same files at once. A lock ends with
// the process that has it, in whatever way that ends. There is one file for each sort of system;
// users of the package need none of their own. Where a file system cannot lock, calls fail with an
// error that is not [ErrHeld], and the caller says what that means.
package filelock

import (
	"errors"
	"os"
	"path/filepath"
)

// ErrHeld says that another open file has the lock.
var ErrHeld = errors.New("another program has locked it")

// Changing has do read a file and write it anew while no other process that asks here changes what is in
// its folder, which is made. It waits for the others, and returns the error of do. Where the file system cannot lock, do
// is called all the same.
func Changing(path string, do func() error) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if unlock, err := Folder(dir); err == nil {
		defer unlock()
	}
	return do()
}
