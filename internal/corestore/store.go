package corestore

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/disk"
)

// The store's folder:
//
//	melondsds/                          the core's short name
//	    9f86d0.../                      a build, by the SHA-256 of its library
//	        melondsds_libretro.so
//	        record.json                 see record.go
//	.get-123456/                        a build that is being got: locked as long as somebody does
//
// A build's folder comes and goes by a rename, so it is there whole or not at all.

// unfinished begins the names of folders of builds that are being got, or removed.
const unfinished = ".get-"

// Limits of one look at the folder.
const (
	maxNames  = 200 // short names
	maxBuilds = 200 // of each
)

// Origin says where a build is from. The zero value is that of a core that was not got here.
type Origin struct {
	Source  string    // as the settings named it
	URL     string    // of the archive
	Version string    // of the release; "" where the source tells none
	Date    time.Time // the day of the build, UTC
	CRC32   uint32    // of the library
}

// Told returns what a room tells of it, as [Offer.Told] does; "", "" where nothing is known.
func (o Origin) Told() (source, version string) {
	if s, err := config.ParseCoreSource(o.Source); err == nil {
		source = s.Name()
	}
	return source, toldVersion(o.Version, o.Date, o.CRC32)
}

// Host returns the name of the machine that the build was fetched from.
func (o Origin) Host() string { return hostOf(o.URL) }

// A Build is a build of a core that is kept.
type Build struct {
	Core    emucore.Core // of its record: nothing runs when builds are listed
	Name    string       // the core's short name, as in Offer
	Origin  Origin
	Fetched time.Time
}

// Label returns the core and its build for people: "melonDS DS 1.2.0", with the version of the
// release, and where the source tells no versions, with the day.
func (b Build) Label() string {
	own := b.Core.Name
	if b.Origin.Version == "" {
		own = strings.TrimSpace(own + " " + b.Core.Version)
	}
	return label(own, b.Origin.Version, b.Origin.Date)
}

// Means tells whether a player can mean the build by a name such as "melondsds", "melonDS DS"
// or "melonds".
func (b Build) Means(name string) bool { return name != "" && means(name, b.Name, false) }

// A Store is the folder of the cores that were got. Its methods may be called on any
// goroutine, and other processes may use the folder at the same time.
type Store struct {
	dir string
	// wrap, for tests, stands between what is written and the disk.
	wrap func(f *os.File) io.Writer
}

// Open returns the store in a folder, which need not exist.
func Open(dir string) *Store { return &Store{dir: dir, wrap: func(f *os.File) io.Writer { return f }} }

// Default returns the store in the player's data folder.
func Default() (*Store, error) {
	places, err := config.Data()
	if err != nil {
		return nil, err
	}
	return Open(places.Cores), nil
}

