//go:build unix

package oserror

import (
	"errors"
	"syscall"
)

// AddressInUse says that another program has the port.
func AddressInUse(err error) bool { return errors.Is(err, syscall.EADDRINUSE) }

// Refused says that the machine answers that nobody has the port.
func Refused(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }

// Unreachable says that there is no way to the machine.
func Unreachable(err error) bool {
	return errors.Is(err, syscall.EHOSTUNREACH) || errors.Is(err, syscall.ENETUNREACH)
}

// DiskFull says that there is no room left for the user's files.
func DiskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// ReadOnly says that the disk cannot be written to.
func ReadOnly(err error) bool { return errors.Is(err, syscall.EROFS) }
