package air

import (
	"os"

	"golang.org/x/sys/unix"
)

// SharedMemory makes memory in common with workers, and the file by which they get it. Its
// size is sealed: a worker that shrank it would make everybody die of SIGBUS.
func SharedMemory(name string, size int) (*os.File, []byte, error) {
	file, err := MemoryFile(name)
	if err != nil {
		return nil, nil, err
	}
	fd := int(file.Fd())
	const seals = unix.F_SEAL_GROW | unix.F_SEAL_SHRINK | unix.F_SEAL_SEAL
	if err = unix.Ftruncate(fd, int64(size)); err == nil {
		_, err = unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, seals)
	}
	var mem []byte
	if err == nil {
		mem, err = unix.Mmap(fd, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	}
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return file, mem, nil
}

// Release gives the memory of [SharedMemory] back.
func Release(mem []byte) error { return unix.Munmap(mem) }

// callers are what consoles wake each other by: the words themselves (futex_linux.c).
type callers struct{}

func newCallers([]byte) (callers, error) { return callers{}, nil }

func (callers) close() error { return nil }

// MemoryFile makes an empty file in memory.
func MemoryFile(name string) (*os.File, error) {
	const flags = unix.MFD_CLOEXEC | unix.MFD_ALLOW_SEALING
	fd, err := unix.MemfdCreate(name, flags|unix.MFD_NOEXEC_SEAL)
	if err == unix.EINVAL { // Linux before 6.3
		fd, err = unix.MemfdCreate(name, flags)
	}
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}
