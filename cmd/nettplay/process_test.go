//go:build unix

package main

import (
	"io"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/nettplay/nettplay/internal/testing/child"
	"github.com/nettplay/nettplay/internal/testing/fixture"
)

// processes are those that a script has started.
type processes struct {
	program string // path of the script's own
	byName  map[string]*process
	windows []string // who plays on Windows

	cores    *fixture.CoreServer // nil: none
	released []fixture.Core      // what it offers
	means    []string            // what texts of the papers stand for, each behind its text
}

type processesKey struct{}

func newProcesses(program string) *processes {
	return &processes{program: program, byName: make(map[string]*process)}
}

// killAll ends what a script that failed has left running.
func (ps *processes) killAll() {
	for _, p := range ps.byName {
		p.run.Process.Kill()
		<-p.run.Ended
	}
}

// process is one of them.
type process struct {
	run   *child.Process
	typed io.Writer
}

func started(ts *testscript.TestScript) *processes {
	return ts.Value(processesKey{}).(*processes)
}

func named(ts *testscript.TestScript, name string) *process {
	p := started(ts).byName[name]
	if p == nil {
		ts.Fatalf("there is no process %s", name)
	}
	return p
}

// until waits for something.
func until(ok func() bool) bool {
	for end := time.Now().Add(patience); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}
