package disk

import (
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// folderLock is the file that stands for its folder, since Windows locks files only.
const folderLock = ".lock"

// far is the byte that is locked: behind any content, which Windows would not let others read
// otherwise.
const far = 1 << 30

// LockFolder locks a folder and waits for as long as somebody else has it. unlock gives it back.
func LockFolder(dir string) (unlock func(), err error) {
	f, err := os.OpenFile(filepath.Join(dir, folderLock), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := lock(f, windows.LOCKFILE_EXCLUSIVE_LOCK); err != nil {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}

// TryExclusive locks an open file that nobody else has locked, until it is closed; else
// [ErrLocked].
func TryExclusive(f *os.File) error { return lock(f, atOnce|windows.LOCKFILE_EXCLUSIVE_LOCK) }

// TryShared locks an open file unless somebody has it alone ([ErrLocked]). Several may do so.
func TryShared(f *os.File) error { return lock(f, atOnce) }

// atOnce has a lock that somebody else has not waited for.
const atOnce = windows.LOCKFILE_FAIL_IMMEDIATELY

func lock(f *os.File, flags uint32) error {
	switch err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{Offset: far}); {
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION), errors.Is(err, windows.ERROR_IO_PENDING):
		return ErrLocked
	case err != nil:
		return &os.PathError{Op: "lock", Path: f.Name(), Err: err}
	}
	return nil
}
