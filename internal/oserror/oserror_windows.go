package oserror

import (
	"errors"

	"golang.org/x/sys/windows"
)

// AddressInUse says that another program has the port.
func AddressInUse(err error) bool {
	return errors.Is(err, windows.WSAEADDRINUSE) || errors.Is(err, windows.WSAEACCES) // somebody has it for itself
}

// Refused says that the machine answers that nobody has the port. UDP has it that a connection was reset.
func Refused(err error) bool {
	return errors.Is(err, windows.WSAECONNREFUSED) || errors.Is(err, windows.WSAECONNRESET)
}

// Unreachable says that there is no way to the machine.
func Unreachable(err error) bool {
	return errors.Is(err, windows.WSAEHOSTUNREACH) || errors.Is(err, windows.WSAENETUNREACH) || errors.Is(err, windows.WSAENETRESET)
}

// DiskFull says that there is no room left for the user's files.
func DiskFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL) || errors.Is(err, windows.ERROR_DISK_QUOTA_EXCEEDED)
}

// ReadOnly says that the disk cannot be written to.
func ReadOnly(err error) bool { return errors.Is(err, windows.ERROR_WRITE_PROTECT) }
