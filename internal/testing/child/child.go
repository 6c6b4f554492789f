// Package child runs the program beside this one, for tools and tests: in folders of its own, and
// with what it says kept.
//
// Read next: the chaos and netbench of internal/measuring, which play games with it.
package child

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// Process is a program that was started; nil is one that was not. Its methods may be called on any
// goroutine.
type Process struct {
	*exec.Cmd
	Ended  <-chan struct{} // closed when it has ended
	OverAt time.Time       // when that was; it and ProcessState are to be read after Ended

	mu   sync.Mutex // guards what follows
	said bytes.Buffer
}

// Start starts a command and keeps what it says, on standard output and standard error.
func Start(cmd *exec.Cmd) (*Process, error) {
	ended := make(chan struct{})
	p := &Process{Cmd: cmd, Ended: ended}
	cmd.Stdout, cmd.Stderr = p, p
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = cmd.Wait() // its state says how it ended
		p.OverAt = time.Now()
		close(ended)
	}()
	return p, nil
}

// Write takes what the program says.
func (p *Process) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.said.Write(b)
}

// Words returns what it has said up to now.
func (p *Process) Words() string {
	if p == nil {
		return ""
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.said.String()
}

// Over reports whether the program has ended, or was never started.
func (p *Process) Over() bool {
	if p == nil {
		return true
	}
	select {
	case <-p.Ended:
		return true
	default:
		return false
	}
}

// Exit tells how the program ended: an exit code, or a signal's name. To be read after Ended.
func (p *Process) Exit() string {
	if status, ok := p.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return status.Signal().String()
	}
	return strconv.Itoa(p.ProcessState.ExitCode())
}

// Until waits for something to come true, for so long at most.
func Until(ctx context.Context, limit time.Duration, ok func() bool) error {
	for end := time.Now().Add(limit); !ok(); time.Sleep(20 * time.Millisecond) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if time.Now().After(end) {
			return fmt.Errorf("not within %v", limit)
		}
	}
	return nil
}
