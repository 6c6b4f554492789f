package emucore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// ErrROMNotFound is matched by errors of Find when no file in the folders has the
// wanted contents.
var ErrROMNotFound = errors.New("no such ROM in the ROM folders")

// A Library finds ROMs in folders, and in archives there. It reads headers first and whole files only if
// needed, and remembers both for as long as a file's size and modification time stay the same; with
// [Library.KeepHashes] it also keeps hashes for the next start. It skips disks that do not answer. It is safe
// for concurrent use.
type Library struct {
	answers answers
	saving  sync.Mutex // held while hashes are written

	mu     sync.Mutex // guards the fields below; never held while waiting for a disk
	dirs   []string
	known  map[string]knownFile // by path
	hashes romHashes
	told   func(*ROM)
	most   int // files that a walk looks at
}

// knownFile is what a file contained, valid as long as its size and modification time stay the same.
type knownFile struct {
	size    int64
	changed time.Time
	file    romFile
	looked
}

// NewLibrary returns a library of the ROMs in dirs and the folders below them.
// Folders need not exist yet; "" is ignored.
func NewLibrary(dirs []string) *Library {
	l := &Library{known: map[string]knownFile{}, most: MaxLibraryFiles}
	l.SetDirs(dirs)
	return l
}

// SetDirs changes the folders for later calls.
func (l *Library) SetDirs(dirs []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	dirs = slices.DeleteFunc(slices.Clone(dirs), func(dir string) bool { return dir == "" })
	if !slices.Equal(dirs, l.dirs) {
		clear(l.known) // games in a folder that was removed must not be found
	}
	l.dirs = dirs
}

// Tell has the library call f with each ROM that it reads, on the goroutine that asked for it; f must not
// block. Call it before any other method.
func (l *Library) Tell(f func(*ROM)) { l.told = f }

// folders returns the current folders.
func (l *Library) folders() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.dirs // SetDirs replaces the slice; it is never modified
}

// newWalk returns a walk through the folders.
func (l *Library) newWalk(ctx context.Context) *walk {
	return &walk{Walk: Walk{most: l.most}, ctx: ctx, ask: &l.answers, seen: map[string]int{}, silent: map[string]int{}}
}

// Wanted says which game is wanted. Unknown fields are zero.
type Wanted struct {
	SHA256 [32]byte // of the game's image or file, see [ROM.As]
	Size   int64    // bytes of that
	// Like reports whether a game that was not read may be it, by its title, say: such are read first. Nil: any may be.
	Like func(*ROM) bool
	// Quick leaves out those that are not like it: it may be among them where others name games in another way.
	Quick bool
}

// Find returns the wanted ROM. Nothing is read where it is known already, then what is like it, and everything else that
// has its size at last. An error that matches
// ErrROMNotFound says where it was looked for.
func (l *Library) Find(ctx context.Context, want Wanted) (*ROM, error) {
	s := search{l: l, ctx: ctx, want: want, tried: map[string]bool{}}
	found, err := s.find()
	defer l.Save()
	switch {
	case err != nil:
		return nil, fmt.Errorf("looking for ROM %x: %w", want.SHA256[:4], err)
	case found == nil:
		return nil, fmt.Errorf("%w: SHA-256 %x not among %s", ErrROMNotFound, want.SHA256, &s.walk)
	}
	return found, nil
}

// search looks for one game.
type search struct {
	l     *Library
	ctx   context.Context
	want  Wanted
	tried map[string]bool // by path
	walk  Walk
}

func (s *search) find() (*ROM, error) {
	// What was looked at before first: no folder need be read for it.
	known := s.l.allKnown()
	for _, r := range known {
		if found := r.As(s.want.SHA256); found != nil && !r.Unread() && s.l.same(s.ctx, r) {
			return found, nil
		}
	}
	for _, r := range known {
		if s.like(r) && s.l.same(s.ctx, r) {
			if found := s.read(r); found != nil {
				return found, nil
			}
		}
	}
	var rest []*ROM
	var found *ROM
	w, err := s.l.Scan(s.ctx, func(f Scanned) bool {
		for _, r := range f.ROMs {
			switch {
			case !r.Unread():
				found = r.As(s.want.SHA256)
			case s.like(r):
				found = s.read(r)
			case s.possible(r):
				rest = append(rest, r)
			}
			if found != nil {
				return false
			}
		}
		return true
	})
	if err != nil || found != nil {
		return found, err
	}
	s.walk = *w
	if s.want.Quick {
		return nil, nil
	}
	slices.SortStableFunc(rest, func(a, b *ROM) int { return cmp.Compare(len(a.Archive), len(b.Archive)) }) // files of their own first
	for _, r := range rest {
		if found := s.read(r); found != nil {
			return found, nil
		}
	}
	return nil, s.ctx.Err()
}

