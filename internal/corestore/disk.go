package corestore

import (
	"crypto/sha256"
	"io"
	"os"

	"github.com/nettplay/nettplay/internal/disk"
)

// write writes a small file of a build, and waits until it is on the disk.
func (s *Store) write(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := s.wrap(f).Write(text); err != nil {
		return err
	}
	return f.Sync()
}

// intact reports whether a kept library is still what its record says.
func intact(b Build) bool {
	f, size, err := disk.Open(b.Core.Path)
	if err != nil || size != b.Core.Size {
		return false
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, io.LimitReader(f, size)); err != nil {
		return false
	}
	return [32]byte(sum.Sum(nil)) == b.Core.SHA256
}
