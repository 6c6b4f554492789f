// Package uitest is what tests of the window need: the main thread, where SDL must be, a display that
// nobody sees, and a controller without hardware. See TestMain of the packages that use it.
package uitest

import (
	"os"
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
	return serve(code)
}

// serve does what tests ask for until they are through, and returns their exit code.
func serve(code <-chan int) (c int) {
	returns := false
	defer func() {
		if returns {
			return
		}
		if p := recover(); p != nil {
			panic(p)
		}
		// A t.Fatal on this goroutine ends it once this function is through, and with it nobody would be on the main
		// thread. So this function goes on until all tests are through.
		os.Exit(serve(code))
	}()
	for {
		select {
		case f := <-onMain:
			f()
		case c := <-code:
			returns = true
			return c
		}
	}
}

// Run runs f on the main thread and waits for it. Where f ends its test, as t.Fatal does, Run does not return.
func Run(f func()) {
	done := make(chan bool, 1)
	onMain <- func() {
		returned := false
		defer func() { done <- returned }()
		f()
		returned = true
	}
	if !<-done {
		runtime.Goexit()
	}
}
