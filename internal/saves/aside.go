package saves

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
)

// SetAside keeps backup memory, raw, in the folder of the saves as a file of its own, and
// returns that. It is lasting, no save takes its place, and nobody but the player removes it.
func (s *Store) SetAside(sram []byte) (path string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.lock == nil:
		return "", ErrClosed
	case len(sram) == 0:
		return "", ErrEmpty
	}
	base := filepath.Join(s.dir, "set aside "+s.opt.Now().Format("2006-01-02 15.04.05"))
	path = base + extSave
	for n := 2; ; n++ {
		err := s.disk.create(path, sram, 0o600)
		if err == nil {
			return path, s.disk.syncDir(s.dir)
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", fmt.Errorf("setting the save of %s aside: %w", s.name(), err)
		}
		if there, _ := readFile(path, int64(len(sram))); bytes.Equal(there, sram) {
			return path, nil
		}
		path = fmt.Sprintf("%s-%d%s", base, n, extSave)
	}
}