// like reports whether a game that was not read is likely to be the wanted one.
func (s *search) like(r *ROM) bool {
	return r.Unread() && s.want.Like != nil && s.want.Like(r) && r.MayHave(s.want.Size)
}

// possible reports whether a game that was not read may be the wanted one all the same. Archives are not unpacked for what
// another banner says.
func (s *search) possible(r *ROM) bool {
	return r.Unread() && r.MayHave(s.want.Size) && (r.Archive == "" || s.want.Like == nil || r.BannerTitle == "")
}

// read reads a game once, and returns it if it is the wanted one.
func (s *search) read(r *ROM) *ROM {
	if s.tried[r.Path] || s.ctx.Err() != nil {
		return nil
	}
	s.tried[r.Path] = true
	read, err := s.l.Read(s.ctx, r)
	if err != nil {
		return nil // unreadable, or no game after all
	}
	return read.As(s.want.SHA256)
}

// MayHave reports whether an image or a file of so many bytes may be the game's; 0 may always be.
func (r *ROM) MayHave(size int64) bool {
	switch {
	case size == 0 || size == r.FileSize || !r.Unread() && size == r.Size:
		return true
	case !r.Unread():
		return false
	case !r.seen:
		return size&(size-1) == 0
	}
	return size == capacity(r.capacity, MinROMSize) || size >= capacityUnit && size&(size-1) == 0 && size <= capacity(0xff, r.FileSize) && r.FileSize > capacity(r.capacity, MinROMSize)
}

// List returns all ROMs without duplicates, sorted by title and then path. Those in archives may be unread.
func (l *Library) List(ctx context.Context) ([]*ROM, error) {
	var all []*ROM
	_, err := l.Scan(ctx, func(f Scanned) bool {
		all = append(all, f.ROMs...)
		return true
	})
	if err == nil {
		all, err = l.readFiles(ctx, all)
	}
	if err != nil {
		return nil, fmt.Errorf("listing ROMs: %w", err)
	}
	slices.SortFunc(all, func(a, b *ROM) int {
		return cmp.Or(strings.Compare(a.Title, b.Title), strings.Compare(a.Path, b.Path))
	})
	return all, nil
}

// readFiles reads all ROMs in files of their own and drops duplicates.
func (l *Library) readFiles(ctx context.Context, all []*ROM) (list []*ROM, err error) {
	defer l.Save()
	seen := map[[32]byte]bool{}
	for _, r := range all {
		if r.Unread() && r.Archive == "" {
			if r, err = l.Read(ctx, r); ctx.Err() != nil {
				return nil, ctx.Err()
			} else if err != nil {
				continue
			}
		}
		if r.Unread() || !seen[r.SHA256] {
			list = append(list, r)
		}
		seen[r.SHA256] = !r.Unread()
	}
	return list, nil
}

// Scanned is the contents of one file.
type Scanned struct {
	ROMs []*ROM         // several of an archive; unread unless they are known
	Not  []*NotROMError // files that look like games but cannot be played
}

// Scan goes through the folders and looks at each file that may be a ROM or an archive: no more is read of it than header and
// banner. It calls f with what is in it until that returns false. Unreadable files are passed over.
func (l *Library) Scan(ctx context.Context, f func(Scanned) bool) (*Walk, error) {
	w := l.newWalk(ctx)
	w.file = func(path string, st fs.FileInfo) error {
		k, err := l.scanFile(ctx, path, st)
		if err != nil {
			return err
		}
		w.ROMs += len(k.roms)
		if !f(Scanned{ROMs: k.copies(), Not: k.not}) {
			return errStop
		}
		return nil
	}
	w.all(l.folders())
	return &w.Walk, ctx.Err() // stopped by f or by a limit is no error
}

