package saves

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/nettplay/nettplay/internal/disk"
)

// steps is all that changes files here, in steps each of which happens or does not.
// Tests end the program before each of them in turn, or let it fail.
type steps struct {
	before func(step, path string) error // nil: nothing stands in the way
}

func (d steps) step(name, path string) error {
	if d.before == nil {
		return nil
	}
	return d.before(name, path)
}

// mkdir makes a folder, with those above it, lasting: without it, what is kept in a
// new folder could be gone after a power cut with the folder itself.
func (d steps) mkdir(dir string) error {
	if st, err := os.Stat(dir); err == nil && st.IsDir() {
		return nil
	} else if err == nil {
		return fmt.Errorf("%s is a file where your saves need a folder: move it or rename it", dir)
	}
	if parent := filepath.Dir(dir); parent != dir {
		if err := d.mkdir(parent); err != nil {
			return err
		}
	}
	if err := d.step("mkdir", dir); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	err := d.syncDir(filepath.Dir(dir))
	if errors.Is(err, fs.ErrPermission) {
		return nil // a folder that one may write to, and not look into
	}
	return err
}

// create writes a new file, lasting: not even a power cut takes it back, once the
// folder is synced too. When it fails nothing is left.
func (d steps) create(path string, data []byte, mode fs.FileMode) (err error) {
	if err := d.step("create", path); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			err = errors.Join(err, d.remove(path))
		}
	}()
	for half := len(data) / 2; ; half = len(data) {
		if err := d.step("write", path); err != nil {
			return err
		}
		if _, err := f.Write(data[:half]); err != nil {
			return err
		}
		data = data[half:]
		if len(data) == 0 {
			break
		}
	}
	if err := f.Chmod(mode); err != nil {
		return err
	}
	if err := d.step("sync", path); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return f.Close()
}

// replace makes data the content of a file in one step.
func (d steps) replace(path, temporary string, data []byte, mode fs.FileMode) error {
	if err := d.remove(temporary); err != nil {
		return err
	}
	if err := d.create(temporary, data, mode); err != nil {
		return err
	}
	if err := d.rename(temporary, path); err != nil {
		return errors.Join(err, d.remove(temporary))
	}
	return nil
}

// rename moves a file over another, and makes that last.
func (d steps) rename(from, to string) error {
	if err := d.step("rename", to); err != nil {
		return err
	}
	if err := disk.Rename(from, to); err != nil {
		return err
	}
	return d.syncDir(filepath.Dir(to))
}

// remove removes a file that may be gone already.
func (d steps) remove(path string) error {
	if err := d.step("remove", path); err != nil {
		return err
	}
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (d steps) syncDir(dir string) error {
	if err := d.step("syncdir", dir); err != nil {
		return err
	}
	return disk.SyncDir(dir)
}

// readFile reads a regular file of at most limit bytes; of a larger one, limit+1
// bytes, so that the caller can tell.
func readFile(path string, limit int64) ([]byte, error) {
	f, _, err := disk.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit+1))
}
