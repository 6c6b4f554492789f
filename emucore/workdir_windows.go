package emucore

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/nettplay/nettplay/internal/disk"
)

// Beginnings of names: of private directories, and of sealed files beside them.
const (
	workdirPrefix = "console-"
	sealedPrefix  = "game-"
)

// inUse is the file in a private directory that is locked as long as the directory is in use.
const inUse = "in-use"

// A workdir is the private directory of a worker, its working directory: empty save and system directories, and the
// ROM under its canonical name. It lives as long as its console, whose core opens its save file again and again. What a
// process that was killed has left is removed at the next start of any console.
type workdir struct {
	path string
	lock *os.File
}

// newWorkdir makes a private directory.
func newWorkdir() (*workdir, error) { return newWorkdirIn(workdirBase()) }

func workdirBase() string { return filepath.Join(os.TempDir(), "nettplay-consoles") }

func newWorkdirIn(base string) (*workdir, error) {
	w, err := makeWorkdir(base)
	if err != nil {
		return nil, fmt.Errorf("private directory for a console: %w", err)
	}
	return w, nil
}

// makeBase makes the directory of all private directories, into which workers may write: theirs have low rights.
func makeBase(base string) error { return openToWorkers(base) }

func makeWorkdir(base string) (_ *workdir, err error) {
	if err := makeBase(base); err != nil {
		return nil, err
	}
	unlock, err := disk.LockFolder(base) // nobody sweeps between the making of a directory and its locking
	if err != nil {
		return nil, err
	}
	defer unlock()
	sweep(base)
	w := &workdir{}
	if w.path, err = os.MkdirTemp(base, workdirPrefix); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			w.remove()
		}
	}()
	if w.lock, err = os.Create(filepath.Join(w.path, inUse)); err != nil {
		return nil, err
	}
	if err = disk.TryExclusive(w.lock); err != nil {
		return nil, err
	}
	return w, errors.Join(os.Mkdir(filepath.Join(w.path, "save"), 0o700), os.Mkdir(filepath.Join(w.path, "system"), 0o700))
}

// sweep removes what processes that are gone have left.
func sweep(base string) {
	entries, err := os.ReadDir(base)
	if err != nil {
		return
	}
	for _, e := range entries {
		path := filepath.Join(base, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), sealedPrefix):
			os.Remove(path) // fails for one that is open
		case strings.HasPrefix(e.Name(), workdirPrefix):
			f, err := os.OpenFile(filepath.Join(path, inUse), os.O_RDWR, 0)
			if err != nil {
				os.RemoveAll(path)
				continue
			}
			left := disk.TryExclusive(f) == nil
			f.Close()
			if left {
				os.RemoveAll(path)
			}
		}
	}
}

// addROM gives the ROM its name in the directory: the sealed file has another name, or is copied where the disk
// knows no second names.
func (w *workdir) addROM(rom *imageFile) error {
	to := filepath.Join(w.path, canonicalROM)
	if os.Link(rom.Name(), to) == nil {
		return nil
	}
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	st, err := rom.Stat()
	if err == nil {
		_, err = io.Copy(f, io.NewSectionReader(rom, 0, st.Size()))
	}
	return errors.Join(err, f.Close())
}

// newSave makes the core's save file, which we open, too.
func (w *workdir) newSave(name string, content []byte) (*os.File, error) {
	path := filepath.Join(w.path, "save", name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		return nil, err
	}
	return os.Open(path)
}

// loaded is told when the core is loaded. It returns what is to be removed after the worker's end.
func (w *workdir) loaded() *workdir { return w }

// remove removes the directory and all in it. The second time it does nothing.
func (w *workdir) remove() {
	if w == nil || w.path == "" {
		return
	}
	w.lock.Close() // of a nil one that is an error, and no more
	os.RemoveAll(w.path)
	w.path = ""
}
