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

// A Print shows whether files were added, removed or changed: it is a hash of the names, sizes and
// modification times of all of them. Taking one reads no file.
type Print [sha256.Size]byte

// Print returns the print of the files that may be ROMs and of the number of folders. It does not wait
// for other calls. A disk that starts to answer changes the print, too.
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

// PrintCores returns the print of the files that a Search would look at.
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

// A Watch reports when files have changed and settled: a file that is still being copied is not
// usable yet. Its methods may be called from any goroutine.
type Watch struct {
	mu          sync.Mutex // guards the fields below
	known, last Print
}

// Know records p as the known print.
func (w *Watch) Know(p Print) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.known = p
}

// Changed takes the current print. It reports whether p differs from the known print and equals
// that of the last call.
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
