//go:build unix

package corestore

import "golang.org/x/sys/unix"

// What the system says of a disk.
const (
	diskFull = unix.ENOSPC
	readOnly = unix.EROFS
)
