package emucore

import (
	"errors"
	"fmt"
)

// maxCoreSize bounds what is hashed: the largest DS core has some 30 MB.
const maxCoreSize = 1 << 30

// A Core is a libretro core for the DS on disk.
type Core struct {
	Path     string // absolute
	Name     string // library_name, as in Profile.Library
	Version  string // library_version
	Wireless bool   // has local wireless (asks for the netpacket interface)
	SHA256   [32]byte
	// Fingerprint is of what the core does, by internal/corecheck; zero: not known. Opening a core does
	// not find it out.
	Fingerprint [32]byte
	Size        int64 // bytes
}

// NotCoreError says why a file cannot be used as a DS core.
type NotCoreError struct {
	Path string
	Why  string // for people, without the path
}

func (e *NotCoreError) Error() string {
	return fmt.Sprintf("core %s: %s", e.Path, e.Why)
}

// errCoreChanged says that a core is no longer the one that was opened, for
// instance because the system was upgraded since.
var errCoreChanged = errors.New("the file has changed since it was opened")

// inspectCore checks, without running any of it, that a file is a libretro
// core that this machine could load, and hashes it.
func inspectCore(path string) (sum [32]byte, size int64, err error) {
	refuse := func(why string) error { return &NotCoreError{path, why} }
	f, size, err := openFile("core", path, refuse)
	if err != nil {
		return sum, 0, err
	}
	defer f.Close()
	if size > maxCoreSize {
		return sum, 0, refuse(fmt.Sprintf("%d bytes are too many for a core", size))
	}
	if err := checkLibrary(f); err != nil {
		return sum, 0, refuse(err.Error())
	}
	if sum, err = hashFile(f, size, errCoreChanged); err != nil {
		return sum, 0, fmt.Errorf("hashing core %s: %w", path, err)
	}
	return sum, size, nil
}
