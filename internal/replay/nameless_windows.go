package replay

import (
	"crypto/rand"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// nameless makes a file that is gone with the process, even if that is killed at once. Windows
// has no open file without a name; it removes this one with its last handle.
func nameless(dir string) (*os.File, error) {
	path := filepath.Join(dir, "nettplay-live-"+rand.Text()+Extension)
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
