package emucore

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// sealedFile makes a file in memory that nobody can change any more, with what fill writes.
func sealedFile(name string, fill func(*os.File) error) (*os.File, error) {
	return memoryFile(name, func(f *os.File) error {
		err := fill(f)
		if err == nil {
			_, err = unix.FcntlInt(f.Fd(), unix.F_ADD_SEALS, unix.F_SEAL_SEAL|unix.F_SEAL_SHRINK|unix.F_SEAL_GROW|unix.F_SEAL_WRITE)
		}
		return err
	})
}

// memoryFile makes a file in memory with what fill writes.
func memoryFile(name string, fill func(*os.File) error) (*os.File, error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, fmt.Errorf("a file in memory: %w", err)
	}
	f := os.NewFile(uintptr(fd), name)
	if err := fill(f); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// romAsItIs: a worker gets the very file of a ROM that is as its image is.
const romAsItIs = true

// dropSealed lets go of a sealed file.
func dropSealed(f *os.File) { f.Close() }