// List returns all builds, by name, and of each name the newest first. Folders that are none
// of the store's are left out; errors are of folders that cannot be read.
func (s *Store) List() ([]Build, error) {
	names, err := subfolders(s.dir, maxNames)
	if err != nil {
		return nil, diskFailure("reading the kept cores", s.dir, err)
	}
	var all []Build
	for _, name := range names {
		if !isCore(name) {
			continue
		}
		sums, err := subfolders(filepath.Join(s.dir, name), maxBuilds)
		if err != nil {
			return all, diskFailure("reading the kept cores", filepath.Join(s.dir, name), err)
		}
		for _, sum := range sums {
			if b, err := s.read(name, sum); err == nil {
				all = append(all, b)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Build) int {
		return cmp.Or(
			strings.Compare(a.Name, b.Name),
			rank(a.Origin.Version != "", b.Origin.Version != ""),
			compareVersions(b.Origin.Version, a.Origin.Version),
			b.Origin.Date.Compare(a.Origin.Date),
			b.Fetched.Compare(a.Fetched),
		)
	})
	return all, nil
}

// subfolders returns the names of the folders in dir, none where dir is not there.
func subfolders(dir string, most int) (names []string, err error) {
	d, err := os.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	entries, err := d.ReadDir(most)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, nil
}

// read reads the record of a build.
func (s *Store) read(name, sum string) (Build, error) {
	dir := filepath.Join(s.dir, name, sum)
	text, err := disk.Read(filepath.Join(dir, recordName), maxRecord)
	if err != nil {
		return Build{}, err
	}
	b, err := decodeRecord(text)
	if err != nil {
		return b, err
	}
	if hex.EncodeToString(b.Core.SHA256[:]) != sum {
		return b, errors.New("record: sha256 is not that of its folder")
	}
	b.Name, b.Core.Path = name, filepath.Join(dir, name+librarySuffix)
	st, err := os.Lstat(b.Core.Path)
	if err == nil && (!st.Mode().IsRegular() || st.Size() != b.Core.Size) {
		err = fmt.Errorf("%s is not the library that was kept", b.Core.Path)
	}
	return b, err
}

// ByHash returns the kept build whose library has a SHA-256, as the store's record has it.
// To run it, open it with emucore.OpenCore, which hashes the file itself.
func (s *Store) ByHash(sha [32]byte) (Build, bool) {
	return s.find(func(b Build) bool { return b.Core.SHA256 == sha })
}

// Has returns the kept build that an offer is, as far as that can be known before it is
// fetched: from the same source, of the same version and day, with the same sum.
func (s *Store) Has(o Offer) (Build, bool) {
	return s.find(func(b Build) bool {
		return b.Name == o.Name && b.Origin.Source == o.Source.String() && b.Origin.Version == o.Version &&
			b.Origin.Date.Equal(o.Date) && (o.CRC32 == 0 || o.CRC32 == b.Origin.CRC32)
	})
}

// Owns returns the kept build whose library is at path, as a setting core.name may have it.
func (s *Store) Owns(path string) (Build, bool) {
	if !filepath.IsAbs(path) {
		return Build{}, false
	}
	return s.find(func(b Build) bool { return b.Core.Path == filepath.Clean(path) })
}

// find returns the first build that fits.
func (s *Store) find(fits func(Build) bool) (Build, bool) {
	all, _ := s.List()
	i := slices.IndexFunc(all, fits)
	if i < 0 {
		return Build{}, false
	}
	return all[i], true
}

// Folders returns the folder of each build, the newest of each name first, for
// emucore.FindCores: it picks the first of several that a name means.
func (s *Store) Folders() (dirs []string) {
	all, _ := s.List()
	for _, b := range all {
		dirs = append(dirs, filepath.Dir(b.Core.Path))
	}
	return dirs
}

// Remove removes a build. A game that runs with it goes on. Only what is in the store is
// removed.
func (s *Store) Remove(b Build) error {
	dir := filepath.Join(s.dir, b.Name, hex.EncodeToString(b.Core.SHA256[:]))
	if !isCore(b.Name) || b.Core.Path != filepath.Join(dir, b.Name+librarySuffix) {
		return &Failure{Reason: NotKept, What: "removing " + b.Core.Path, Why: "it is not in the store of kept cores"}
	}
	unlock, err := s.lock()
	if err != nil {
		return diskFailure("removing "+b.Label(), s.dir, err)
	}
	defer unlock()
	switch err := s.discard(dir); {
	case errors.Is(err, fs.ErrNotExist):
		return &Failure{Reason: NotKept, What: "removing " + b.Label(), Why: "it is gone"}
	case err != nil:
		return diskFailure("removing "+b.Label(), s.dir, err)
	}
	_ = os.Remove(filepath.Join(s.dir, b.Name)) // only if that was the last of its name
	return nil
}

// discard takes a build's folder away in one step. The caller has locked the store.
func (s *Store) discard(dir string) error {
	away, err := os.MkdirTemp(s.dir, unfinished)
	if err != nil {
		return err
	}
	defer os.RemoveAll(away)
	return os.Rename(dir, filepath.Join(away, "removed"))
}

// lock makes the store's folder and keeps other processes, and other callers here, from
// changing what is in it. Where the file system cannot lock, it does not.
func (s *Store) lock() (unlock func(), err error) {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, err
	}
	if unlock, err = disk.LockFolder(s.dir); err != nil {
		unlock = func() {}
	}
	return unlock, nil
}

// A workshop is a folder in which a build is got ready. Nobody else touches it while its
// maker lives.
type workshop struct {
	dir  string
	lock *os.File
}

// open makes a workshop, and removes those whose makers were killed.
func (s *Store) open() (*workshop, error) {
	unlock, err := s.lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	s.sweep()
	dir, err := os.MkdirTemp(s.dir, unfinished)
	if err != nil {
		return nil, err
	}
	w := &workshop{dir: dir}
	if w.lock, err = lockWorkshop(dir); err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	return w, nil
}

// close removes the workshop and all that is still in it.
func (w *workshop) close() {
	os.RemoveAll(w.dir)
	unlockWorkshop(w.lock)
}

// sweep removes workshops that nobody has locked. The caller has locked the store.
func (s *Store) sweep() {
	left, _ := fs.Glob(os.DirFS(s.dir), unfinished+"*")
	for _, name := range left {
		dir := filepath.Join(s.dir, name)
		sweepWorkshop(dir)
	}
}

// keep moves a finished build from its workshop to its place. If the same build is there
// already, that one stays, unless it is damaged.
func (s *Store) keep(w *workshop, b Build) (Build, error) {
	text, err := encodeRecord(b)
	if err == nil {
		err = s.write(filepath.Join(w.dir, recordName), text)
	}
	if err == nil {
		err = disk.SyncDir(w.dir)
	}
	if err != nil {
		return Build{}, err
	}
	unlock, err := s.lock()
	if err != nil {
		return Build{}, err
	}
	defer unlock()
	sum := hex.EncodeToString(b.Core.SHA256[:])
	place := filepath.Join(s.dir, b.Name, sum)
	if have, err := s.read(b.Name, sum); err == nil && intact(have) {
		return have, nil
	}
	if err := os.MkdirAll(filepath.Dir(place), 0o700); err != nil {
		return Build{}, err
	}
	if err := s.discard(place); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Build{}, err
	}
	if err = os.Rename(w.dir, place); err == nil {
		err = disk.SyncDir(filepath.Dir(place))
	}
	if err != nil {
		return Build{}, err
	}
	return s.read(b.Name, sum)
}

// write writes a small file of a build, and waits until it is on the disk.
func (s *Store) write(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := s.wrap(f).Write(text); err != nil {
		return err
	}
	return f.Sync()
}

// intact reports whether a kept library is still what its record says.
func intact(b Build) bool {
	f, size, err := disk.Open(b.Core.Path)
	if err != nil || size != b.Core.Size {
		return false
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, io.LimitReader(f, size)); err != nil {
		return false
	}
	return [32]byte(sum.Sum(nil)) == b.Core.SHA256
}
