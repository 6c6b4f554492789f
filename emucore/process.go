package emucore

import (
	"os"
	"time"
)

// A process is one worker, from its start until it is reaped.
type process struct {
	proc *os.Process
	log  logTail
	done chan struct{} // closed when the worker is gone and its log complete

	// valid once done is closed
	signal string // what ended it, or ""
	code   int    // its exit status, if signal is ""

	reaped func() // called when the worker is gone, before done is closed
}

// pid returns the worker's process id; once the worker is gone another process may have it.
func (p *process) pid() int {
	if p.proc == nil {
		return 0
	}
	return p.proc.Pid
}

// kill ends the worker. It does not wait.
func (p *process) kill() {
	p.proc.Kill() // fails only if the worker is gone already
}

// goneWithin waits for the worker's end for at most d and reports whether it came.
func (p *process) goneWithin(d time.Duration) bool {
	select {
	case <-p.done:
		return true
	case <-time.After(d):
		return false
	}
}
