package emucore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/nettplay/nettplay/internal/air"
)

// workdirPrefix starts the name of every private directory.
const workdirPrefix = "console-"

// A workdir is the private directory in which a worker loads its core: empty
// save and system directories and the ROM under its canonical name. It exists
// only while the core is loading. Afterwards it is unlinked; the core keeps what
// it has open, and finds nothing more by name, on any machine.
//
// A worker killed while loading leaves its directory behind. It is then no longer
// locked, and the next start of any console removes it.
type workdir struct {
	base string
	path string
	dir  *os.File // locked for as long as the directory is in use
}

// newWorkdir makes a private directory.
func newWorkdir() (*workdir, error) {
	return newWorkdirIn(workdirBase())
}

// workdirBase is where private directories are: in memory, if the login session
// has such a place.
func workdirBase() string {
	if run := os.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(run) && unix.Access(run, unix.W_OK|unix.X_OK) == nil {
		return filepath.Join(run, "nettplay")
	}
	return filepath.Join(os.TempDir(), "nettplay-"+strconv.Itoa(os.Getuid()))
}

func newWorkdirIn(base string) (*workdir, error) {
	lock, err := lockBase(base)
	if err != nil {
		return nil, fmt.Errorf("private directory for a console: %w", err)
	}
	defer lock.Close()
	sweep(base)
	path, err := os.MkdirTemp(base, workdirPrefix)
	if err != nil {
		return nil, fmt.Errorf("private directory for a console: %w", err)
	}
	w := &workdir{base: base, path: path}
	if w.dir, err = lockDir(path); err == nil {
		err = errors.Join(os.Mkdir(w.save(), 0o700), os.Mkdir(filepath.Join(path, "system"), 0o700))
	}
	if err != nil {
		w.dir.Close() // of a nil one that is an error, and no more
		os.RemoveAll(path)
		return nil, fmt.Errorf("private directory for a console: %w", err)
	}
	return w, nil
}

// lockBase makes the base directory if need be and locks it, so that nobody
// sweeps between the making of a private directory and its locking.
func lockBase(base string) (*os.File, error) {
	for {
		if err := os.Mkdir(base, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		if err := ownDirectory(base); errors.Is(err, fs.ErrNotExist) {
			continue // removed by the last one to leave
		} else if err != nil {
			return nil, err
		}
		f, err := os.Open(base)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if err := flock(f, unix.LOCK_EX); err != nil {
			f.Close()
			return nil, err
		}
		var st unix.Stat_t
		if unix.Fstat(int(f.Fd()), &st) == nil && st.Nlink > 0 {
			return f, nil
		}
		f.Close() // removed by the last one to leave while we waited
	}
}

// ownDirectory refuses a base directory that somebody else could change.
func ownDirectory(path string) error {
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return &fs.PathError{Op: "look at", Path: path, Err: err}
	}
	if st.Mode&unix.S_IFMT != unix.S_IFDIR || int(st.Uid) != os.Getuid() || st.Mode&0o077 != 0 {
		return fmt.Errorf("%s is not a directory for this user only: remove it", path)
	}
	return nil
}

// lockDir opens a directory and locks it. The lock is held by all copies of the
// descriptor, so by the worker too.
func lockDir(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if err := flock(f, unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func flock(f *os.File, how int) error {
	for {
		if err := unix.Flock(int(f.Fd()), how); err != unix.EINTR {
			return err
		}
	}
}

// sweep removes private directories whose owners are gone.
func sweep(base string) {
	entries, err := os.ReadDir(base)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), workdirPrefix) {
			continue
		}
		path := filepath.Join(base, e.Name())
		if f, err := lockDir(path); err == nil {
			os.RemoveAll(path)
			f.Close()
		}
	}
}

// save is the directory for the core's save files.
func (w *workdir) save() string { return filepath.Join(w.path, "save") }

// link makes a name in the directory for a descriptor of the worker.
func (w *workdir) link(name string, fd int) error {
	return os.Symlink("/proc/self/fd/"+strconv.Itoa(fd), filepath.Join(w.path, name))
}

// remove unlinks the directory and all in it. The second time it does nothing.
func (w *workdir) remove() {
	if w == nil || w.dir == nil {
		return
	}
	os.RemoveAll(w.path)
	w.dir.Close()
	w.dir = nil
	if lock, err := lockBase(w.base); err == nil {
		os.Remove(w.base) // only if it is empty
		lock.Close()
	}
}

// addROM makes the name of the ROM in the directory.
func (w *workdir) addROM(*imageFile) error { return w.link(canonicalROM, fdROM) }

// loaded is told when the core is loaded. It returns what is to be removed after the worker's end.
func (w *workdir) loaded() *workdir {
	w.remove()
	return nil
}

// newSave makes the core's save file: one in memory, and its name in the directory.
func (w *workdir) newSave(name string, content []byte) (*os.File, error) {
	f, err := air.MemoryFile("nettplay-save")
	if err != nil {
		return nil, err
	}
	_, err = f.WriteAt(content, 0)
	if err == nil {
		err = w.link(filepath.Join("save", name), fdSave)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
