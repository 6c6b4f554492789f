//go:build unix

package sockets

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
