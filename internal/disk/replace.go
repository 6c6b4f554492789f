package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// Write makes data the content of the file at path.
func Write(path string, data []byte, mode fs.FileMode) error {
	return WriteFunc(path, mode, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// WritePrivate makes data the content of a file of the user's own, and makes its folder.
func WritePrivate(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return Write(path, data, 0o600)
}

// WriteFunc makes what write writes the content of the file at path. Nothing
// changes, and nothing is left behind, when write fails. Where path is a symbolic
// link, its target is replaced. A pipe or /dev/stdout is no regular
// file and cannot be replaced: it is written to as it is, if somebody reads it. A disk
// is not written to.
func WriteFunc(path string, mode fs.FileMode, write func(io.Writer) error) error {
	switch st, err := os.Stat(path); {
	case err == nil && st.Mode()&fs.ModeDevice != 0 && st.Mode()&fs.ModeCharDevice == 0:
		return &fs.PathError{Op: "write", Path: path, Err: errors.New("it is a disk")}
	case err == nil && !st.Mode().IsRegular():
		return writeTo(path, write)
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	return replace(path, mode, write)
}

// unfinished matches the names of files that are being written.
const unfinished = ".nettplay-*.tmp"

// leftAfter is the age of an unfinished file that nobody writes any more.
const leftAfter = time.Hour

// Sweep removes what a program that was killed while it wrote has left in a folder of ours.
func Sweep(dir string) {
	names, _ := fs.Glob(os.DirFS(dir), unfinished)
	for _, name := range names {
		path := filepath.Join(dir, name)
		if st, err := os.Lstat(path); err == nil && st.Mode().IsRegular() && time.Since(st.ModTime()) > leftAfter {
			os.Remove(path)
		}
	}
}

func replace(path string, mode fs.FileMode, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), unfinished)
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
	return rename(f.Name(), path)
}

// readerLimit is the time that the reader of a pipe may take.
const readerLimit = 10 * time.Second

// writeTo writes to what is there. It does not wait for somebody who might read it.
func writeTo(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, syscall.ENXIO) {
		return &fs.PathError{Op: "write", Path: path, Err: errors.New("nobody reads this pipe")}
	}
	if err != nil {
		return err
	}
	_ = f.SetWriteDeadline(time.Now().Add(readerLimit)) // which a terminal may not have
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
