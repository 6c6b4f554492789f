//go:build unix

package disk

import (
	"errors"
	"os"
	"syscall"
)

// LockFolder locks a folder and waits for as long as somebody else has it. unlock gives it back.
func LockFolder(dir string) (unlock func(), err error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(d.Fd()), syscall.LOCK_EX)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err != nil {
		d.Close()
		return nil, &os.PathError{Op: "lock", Path: dir, Err: err}
	}
	return func() { d.Close() }, nil
}

// TryExclusive locks an open file that nobody else has locked, until it is closed; else
// [ErrLocked].
func TryExclusive(f *os.File) error { return try(f, syscall.LOCK_EX) }

// TryShared locks an open file unless somebody has it alone ([ErrLocked]). Several may do so.
func TryShared(f *os.File) error { return try(f, syscall.LOCK_SH) }

func try(f *os.File, how int) error {
	switch err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB); {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return ErrLocked
	case err != nil:
		return &os.PathError{Op: "lock", Path: f.Name(), Err: err}
	}
	return nil
}
