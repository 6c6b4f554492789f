package emucore

import (
	"fmt"
	"os"

	"github.com/nettplay/nettplay/internal/air"
)

// shared is the memory that a console shares with its worker; protocol.h has the
// layout. It is large but sparse: untouched pages take no memory. The
// worker may write to it at any time, so nothing read there can be trusted.
type shared struct {
	mem []byte
}

// newShared creates the memory. The file is for starting the worker and may be
// closed afterwards.
func newShared() (*shared, *os.File, error) {
	file, mem, err := air.SharedMemory("nettplay-console", sharedSize)
	if err != nil {
		return nil, nil, fmt.Errorf("shared memory for a console: %w", err)
	}
	return &shared{mem: mem}, file, nil
}

// blob returns the part for states and memory.
func (s *shared) blob() []byte { return s.mem[offBlob : offBlob+blobMax] }

// video returns the part for the picture.
func (s *shared) video() []byte { return s.mem[offVideo : offVideo+videoMax] }

// release unmaps the memory. Slices of it must not be used afterwards.
func (s *shared) release() {
	if s.mem != nil {
		_ = air.Release(s.mem)
		s.mem = nil
	}
}