// copies are the ROMs, for somebody who may change them.
func (k knownFile) copies() []*ROM {
	list := make([]*ROM, len(k.roms))
	for i, r := range k.roms {
		c := *r
		list[i] = &c
	}
	return list
}

// scanFile looks at a file unless it is known already. A file that is not a ROM is not an error.
func (l *Library) scanFile(ctx context.Context, path string, st fs.FileInfo) (knownFile, error) {
	l.mu.Lock()
	k, ok := l.known[path]
	l.mu.Unlock()
	if ok && k.size == st.Size() && k.changed.Equal(st.ModTime()) {
		return k, nil
	}
	found, err := ask(ctx, &l.answers, path, func(beat func()) (looked, error) { return readGameFile(ctx, path, beat) })
	not, is := errors.AsType[*NotROMError](err)
	if is {
		found.not = append(found.not, not)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil && !is {
		delete(l.known, path) // unreadable today, perhaps not tomorrow
		return k, err
	}
	k = knownFile{size: st.Size(), changed: st.ModTime(), file: fileOf(st), looked: found}
	for i, r := range k.roms {
		if c, known := l.hashes.get(r.Path, k.file); known {
			k.roms[i] = r.with(c)
		}
	}
	l.known[path] = k
	return k, nil
}

// allKnown returns copies of all known ROMs, sorted by path.
func (l *Library) allKnown() (list []*ROM) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, path := range slices.Sorted(maps.Keys(l.known)) {
		list = append(list, l.known[path].copies()...)
	}
	return list
}

// File returns the path of the file that contains the ROM, which may be an archive.
func (r *ROM) File() string { return cmp.Or(r.Archive, r.Path) }

// same reports whether a ROM's file is unchanged since it was looked at.
func (l *Library) same(ctx context.Context, r *ROM) bool {
	path := r.File()
	st, err := ask(ctx, &l.answers, path, func(func()) (fs.FileInfo, error) { return os.Stat(path) })
	l.mu.Lock()
	defer l.mu.Unlock()
	k, known := l.known[path]
	return err == nil && known && k.size == st.Size() && k.changed.Equal(st.ModTime())
}

// Read reads a ROM that was looked at, unless that was done before.
func (l *Library) Read(ctx context.Context, r *ROM) (*ROM, error) {
	if !r.Unread() {
		return r, nil
	}
	path := r.File()
	type result struct {
		rom  *ROM
		file romFile
	}
	got, err := ask(ctx, &l.answers, path, func(beat func()) (result, error) {
		st, err := os.Stat(path)
		if err != nil {
			return result{}, err
		}
		read, err := r.read(ctx, beat)
		if err != nil {
			return result{}, err
		}
		after, err := os.Stat(path)
		if err == nil && fileOf(after) != fileOf(st) {
			err = fmt.Errorf("ROM %s: %w", r.Path, ErrROMChanged)
		}
		return result{read, fileOf(st)}, err
	})
	if err != nil {
		return nil, err
	}
	l.keep(got.rom, got.file)
	return got.rom, nil
}

// Knows reports whether the file of a ROM is as it was when the ROM was read, as far as is known.
func (l *Library) Knows(r *ROM) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(l.known[r.File()].roms, func(k *ROM) bool { return k.Path == r.Path && k.SHA256 == r.SHA256 })
}

// keep keeps the hashes of a ROM and reports it to the function given to Tell.
func (l *Library) keep(r *ROM, file romFile) {
	l.mu.Lock()
	l.hashes.put(r, file)
	if k, known := l.known[r.File()]; known && k.file == file {
		k.roms = slices.Clone(k.roms)
		for i, old := range k.roms {
			if old.Path == r.Path {
				c := *r
				k.roms[i] = &c
			}
		}
		l.known[r.File()] = k
	}
	l.mu.Unlock()
	if l.told != nil {
		c := *r
		l.told(&c)
	}
}

// Save writes the kept hashes to their file if there are new ones. Find and List do so themselves.
func (l *Library) Save() {
	l.saving.Lock()
	defer l.saving.Unlock()
	l.mu.Lock()
	path, b := l.hashes.file()
	l.mu.Unlock()
	writeHashes(path, b)
}
