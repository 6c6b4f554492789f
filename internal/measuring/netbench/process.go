package netbench

import (
	"fmt"
	"time"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/testing/child"
)

// process is a machine: a process of the program with folders of its own.
type process struct {
	child.Home
	number int
	script *inputdelay.Script
	run    *child.Process // nil before start
}

// newProcess makes a machine's folders, and settings that touch nothing of the user's.
func newProcess(dir string, number int, core, jit string) (*process, error) {
	p := &process{Home: child.Home(dir), number: number}
	return p, p.Make(fmt.Sprintf("[player]\nmac = \"00:09:bf:00:00:%02x\"\n\n[net]\nbind = \"127.0.0.1\"\nforward = false\nstun = []\n\n[room]\nannounce = false\n\n[core]\njit = %q\n", number+16, jit), core)
}

// end ends the program, if it still runs, and waits for that.
func (p *process) end() {
	if !p.run.Over() {
		_ = p.run.Process.Kill() // consoles end with it
		<-p.run.Ended
	}
}

// used is the processor time of the program and its consoles up to now.
func (p *process) used() time.Duration {
	if p.run.Over() {
		return 0
	}
	sum := child.Used(p.run.Process.Pid)
	for _, console := range child.ConsolesOf(p.run.Path, p.run.Process.Pid) {
		sum += child.Used(console)
	}
	return sum
}

// usedInAll is the processor time of the program and its consoles after they have ended.
func (p *process) usedInAll() time.Duration {
	return p.run.ProcessState.UserTime() + p.run.ProcessState.SystemTime()
}
