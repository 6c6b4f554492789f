//go:build unix

package child

import "syscall"

// apart has a program in a group of its own: Ctrl-C is for us.
var apart = &syscall.SysProcAttr{Setpgid: true}
