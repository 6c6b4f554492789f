package corestore

import "golang.org/x/sys/windows"

// What the system says of a disk.
const (
	diskFull = windows.ERROR_DISK_FULL
	readOnly = windows.ERROR_WRITE_PROTECT
)
