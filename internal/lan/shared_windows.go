package lan

import (
	"errors"
	"syscall"

	"golang.org/x/sys/windows"
)

// shared lets others on this machine listen on the same port: a broadcast comes
// to all of them.
func shared(_, _ string, c syscall.RawConn) error {
	var failed error
	err := c.Control(func(fd uintptr) {
		failed = windows.SetsockoptInt(windows.Handle(fd), windows.SOL_SOCKET, windows.SO_REUSEADDR, 1)
	})
	return errors.Join(err, failed)
}
