// Package disk has what every file of the program asks for: it is replaced in one step ([Write]), opened only if it is a
// file (open.go), and changed by one process at a time (lock.go). It also tells what a disk's errors mean. What is a system's
// own is in disk_unix.go and disk_windows.go.
package disk
