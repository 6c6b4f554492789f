//go:build unix

package lan

import (
	"errors"
	"syscall"

	"golang.org/x/sys/unix"
)

// shared lets others on this machine listen on the same port: a broadcast comes
// to all of them.
func shared(_, _ string, c syscall.RawConn) error {
	var failed error
	err := c.Control(func(fd uintptr) {
		failed = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_REUSEADDR, 1)
	})
	return errors.Join(err, failed)
}
