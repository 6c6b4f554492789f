//go:build !linux

package uitest

import (
	"errors"
	"os/exec"
)

// Start fails: a program that ends with its test, however that ends, takes Linux.
func Start(*exec.Cmd) error {
	return errors.New("tests start programs of their own on Linux only")
}
