package emucore

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"

	"github.com/nettplay/nettplay/internal/disk"
)

// romAsItIs: a worker cannot be handed the very file of a ROM, for cores that want a file want its path, which
// must be the same on all machines. So each game that is played is copied once.
const romAsItIs = false

// sealedFile makes a file with what fill writes, which nobody can change or remove as long as it is open. It lies
// beside the private directories; dropSealed removes it, or the next start of any console.
func sealedFile(_ string, fill func(*os.File) error) (*os.File, error) {
	base := workdirBase()
	if err := makeBase(base); err != nil {
		return nil, fmt.Errorf("a private file: %w", err)
	}
	w, err := os.CreateTemp(base, sealedPrefix)
	if err != nil {
		return nil, fmt.Errorf("a private file: %w", err)
	}
	path := w.Name()
	err = fill(w)
	unlock, locked := disk.LockFolder(base) // nobody sweeps while it is not open
	if locked == nil {
		defer unlock()
	}
	if closed := w.Close(); err == nil {
		err = closed
	}
	if err != nil {
		os.Remove(path)
		return nil, err
	}
	f, err := openFor(path, windows.GENERIC_READ, windows.FILE_SHARE_READ, windows.OPEN_EXISTING, windows.FILE_ATTRIBUTE_NORMAL)
	if err != nil {
		os.Remove(path)
		return nil, fmt.Errorf("a private file: %w", err)
	}
	return f, nil
}

// dropSealed lets go of a sealed file. The directories of consoles that have ended have it by another name, which could not be
// removed while it was open.
func dropSealed(f *os.File) {
	f.Close()
	os.Remove(f.Name())
	base := filepath.Dir(f.Name())
	if unlock, err := disk.LockFolder(base); err == nil {
		sweep(base)
		unlock()
	}
}

// memoryFile makes a file with what fill writes that is gone once it is closed, and with this process.
func memoryFile(_ string, fill func(*os.File) error) (*os.File, error) {
	path := filepath.Join(os.TempDir(), "nettplay-"+rand.Text())
	f, err := openFor(path, windows.GENERIC_READ|windows.GENERIC_WRITE|windows.DELETE, 0, windows.CREATE_NEW, windows.FILE_ATTRIBUTE_TEMPORARY|windows.FILE_FLAG_DELETE_ON_CLOSE)
	if err != nil {
		return nil, fmt.Errorf("a file of its own: %w", err)
	}
	if err := fill(f); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// openFor opens a file in a way that package os has no words for.
func openFor(path string, access, share, how, flags uint32) (*os.File, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	h, err := windows.CreateFile(name, access, share, nil, how, flags, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(h), path), nil
}
