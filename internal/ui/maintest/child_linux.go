package maintest

import (
	"os/exec"
	"runtime"
	"sync"
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
	parent() <- func() { result <- cmd.Start() }
	return <-result
}

// parent is a thread that lives as long as the process: the kernel ends a child together
// with the thread that started it, and threads of Go come and go.
var parent = sync.OnceValue(func() chan<- func() {
	start := make(chan func())
	go func() {
		runtime.LockOSThread()
		for f := range start {
			f()
		}
	}()
	return start
})
