//go:build unix

package saves

import (
	"os/signal"
	"syscall"
)

// fillDisk has this process write half a save and no more, as on a full disk.
func fillDisk() error {
	signal.Ignore(syscall.SIGXFSZ)
	return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: testSize / 2, Max: testSize / 2})
}
