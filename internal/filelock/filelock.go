// Package filelock keeps two processes from changing the same files at once. A lock ends with
// the process that has it, in whatever way that ends. There is one file for each sort of system;
// users of the package need none of their own. Where a file system cannot lock, calls fail with an
// error that is not [ErrHeld], and the caller says what that means.
package filelock

import "errors"

// ErrHeld says that another open file has the lock.
var ErrHeld = errors.New("another program has locked it")
