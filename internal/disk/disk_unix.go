//go:build unix

package disk

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// LockFolder locks a folder and waits for as long as somebody else has it. unlock gives it back.
func LockFolder(dir string) (unlock func(), err error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(d.Fd()), syscall.LOCK_EX)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err != nil {
		d.Close()
		return nil, &os.PathError{Op: "lock", Path: dir, Err: err}
	}
	return func() { d.Close() }, nil
}

// TryExclusive locks an open file that nobody else has locked, until it is closed; else
// [ErrLocked].
func TryExclusive(f *os.File) error { return try(f, syscall.LOCK_EX) }

// TryShared locks an open file unless somebody has it alone ([ErrLocked]). Several may do so.
func TryShared(f *os.File) error { return try(f, syscall.LOCK_SH) }

func try(f *os.File, how int) error {
	switch err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB); {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return ErrLocked
	case err != nil:
		return &os.PathError{Op: "lock", Path: f.Name(), Err: err}
	}
	return nil
}

// Full says that there is no room left for the user's files.
func Full(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// ReadOnly says that the disk cannot be written to.
func ReadOnly(err error) bool { return errors.Is(err, syscall.EROFS) }

// named makes a file that is gone with the process, and has a name for a moment.
func named(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, namelessPrefix+"*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func openFile(path string, flags int) (*os.File, error) { return os.OpenFile(path, flags, 0) }

// rename puts a file in the place of another, so that it lasts through a power cut.
func rename(from, to string) error {
	if err := Rename(from, to); err != nil {
		return err
	}
	d, err := os.Open(filepath.Dir(to))
	if err != nil {
		return nil // one may write to it, and not look into it
	}
	defer d.Close()
	return d.Sync()
}

// Rename puts a file in the place of another. It lasts once [SyncDir] has returned.
func Rename(from, to string) error { return os.Rename(from, to) }

// SyncDir makes what is in a folder last through a power cut.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
