package disk

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"time"

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

// Full says that there is no room left for the user's files.
func Full(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL) || errors.Is(err, windows.ERROR_DISK_QUOTA_EXCEEDED)
}

// ReadOnly says that the disk cannot be written to.
func ReadOnly(err error) bool { return errors.Is(err, windows.ERROR_WRITE_PROTECT) }

// Nameless makes a file in a folder that is gone with the process, even if that is killed at once. Windows
// has no open file without a name; it removes this one with its last handle.
func Nameless(dir string) (*os.File, error) {
	path := filepath.Join(dir, namelessPrefix+rand.Text())
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	const flags = windows.FILE_ATTRIBUTE_TEMPORARY | windows.FILE_FLAG_DELETE_ON_CLOSE
	h, err := windows.CreateFile(name, windows.GENERIC_READ|windows.GENERIC_WRITE|windows.DELETE, 0, nil, windows.CREATE_NEW, flags, 0)
	if err != nil {
		return nil, &os.PathError{Op: "create", Path: path, Err: err}
	}
	return os.NewFile(uintptr(h), path), nil
}

// openFile waits a moment for whoever has the file for themselves: a scanner, or ourselves while a file gets the place of
// another.
func openFile(path string, flags int) (f *os.File, err error) {
	for wait := firstWait; wait < lastWait/4; wait *= 2 {
		f, err = os.OpenFile(path, flags, 0)
		if !errors.Is(err, windows.ERROR_SHARING_VIOLATION) && !errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
			break
		}
		time.Sleep(wait)
	}
	return f, err
}

// rename puts a file in the place of another, so that it lasts through a power cut.
func rename(from, to string) error { return Rename(from, to) }

// Rename puts a file in the place of another, so that it lasts through a power cut. Windows brings no folder to the
// disk by itself; it waits for the rename instead. A virus scanner or an indexer has a new file open for moments, in which
// it cannot be moved, nor replaced.
func Rename(from, to string) error {
	var err error
	for wait := firstWait; ; wait *= 2 {
		if err = move(from, to); err == nil || !passing(err) || wait > lastWait {
			break
		}
		time.Sleep(wait)
	}
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}

// Waits between the tries: two seconds in all.
const (
	firstWait = time.Millisecond
	lastWait  = time.Second
)

// passing tells whether an error may be over soon.
func passing(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
}

func move(from, to string) error {
	old, err := windows.UTF16PtrFromString(from)
	if err != nil {
		return err
	}
	path, err := windows.UTF16PtrFromString(to)
	if err != nil {
		return err
	}
	return windows.MoveFileEx(old, path, windows.MOVEFILE_REPLACE_EXISTING|windows.MOVEFILE_WRITE_THROUGH)
}

// SyncDir has nothing to do: [Rename] waits for the disk.
func SyncDir(string) error { return nil }
