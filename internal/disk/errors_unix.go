//go:build unix

package disk

import (
	"errors"
	"syscall"
)

// Full says that there is no room left for the user's files.
func Full(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// ReadOnly says that the disk cannot be written to.
func ReadOnly(err error) bool { return errors.Is(err, syscall.EROFS) }
