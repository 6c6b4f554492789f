//go:build unix

package disk

import (
	"os"
	"path/filepath"
)

// rename puts a file in the place of another, so that it lasts through a power cut.
func rename(from, to string) error {
	if err := Rename(from, to); err != nil {
		return err
	}
	d, err := os.Open(filepath.Dir(to))
	if err != nil {
		return nil // one may write to it, and not look into it
	}
	defer d.Close()
	return d.Sync()
}

// Rename puts a file in the place of another. It lasts once [SyncDir] has returned.
func Rename(from, to string) error { return os.Rename(from, to) }

// SyncDir makes what is in a folder last through a power cut.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
