//go:build unix

package disk

import (
	"os"
	"path/filepath"
)

// rename puts a file in the place of another, so that it lasts through a power cut.
func rename(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	d, err := os.Open(filepath.Dir(to))
	if err != nil {
		return nil // one may write to it, and not look into it
	}
	defer d.Close()
	return d.Sync()
}
