package emucore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"
)

// ErrROMNotFound is matched by errors of Find: no file in the folders has the
// wanted contents.
var ErrROMNotFound = errors.New("no such ROM in the ROM folders")

// A Library finds ROMs in folders by their contents. It remembers the hash of
// each file for as long as size and time of change stay the same, with
// [Library.KeepHashes] also for the next start. Safe for
// concurrent use; a second call waits for the first.
type Library struct {
	mu   sync.Mutex // guards dirs
	dirs []string

	lock   chan struct{}       // holds one token while the rest is in use; waiting for it can be cancelled
	known  map[string]knownROM // by path
	hashes romHashes
}

// knownROM is the result of opening a file, valid as long as size and time of change stay the same.
type knownROM struct {
	size    int64
	changed time.Time
	rom     *ROM // nil: it is no ROM
}

// NewLibrary returns a library of the ROMs in dirs and the folders below them.
// Folders need not exist yet; "" is none.
func NewLibrary(dirs []string) *Library {
	l := &Library{lock: make(chan struct{}, 1), known: map[string]knownROM{}}
	l.SetDirs(dirs)
	return l
}

// SetDirs changes the folders, for calls that begin after it.
func (l *Library) SetDirs(dirs []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.dirs = slices.DeleteFunc(slices.Clone(dirs), func(dir string) bool { return dir == "" })
}

// folders returns the folders of now.
func (l *Library) folders() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.dirs // which SetDirs replaces, and nobody changes
}

// Find returns the ROM with the given SHA-256, of its image or of its file (see [ROM.As]). An error that matches
// ErrROMNotFound says where it was looked for.
func (l *Library) Find(ctx context.Context, sha [32]byte) (*ROM, error) {
	var found *ROM
	w, err := l.each(ctx, nil, func(r *ROM) bool {
		found = r.As(sha)
		return found == nil
	})
	switch {
	case err != nil:
		return nil, fmt.Errorf("looking for ROM %x: %w", sha[:4], err)
	case found == nil:
		return nil, fmt.Errorf("%w: SHA-256 %x not among %s", ErrROMNotFound, sha, w)
	}
	return found, nil
}

// List returns all ROMs, each contents once, by title and then path.
func (l *Library) List(ctx context.Context) ([]*ROM, error) { return l.ListWith(ctx, nil) }

// ListWith is List, which tells after each file that looks like a ROM how many it has
// read. Progress is called on this goroutine, must be quick, and may be nil.
func (l *Library) ListWith(ctx context.Context, progress func(files int)) ([]*ROM, error) {
	var all []*ROM
	seen := map[[32]byte]bool{}
	_, err := l.each(ctx, progress, func(r *ROM) bool {
		if !seen[r.SHA256] {
			all = append(all, r)
		}
		seen[r.SHA256] = true
		return true
	})
	if err != nil {
		return nil, fmt.Errorf("listing ROMs: %w", err)
	}
	slices.SortFunc(all, func(a, b *ROM) int {
		return cmp.Or(strings.Compare(a.Title, b.Title), strings.Compare(a.Path, b.Path))
	})
	return all, nil
}

// each calls f with a copy of each ROM until f says stop. Unreadable files are
// passed over.
func (l *Library) each(ctx context.Context, progress func(files int), f func(*ROM) bool) (*walk, error) {
	select {
	case l.lock <- struct{}{}:
		defer func() { <-l.lock }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	w := &walk{ctx: ctx, seen: map[string]int{}}
	w.file = func(path string, st fs.FileInfo) bool {
		r := l.open(path, st)
		w.read++
		if progress != nil {
			progress(w.read)
		}
		if r == nil {
			return true
		}
		w.roms++
		c := *r
		return f(&c)
	}
	w.all(l.folders())
	l.hashes.save()
	return w, ctx.Err() // stopped by f or by a limit is no error
}

// open opens a ROM, or recalls it.
func (l *Library) open(path string, st fs.FileInfo) *ROM {
	k, ok := l.known[path]
	if ok && k.size == st.Size() && k.changed.Equal(st.ModTime()) {
		return k.rom
	}
	r, err := l.hashes.open(path, fileOf(st))
	if _, not := errors.AsType[*NotROMError](err); err != nil && !not {
		delete(l.known, path) // unreadable today, perhaps not tomorrow
		return nil
	}
	l.known[path] = knownROM{st.Size(), st.ModTime(), r}
	return r
}
