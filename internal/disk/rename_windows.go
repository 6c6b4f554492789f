package disk

import (
	"os"

	"golang.org/x/sys/windows"
)

// rename puts a file in the place of another, so that it lasts through a power cut. Windows
// brings no folder to the disk by itself; it waits for the rename instead.
func rename(from, to string) error {
	err := move(from, to)
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
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
