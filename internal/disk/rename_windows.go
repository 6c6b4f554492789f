package disk

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

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
