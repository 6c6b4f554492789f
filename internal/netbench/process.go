package netbench

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/nettplay/nettplay/internal/child"
)

// process is a machine: a process of the program with folders of its own.
type process struct {
	child.Home
	number int
	run    *child.Process // nil before start
}

// newProcess makes a machine's folders, and settings that touch nothing of the user's.
func newProcess(dir string, number int, core string) (*process, error) {
	p := &process{Home: child.Home(dir), number: number}
	settings := fmt.Sprintf("[player]\nmac = \"00:09:bf:00:00:%02x\"\n\n[net]\nbind = \"127.0.0.1\"\nforward = false\nstun = []\n\n[room]\nannounce = false\n", number+16)
	if err := p.Make(settings); err != nil {
		return nil, err
	}
	return p, p.Trust(core)
}

// start starts the program.
func (p *process) start(program string, args []string) (err error) {
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = string(p.Home), p.Environment()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C is for us
	if p.run, err = child.Start(cmd); err != nil {
		return fmt.Errorf("starting machine %d: %w", p.number+1, err)
	}
	return nil
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
	pid := p.run.Process.Pid
	sum := ticks(pid)
	// Consoles are children of whichever thread started them.
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		b, _ := os.ReadFile(list)
		for _, child := range strings.Fields(string(b)) {
			if n, err := strconv.Atoi(child); err == nil {
				sum += ticks(n)
			}
		}
	}
	return sum
}

// ticks is the processor time that a process has used, by a kernel that counts hundredths of a
// second.
func ticks(pid int) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	// After the name in brackets come the third field and the others; user and system time are
	// the 14th and 15th, those of children that have ended the next two.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	var sum int64
	for i := 11; i <= 14 && i < len(fields); i++ {
		n, _ := strconv.ParseInt(fields[i], 10, 64)
		sum += n
	}
	return time.Duration(sum) * 10 * time.Millisecond
}

// usedInAll is the processor time of the program and its consoles after they have ended.
func (p *process) usedInAll() time.Duration {
	return p.run.ProcessState.UserTime() + p.run.ProcessState.SystemTime()
}
