package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// labProgram is a program on a machine of the lab.
type labProgram struct {
	cmd   *exec.Cmd
	typed *os.File
	says  func() string
	done  chan struct{}
	err   error
}

// program starts a program that takes what is typed.
func (l *pairLab) program(machine, name string, args ...string) *labProgram {
	l.t.Helper()
	in, typed, err := os.Pipe()
	must.Succeed(l.t, err)
	p := &labProgram{typed: typed, done: make(chan struct{})}
	l.stdin = in
	wait, says := l.start(machine, name, args...)
	p.cmd = l.running[len(l.running)-1]
	l.stdin = nil
	in.Close()
	l.t.Cleanup(func() { typed.Close() })
	p.says = says
	go func() { p.err = wait(); close(p.done) }()
	return p
}

func (p *labProgram) over() error { <-p.done; return p.err }

func (p *labProgram) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

func lastLines(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-3):], " ")
}

// pathOf is the path that a game took, from a report.
func pathOf(t *testing.T, path string) (way, words string) {
	b := must.Read(t, path)
	var r struct{ Ways []string }
	must.Succeed(t, json.Unmarshal(b, &r))
	for _, w := range r.Ways {
		if strings.Contains(w, "by WebSocket") {
			return "WebSocket", w
		}
	}
	if len(r.Ways) > 0 {
		return "relay", r.Ways[0]
	}
	return "direct", ""
}
