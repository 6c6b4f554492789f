package emucore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Limits of one walk through the ROM folders: a folder given by mistake (a whole
// disk) must not keep anybody waiting for ever.
const (
	MaxLibraryDepth = 6      // folders below each given one
	MaxLibraryFiles = 20_000 // files and folders looked at
)

// A walk goes through folders once.
type walk struct {
	ctx   context.Context
	file  func(path string, st fs.FileInfo) bool // for each candidate; false stops
	seen  map[string]int                         // depth at which a folder was walked, by its path without links
	dirs  int
	files int // looked at, of any kind
	read  int // of those, that look like ROMs
	roms  int
}

// all walks through all folders.
func (w *walk) all(dirs []string) {
	for _, d := range dirs {
		if !w.dir(d, 0) {
			return
		}
	}
}

// String says what was looked at.
func (w *walk) String() string {
	s := fmt.Sprintf("%d ROMs in %d folders", w.roms, w.dirs)
	if w.files >= MaxLibraryFiles {
		s += fmt.Sprintf(" (stopped after %d files)", MaxLibraryFiles)
	}
	return s
}

// dir walks through one folder in the order of names; false means stop.
func (w *walk) dir(path string, depth int) bool {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return true
	}
	if real, err = filepath.Abs(real); err != nil {
		return true
	}
	if before, ok := w.seen[real]; ok && before <= depth {
		return true // links may lead in circles
	}
	w.seen[real] = depth
	entries, err := readDirBounded(real, MaxLibraryFiles-w.files)
	if err != nil {
		return true
	}
	w.dirs++
	for _, e := range entries {
		if w.files >= MaxLibraryFiles || w.ctx.Err() != nil {
			return false
		}
		w.files++
		if !w.entry(filepath.Join(real, e.Name()), depth) {
			return false
		}
	}
	return true
}

// entry looks at one file or folder, through links.
func (w *walk) entry(path string, depth int) bool {
	if strings.HasPrefix(filepath.Base(path), ".") {
		return true // hidden: settings and rubbish bins
	}
	st, err := os.Stat(path)
	switch {
	case err != nil:
		return true
	case st.IsDir():
		return depth >= MaxLibraryDepth || w.dir(path, depth+1)
	case st.Mode().IsRegular() && IsGameName(path):
		return w.file(path, st)
	}
	return true
}

// readDirBounded reads at most n entries of a folder, sorted by name.
func readDirBounded(path string, n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		return nil, nil
	}
	d, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	entries, err := d.ReadDir(n)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	if errors.Is(err, io.EOF) || len(entries) > 0 {
		err = nil // empty, or the rest cannot be read
	}
	return entries, err
}

// IsGameName knows games by the names that cores take.
func IsGameName(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".nds", ".srl", ".ids":
		return true
	}
	return false
}
