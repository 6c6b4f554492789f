package emucore

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// shared is the memory that a console has in common with its worker, laid out
// in worker.h. It is large but sparse: what nobody touches takes no room. The
// worker may write to it at any time, so everything read there is a claim.
type shared struct {
	mem []byte
}

// newShared makes the memory. The file is for the worker's start and may be
// closed after it. Its size is sealed: a worker that shrank it would make the
// parent die of SIGBUS.
func newShared() (*shared, *os.File, error) {
	fd, err := memfd("nettplay-console")
	if err != nil {
		return nil, nil, fmt.Errorf("shared memory for a console: %w", err)
	}
	const seals = unix.F_SEAL_GROW | unix.F_SEAL_SHRINK | unix.F_SEAL_SEAL
	var mem []byte
	if err = unix.Ftruncate(fd, sharedSize); err == nil {
		_, err = unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, seals)
	}
	if err == nil {
		mem, err = unix.Mmap(fd, 0, sharedSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	}
	if err != nil {
		unix.Close(fd)
		return nil, nil, fmt.Errorf("shared memory for a console: %w", err)
	}
	return &shared{mem: mem}, os.NewFile(uintptr(fd), "nettplay-console"), nil
}

// memfd makes an empty anonymous file.
func memfd(name string) (int, error) {
	const flags = unix.MFD_CLOEXEC | unix.MFD_ALLOW_SEALING
	fd, err := unix.MemfdCreate(name, flags|unix.MFD_NOEXEC_SEAL)
	if err == unix.EINVAL { // Linux before 6.3
		fd, err = unix.MemfdCreate(name, flags)
	}
	return fd, err
}

// blob is the part for states and memory.
func (s *shared) blob() []byte { return s.mem[offBlob : offBlob+blobMax] }

// video is the part for the picture.
func (s *shared) video() []byte { return s.mem[offVideo : offVideo+videoMax] }

// release unmaps the memory. No slice of it may be used any more.
func (s *shared) release() {
	if s.mem != nil {
		unix.Munmap(s.mem)
		s.mem = nil
	}
}

// returnBlob gives the memory of a large blob back to the system, for states
// are rare. It is read as zeros from then on.
func (s *shared) returnBlob() {
	unix.Madvise(s.blob(), unix.MADV_REMOVE)
}
