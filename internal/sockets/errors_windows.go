package sockets

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
