package emucore

import (
	"fmt"
	"os"

	"github.com/nettplay/nettplay/internal/air"
)

// shared is the memory that a console has in common with its worker, laid out
// in protocol.h. It is large but sparse: what nobody touches takes no room. The
// worker may write to it at any time, so everything read there is a claim.
type shared struct {
	mem []byte
}

// newShared makes the memory. The file is for the worker's start and may be
// closed after it.
func newShared() (*shared, *os.File, error) {
	file, mem, err := air.SharedMemory("nettplay-console", sharedSize)
	if err != nil {
		return nil, nil, fmt.Errorf("shared memory for a console: %w", err)
	}
	return &shared{mem: mem}, file, nil
}

// blob is the part for states and memory.
func (s *shared) blob() []byte { return s.mem[offBlob : offBlob+blobMax] }

// video is the part for the picture.
func (s *shared) video() []byte { return s.mem[offVideo : offVideo+videoMax] }

// release unmaps the memory. No slice of it may be used any more.
func (s *shared) release() {
	if s.mem != nil {
		_ = air.Release(s.mem)
		s.mem = nil
	}
}
