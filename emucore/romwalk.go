package emucore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/internal/archive"
)

// Limits of one walk through the ROM folders: a folder given by mistake (a whole
// disk) must not keep anybody waiting for ever.
const (
	MaxLibraryDepth = 6       // folders below each given one
	MaxLibraryFiles = 100_000 // files and folders looked at
)

// mostSilent is how many entries of a folder may hang before the rest of it is passed over.
const mostSilent = 2

// Skipped is a folder or file that was not looked at.
type Skipped struct {
	Path string
	Why  string // in words for people, as in "does not answer"
}

// A Walk is what a library met on its way through the folders.
type Walk struct {
	Missing []string  // given folders that do not exist
	Skipped []Skipped // in the order of the walk
	Dirs    int       // folders
	Files   int       // files and folders looked at, of any kind
	ROMs    int       // files that are ROMs, or in archives

	most int // of Files: MaxLibraryFiles, and fewer in tests
}

// walk goes through folders once.
type walk struct {
	Walk
	ctx    context.Context
	ask    *answers
	file   func(path string, st fs.FileInfo) error // for each candidate; errStop stops
	seen   map[string]int                          // depth at which a folder was walked, by its path without links
	silent map[string]int                          // entries that hang, by folder
}

var errStop = errors.New("enough")

// all walks through all folders.
func (w *walk) all(dirs []string) {
	for _, d := range dirs {
		if !w.dir(d, 0) {
			return
		}
	}
}

// String says what was looked at.
func (w *Walk) String() string {
	s := fmt.Sprintf("%d ROMs in %d folders", w.ROMs, w.Dirs)
	if w.most > 0 && w.Files >= w.most {
		s += fmt.Sprintf(" (stopped after %d files)", w.most)
	}
	for _, skipped := range w.Skipped {
		s += fmt.Sprintf("; not looked at: %s (%s)", skipped.Path, skipped.Why)
	}
	return s
}

// skip notes what was not looked at.
func (w *walk) skip(path string, err error) {
	why := ""
	switch {
	case w.ctx.Err() != nil || errors.Is(err, fs.ErrNotExist):
		return
	case errors.Is(err, errNoAnswer):
		why = "does not answer"
	case errors.Is(err, fs.ErrPermission):
		why = "you may not read it"
	default:
		if e, is := errors.AsType[*fs.PathError](err); is {
			err = e.Err
		}
		why = err.Error()
	}
	w.Skipped = append(w.Skipped, Skipped{path, why})
}

// dir walks through one folder in the order of names; false means stop.
func (w *walk) dir(path string, depth int) bool {
	real, err := ask(w.ctx, w.ask, path, func(func()) (string, error) {
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			return "", err
		}
		return filepath.Abs(real)
	})
	if err != nil {
		if depth == 0 && errors.Is(err, fs.ErrNotExist) {
			w.Missing = append(w.Missing, path)
		} else {
			w.skip(path, err)
		}
		return w.ctx.Err() == nil
	}
	if before, ok := w.seen[real]; ok && before <= depth {
		return true // links may lead in circles
	}
	w.seen[real] = depth
	most := w.most - w.Files
	entries, err := ask(w.ctx, w.ask, real, func(func()) ([]fs.DirEntry, error) { return readDirBounded(real, most) })
	if err != nil {
		w.skip(real, err)
		return w.ctx.Err() == nil
	}
	w.Dirs++
	for _, e := range entries {
		switch {
		case w.ctx.Err() != nil:
			return false
		case w.Files >= w.most:
			w.skip(real, fmt.Errorf("there are more than %d files", w.most))
			return false
		case w.silent[real] >= mostSilent:
			w.Skipped = slices.DeleteFunc(w.Skipped, func(s Skipped) bool { return filepath.Dir(s.Path) == real })
			w.skip(real, errNoAnswer)
			w.silent[filepath.Dir(real)]++
			return true
		}
		w.Files++
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
	st, err := ask(w.ctx, w.ask, path, func(func()) (fs.FileInfo, error) { return os.Stat(path) })
	switch {
	case err != nil:
	case st.IsDir():
		return depth >= MaxLibraryDepth || w.dir(path, depth+1)
	case st.Mode().IsRegular() && IsGameFile(path):
		err = w.file(path, st)
	}
	switch {
	case errors.Is(err, errStop):
		return false
	case errors.Is(err, errNoAnswer):
		w.silent[filepath.Dir(path)]++
		w.skip(path, err)
	case errors.Is(err, fs.ErrPermission):
		w.skip(path, err)
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
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
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

// IsGameFile knows games, and archives that may hold some, by their names.
func IsGameFile(path string) bool { return IsGameName(path) || archive.IsName(path) }
