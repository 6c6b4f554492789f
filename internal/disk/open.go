package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// A name that a player gives, or that is found in a folder, may be that of a pipe, which is never opened for want of a
// writer, or of a device that never ends: so it is looked at first, and what is read is bounded.

// ErrNotRegular says that a name is not that of a regular file.
var ErrNotRegular = errors.New("not a regular file")

// Open opens a regular file to be read and says how large it is. Of anything else the
// error wraps [ErrNotRegular] and says what it is.
func Open(path string) (*os.File, int64, error) {
	if st, err := os.Stat(path); err != nil {
		return nil, 0, err
	} else if err := check(path, st); err != nil {
		return nil, 0, err
	}
	// It may have become something else since: not to wait costs nothing.
	f, err := openFile(path, os.O_RDONLY|syscall.O_NONBLOCK)
	if err != nil {
		return nil, 0, err
	}
	st, err := f.Stat()
	if err == nil {
		err = check(path, st)
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, st.Size(), nil
}

// Read reads a regular file of at most limit bytes.
func Read(path string, limit int64) ([]byte, error) {
	f, _, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(b)) > limit {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("it is larger than %d bytes", limit)}
	}
	return b, nil
}

// CheckRegular returns an error that wraps [ErrNotRegular] if there is something at path that
// is not a regular file.
func CheckRegular(path string) error {
	st, err := os.Stat(path)
	if err != nil {
		return nil
	}
	return check(path, st)
}

func check(path string, st fs.FileInfo) error {
	if st.Mode().IsRegular() {
		return nil
	}
	return &fs.PathError{Op: "open", Path: path, Err: fmt.Errorf("it is %s, %w", Kind(st.Mode()), ErrNotRegular)}
}

// Kind names what is not a regular file.
func Kind(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return m.String()
}
