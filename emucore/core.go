package emucore

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// maxCoreSize bounds the files that are hashed: the largest DS core has some 30 MB.
const maxCoreSize = 1 << 30

// A Core is a libretro core for the DS on disk.
type Core struct {
	Path     string // absolute
	Name     string // library_name, as in Profile.Library
	Version  string // library_version
	Wireless bool   // has local wireless (asks for the netpacket interface)
	// Unopened says that the core has not run yet: Name and Wireless are derived from its file name, and Version is "".
	// It cannot run a console until Open.
	Unopened bool
	SHA256   [32]byte
	// Fingerprint identifies the core's behavior, see internal/corecheck; zero: unknown. Opening a core does
	// not determine it.
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

// ErrUnopened says that a console was to be started with a core that was only looked at.
var ErrUnopened = errors.New("the core has not been opened")

// ownNames maps the short file names of cores to the names they report.
var ownNames = map[string]string{
	"melondsds": "melonDS DS", "melonds": "melonDS", "desmume": "DeSmuME", "desmume2015": "DeSmuME 2015", "noods": "NooDS", "skyemu": "SkyEmu",
}

// OwnName returns the name that a core reports, by its short file name, such as "melondsds" for
// "melondsds_libretro.so". For a core that was not measured known is false and name is short.
func OwnName(short string) (name string, known bool) {
	if name, known = ownNames[strings.ToLower(short)]; !known {
		name = short
	}
	return name, known
}

// withWireless is the short file name of the core that is known to have local wireless.
const withWireless = "melondsds"

// LookAt inspects the core at path without running it: see [Core.Unopened]. A file that is not a libretro core for this
// machine gives a *NotCoreError.
func LookAt(path string) (Core, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return Core{}, fmt.Errorf("looking at core %s: %w", path, err)
	}
	c := Core{Path: abs, Unopened: true}
	if c.SHA256, c.Size, err = inspectCore(abs); err != nil {
		return Core{}, err
	}
	short := filepath.Base(abs)
	if n := len(short) - len(CoreSuffix); n > 0 && strings.EqualFold(short[n:], CoreSuffix) {
		short = short[:n]
	}
	c.Name, _ = OwnName(short)
	c.Wireless = strings.EqualFold(short, withWireless)
	return c, nil
}

// errCoreChanged says that a core's file has changed since it was opened, for
// instance by a system upgrade.
var errCoreChanged = errors.New("the file has changed since it was opened")

// inspectCore checks, without running it, that a file is a libretro
// core that this machine can load, and hashes it.
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
