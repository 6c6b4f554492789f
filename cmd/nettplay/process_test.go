package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/nettplay/nettplay/internal/corestore/coretest"
)

// processes are those that a script has started.
type processes struct {
	program string // path of the script's own
	byName  map[string]*process

	cores    *coretest.Server // nil: none
	released []coretest.Core  // what it offers
}

type processesKey struct{}

func newProcesses(program string) *processes {
	return &processes{program: program, byName: make(map[string]*process)}
}

// killAll ends what a script that failed has left running.
func (ps *processes) killAll() {
	for _, p := range ps.byName {
		p.cmd.Process.Kill()
		<-p.ended
	}
}

// pids are the processes of the script's program: those that it started, and
// their consoles. With a parent only the children of that one.
func (ps *processes) pids(parent int) []int {
	var list []int
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		exe, err := os.Readlink(filepath.Join(dir, "exe"))
		if err != nil || exe != ps.program {
			continue
		}
		stat, err := os.ReadFile(filepath.Join(dir, "stat"))
		if err != nil {
			continue
		}
		// After the name in brackets: state, parent.
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if parent == 0 || len(fields) > 1 && fields[1] == strconv.Itoa(parent) {
			pid, _ := strconv.Atoi(filepath.Base(dir))
			list = append(list, pid)
		}
	}
	return list
}

// process is one of them.
type process struct {
	cmd   *exec.Cmd
	typed io.Writer
	ended chan struct{}

	mu   sync.Mutex
	said bytes.Buffer
}

func (p *process) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.said.Write(b)
}

func (p *process) words() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.said.String()
}

func (p *process) over() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
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
