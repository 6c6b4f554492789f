package netbench

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/nettplay/nettplay/internal/corecheck"
)

// process is a machine: a process of the program with folders of its own.
type process struct {
	number int
	dir    string
	cmd    *exec.Cmd // nil before start
	ended  chan struct{}

	mu   sync.Mutex
	said bytes.Buffer
}

func (p *process) at(name string) string { return filepath.Join(p.dir, name) }

// newProcess makes a machine's folders, and settings that touch nothing of the user's.
func newProcess(dir string, number int, core string) (*process, error) {
	p := &process{number: number, dir: dir, ended: make(chan struct{})}
	for _, name := range []string{"home", "settings/nettplay", "data", "tmp"} {
		if err := os.MkdirAll(p.at(name), 0o700); err != nil {
			return nil, err
		}
	}
	settings := fmt.Sprintf("[player]\nmac = \"00:09:bf:00:00:%02x\"\n\n[net]\nbind = \"127.0.0.1\"\nforward = false\nstun = []\n\n[room]\nannounce = false\n", number+16)
	if err := os.WriteFile(p.at("settings/nettplay/config.toml"), []byte(settings), 0o600); err != nil {
		return nil, err
	}
	b, err := os.ReadFile(core)
	if err != nil {
		return nil, err
	}
	// The test core is as it should be; a check of it would only take time.
	return p, corecheck.OpenBook(p.at("data/nettplay/core-verdicts")).Keep(corecheck.Verdict{Core: sha256.Sum256(b)})
}

// start starts the program.
func (p *process) start(program string, args []string) error {
	p.cmd = exec.Command(program, args...)
	p.cmd.Dir, p.cmd.Stdout, p.cmd.Stderr = p.dir, p, p
	p.cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "TERM=dumb", "HOME=" + p.at("home"), "TMPDIR=" + p.at("tmp"),
		"XDG_CONFIG_HOME=" + p.at("settings"), "XDG_DATA_HOME=" + p.at("data"),
	}
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C is for us
	if err := p.cmd.Start(); err != nil {
		p.cmd = nil
		return fmt.Errorf("starting machine %d: %w", p.number+1, err)
	}
	go func() {
		_ = p.cmd.Wait() // the report says how it ended
		close(p.ended)
	}()
	return nil
}

// Write takes what the program says.
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

// over tells whether the program has ended, or never began.
func (p *process) over() bool {
	if p.cmd == nil {
		return true
	}
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// end ends the program, if it still runs, and waits for that.
func (p *process) end() {
	if !p.over() {
		_ = p.cmd.Process.Kill() // consoles end with it
		<-p.ended
	}
}

// used is the processor time of the program and its consoles up to now.
func (p *process) used() time.Duration {
	if p.over() {
		return 0
	}
	pid := p.cmd.Process.Pid
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
	return p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime()
}
