package uitest

import (
	"os/exec"
	"runtime"
	"syscall"
)

// Start starts a program that ends with the test's process, however that ends: with
// a test that takes too long nothing is cleaned up.
func Start(cmd *exec.Cmd) error {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = new(syscall.SysProcAttr)
	}
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	result := make(chan error)
	go func() {
		runtime.LockOSThread() // the kernel ends a child together with the thread that started it
		result <- cmd.Start()
		select {} // so that this thread stays
	}()
	return <-result
}
