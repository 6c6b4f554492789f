// Package maintest lets tests do things on the main thread, where SDL must be. It is
// for the tests of the packages beside it only; see their TestMain.
package maintest

import (
	"runtime"
	"testing"
)

var onMain = make(chan func())

// Main runs the tests on another goroutine than the main one, which does what they ask
// for with Run. It returns the exit code, and is called by TestMain.
func Main(m *testing.M) int {
	runtime.LockOSThread()
	code := make(chan int)
	go func() { code <- m.Run() }()
	for {
		select {
		case f := <-onMain:
			f()
		case c := <-code:
			return c
		}
	}
}

// Run runs f on the main thread and waits for it.
func Run(f func()) {
	done := make(chan struct{})
	onMain <- func() { defer close(done); f() }
	<-done
}
