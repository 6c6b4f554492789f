package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Save writes the settings to a file, in the commented form of [Config.Commented],
// and replaces what was there in one step: whatever happens, the file is the old
// one or the new one. Comments that somebody wrote into it are lost. Only the
// user may read the file. Settings that are not valid are not written. Settings
// without a MAC address, like [Defaults], do not take away that of the file.
func (c Config) Save(path string) error {
	if err := c.Validate(); err != nil {
		return fmt.Errorf("save settings: %w", err)
	}
	unlock, err := lock(path)
	if err != nil {
		return fmt.Errorf("save settings: %w", err)
	}
	defer unlock()
	if c.Player.MAC == "" {
		c.Player.MAC = FindMAC(path)
	}
	if err := replace(path, c.Commented()); err != nil {
		return fmt.Errorf("save settings: %w", err)
	}
	return nil
}

// Init writes a file with the defaults, commented, and a MAC address of its own.
// A file that is there already is an error that wraps fs.ErrExist, unless force
// is set: then it is replaced, and of its settings only the MAC address is kept,
// for save files may depend on it.
func Init(path string, force bool) error {
	unlock, err := lock(path)
	if err != nil {
		return fmt.Errorf("write default settings: %w", err)
	}
	defer unlock()
	if err := initLocked(path, force); err != nil {
		return fmt.Errorf("write default settings: %w", err)
	}
	return nil
}

func initLocked(path string, force bool) error {
	c := Defaults()
	_, err := os.Lstat(path)
	switch {
	case err == nil && !force:
		return fmt.Errorf("%s: %w", path, fs.ErrExist)
	case err == nil:
		c.Player.MAC = FindMAC(path)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if c.Player.MAC == "" {
		if c.Player.MAC, err = randomMAC(); err != nil {
			return err
		}
	}
	return replace(path, c.Commented())
}

// lock keeps other processes that change the file away until unlock is called,
// and makes its folder. Where the file system cannot lock, it does not.
func lock(path string) (unlock func(), err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	d, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	// Closing the folder gives the lock back, in whatever way the process ends.
	_ = syscall.Flock(int(d.Fd()), syscall.LOCK_EX)
	return func() { d.Close() }, nil
}

// replace writes a file beside path and renames it over path. Where path is a
// symbolic link, the file that it points to is replaced: many keep their settings
// in a folder of their own.
func replace(path, text string) (err error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, ".config-*.tmp") // with mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if _, err := f.WriteString(text); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return syncDir(dir)
}

// syncDir makes a rename last through a power cut.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
