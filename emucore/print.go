package emucore

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"sync"
)

// A Print tells whether files have come, gone or changed: it is made of the names, sizes and
// times of change of all. Taking one reads no file.
type Print [sha256.Size]byte

// Print returns the print of the files that may be ROMs, and of the folders' number. It waits
// for no other call. A disk that begins to answer changes the print, too.
func (l *Library) Print(ctx context.Context) (Print, error) {
	sum := sha256.New()
	w := l.newWalk(ctx)
	w.file = func(path string, st fs.FileInfo) error {
		note(sum, path, st)
		return nil
	}
	w.all(l.folders())
	fmt.Fprintf(sum, "%d folders, without %q and %q", w.Dirs, w.Missing, w.Skipped)
	return Print(sum.Sum(nil)), ctx.Err()
}

// PrintCores returns the print of the files that a Search asks.
func PrintCores(nameOrPath string, dirs []string) Print {
	sum := sha256.New()
	paths := coreFiles(allDirs(dirs))
	if isPath(nameOrPath) {
		paths = append(paths, nameOrPath)
	}
	for _, path := range paths {
		if st, err := os.Stat(path); err == nil {
			note(sum, path, st)
		}
	}
	return Print(sum.Sum(nil))
}

// A Watch tells when files have changed and come to rest: a file that is still being copied is
// no use yet. Any goroutine may call its methods.
type Watch struct {
	mu          sync.Mutex // guards what follows
	known, last Print
}

// Know tells that these files are known.
func (w *Watch) Know(p Print) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.known = p
}

// Changed takes the print of now. It returns true when that is not the known one, and the same
// as the last time.
func (w *Watch) Changed(p Print) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	rests := p == w.last
	w.last = p
	return rests && p != w.known
}

func note(to hash.Hash, path string, st fs.FileInfo) {
	fmt.Fprintf(to, "%q %d %d\n", path, st.Size(), st.ModTime().UnixNano())
}
