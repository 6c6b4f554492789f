// Package atomicfile replaces files in one step: whoever looks sees the old
// file or the new one, also after a crash or a power cut in between.
package atomicfile

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Write makes data the content of the file at path.
func Write(path string, data []byte, mode fs.FileMode) error {
	return WriteFunc(path, mode, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// WriteFunc makes what write writes the content of the file at path. Nothing
// changes, and nothing is left behind, when write fails.
func WriteFunc(path string, mode fs.FileMode, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if err = write(f); err != nil {
		return err
	}
	if err = f.Chmod(mode); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
