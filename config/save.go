package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/nettplay/nettplay/internal/disk"
)

// Save writes the settings to a file, in the commented form of [Config.Commented],
// and replaces what was there in one step: whatever happens, the file is the old
// one or the new one. A file that has lines that do not count, or that somebody wrote by hand, is
// kept first, see [CopyEnding]. Only the user may read the file. Settings that are not valid are not
// written. Settings without a MAC address, like [Defaults], do not take away that of the file.
func (c Config) Save(path string) error {
	const what = "save settings"
	if err := c.Validate(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return locked(path, what, func() error {
		before, err := Load(path)
		if c.Player.MAC == "" {
			c.Player.MAC = before.Player.MAC
		}
		if errors.Is(err, fs.ErrNotExist) {
			return disk.Write(path, []byte(c.Commented()), 0o600)
		}
		if text, unread := readFile(path); err != nil || unread != nil || !strings.HasPrefix(text, fileHead) {
			if _, err := keepCopy(path); err != nil {
				return err
			}
		}
		return disk.Write(path, []byte(c.Commented()), 0o600)
	})
}

// Init writes a file with the defaults, commented, and a MAC address of its own.
// A file that is there already is an error that wraps fs.ErrExist, unless force
// is set: then it is replaced, and of its settings only the MAC address is kept,
// for save files may depend on it. kept is the file that the one before became, see [CopyEnding];
// "" where there was none.
func Init(path string, force bool) (kept string, err error) {
	err = locked(path, "write default settings", func() (err error) {
		kept, err = initLocked(path, force)
		return err
	})
	return kept, err
}

func initLocked(path string, force bool) (kept string, err error) {
	c := Defaults()
	_, err = os.Lstat(path)
	switch {
	case err == nil && !force:
		return "", fmt.Errorf("%s: %w", path, fs.ErrExist)
	case err == nil:
		before, _ := Load(path) // what can be read
		c.Player.MAC = before.Player.MAC
		if kept, err = keepCopy(path); err != nil {
			return "", err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	}
	if c.Player.MAC == "" {
		if c.Player.MAC, err = randomMAC(); err != nil {
			return "", err
		}
	}
	return kept, disk.Write(path, []byte(c.Commented()), 0o600)
}

// CopyEnding stands behind the name of a settings file in that of its copy, which is made before
// what somebody wrote into it is replaced. A second one has ".bak2" there, and so on.
const CopyEnding = ".bak"

// maxCopies of a file are kept: more than anybody makes.
const maxCopies = 100

// keepCopy keeps a file under another name beside it, and returns that.
func keepCopy(path string) (string, error) {
	file := path
	if target, err := filepath.EvalSymlinks(path); err == nil {
		file = target
	}
	if st, err := os.Stat(file); err != nil || !st.Mode().IsRegular() {
		return "", nil // there is nothing to be kept
	}
	for n := 1; n <= maxCopies; n++ {
		name := path + CopyEnding
		if n > 1 {
			name += strconv.Itoa(n)
		}
		err := os.Link(file, name) // for the file itself is not written to: another takes its place
		if err != nil && !errors.Is(err, fs.ErrExist) {
			err = copyFile(file, name)
		}
		if !errors.Is(err, fs.ErrExist) {
			return name, err
		}
	}
	return "", fmt.Errorf("there are %d copies of %s already, and no more are kept", maxCopies, path)
}

// copyFile copies a file where the file system has no links, or another one has the file.
func copyFile(from, to string) (err error) {
	in, _, err := disk.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err = io.Copy(out, in); err == nil {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err != nil {
		os.Remove(to)
	}
	return err
}

// locked does something with a file that no other process changes meanwhile. An error says what was
// to be done.
func locked(path, what string, do func() error) error {
	if err := disk.Changing(path, do); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}
