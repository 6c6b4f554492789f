package chaos

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/nettplay/nettplay/internal/corecheck"
)

// machine is one player's: a process of the program with folders of its own.
type machine struct {
	number  int
	dir     string
	program string
	port    int
	cmd     *exec.Cmd // nil for one that has not come
	ended   chan struct{}
	brought int       // presses of which its save knew when it came
	overAt  time.Time // when it ended; to be read after ended

	mu   sync.Mutex
	said bytes.Buffer
}

// Files and folders of a machine.
func (m *machine) at(name string) string { return filepath.Join(m.dir, name) }

const (
	reportFile    = "report.json"
	recordingFile = "game.nplog"
	wordsFile     = "words.txt"
	inputFile     = "input.txt"
	saveFile      = "own.sav"
	tempFolder    = "tmp"
	dataFolder    = "data"
)

// macOf ends the addresses of consoles: the test core plays a host where its last
// four bits are 0.
func macOf(machine int) int { return 0x10 + machine }

// mac is the end of the address of a machine's player, who keeps it.
func (p *Plan) mac(machine int) int {
	if first := p.first(machine); first >= 0 {
		return macOf(first)
	}
	return macOf(machine)
}

// newMachine makes a machine's folders and files.
func newMachine(p *Plan, number int, dir, program, core string) (*machine, error) {
	m := &machine{number: number, dir: dir, program: program, ended: make(chan struct{})}
	for _, name := range []string{"home", "settings/nettplay", dataFolder, tempFolder} {
		if err := os.MkdirAll(m.at(name), 0o700); err != nil {
			return nil, err
		}
	}
	settings := fmt.Sprintf("[player]\nnickname = %q\nmac = \"00:09:bf:00:00:%02x\"\n\n[net]\nsilence = %q\nbind = \"127.0.0.1\"\n\n[room]\nhash_every = %d\n\n[roms]\nfolders = [%q]\n",
		p.player(number), p.mac(number), p.Silence, p.Hash, filepath.Dir(dir))
	if err := os.WriteFile(m.at("settings/nettplay/config.toml"), []byte(settings), 0o600); err != nil {
		return nil, err
	}
	if err := m.know(core); err != nil {
		return nil, err
	}
	var input bytes.Buffer
	if number < firstSpectator {
		for _, frame := range p.Presses[number] {
			fmt.Fprintf(&input, "%d A\n", frame)
		}
	}
	return m, os.WriteFile(m.at(inputFile), input.Bytes(), 0o600)
}

// know tells the program that the test core passes its check, so that not each machine checks it;
// "" is a core that nobody checks.
func (m *machine) know(core string) error {
	if core == "" {
		return nil
	}
	b, err := os.ReadFile(core)
	if err != nil {
		return err
	}
	return corecheck.OpenBook(m.at(dataFolder + "/nettplay/core-verdicts")).Keep(corecheck.Verdict{Core: sha256.Sum256(b)})
}

// arguments are what the program is called with.
func (m *machine) arguments(p *Plan, core, rom, addr string) []string {
	args := []string{
		"--headless", "-v", "--name", p.player(m.number), "--report", m.at(reportFile), "--record", m.at(recordingFile),
		"--input", m.at(inputFile), "--wait", p.Wait.String(), "--port", strconv.Itoa(m.port),
	}
	if core != "" {
		args = append(args, "--core", core)
	}
	if p.Max {
		args = append(args, "--speed", "max")
	}
	if p.InFile[m.number] {
		args = append(args, "--sram", m.at(saveFile))
	}
	if m.number > 0 {
		return append([]string{"join", addr, "--rom", rom}, args...)
	}
	if p.Keep {
		args = append(args, "--keep-consoles")
	}
	if p.Clocked {
		args = append(args, "--sync", "clocked")
	}
	return append([]string{
		"host", rom, "--players", strconv.Itoa(p.Players), "--seats", strconv.Itoa(p.Machines()), "--frames", strconv.FormatInt(p.Frames, 10), "--delay", strconv.Itoa(p.Delay),
	}, args...)
}

// environment is all that the program finds there, with what makes it go wrong or
// without.
func (m *machine) environment(p *Plan, faulty bool) []string {
	env := []string{
		"PATH=" + os.Getenv("PATH"), "TERM=dumb", "GOTRACEBACK=all", "HOME=" + m.at("home"), "TMPDIR=" + m.at(tempFolder),
		"XDG_CONFIG_HOME=" + m.at("settings"), "XDG_DATA_HOME=" + m.at(dataFolder),
	}
	if options := m.options(p, faulty); p.Core == TestCore {
		env = append(env, "NETTPLAY_TEST_OPTIONS="+options)
	}
	return env
}

// options are those of the test core: alike on all machines, but for a fault.
func (m *machine) options(p *Plan, faulty bool) string {
	list := []string{"testcore_mac=$mac"}
	if p.Radio {
		list = append(list, "testcore_radio=mac")
	}
	for _, e := range p.Events {
		if e.Kind == Fault && e.Machine == m.number && faulty {
			list = append(list, fmt.Sprintf("testcore_desync_at=%d", e.Frame), "testcore_desync_what="+e.Region, fmt.Sprintf("testcore_only_mac=%d", macOf(e.Owner)))
		}
	}
	return strings.Join(list, ",")
}

// start starts the program.
func (m *machine) start(args, env []string) error {
	m.cmd = exec.Command(m.program, args...)
	m.cmd.Dir, m.cmd.Env = m.dir, env
	m.cmd.Stdout, m.cmd.Stderr = m, m
	m.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C is for us
	if err := m.cmd.Start(); err != nil {
		return err
	}
	go func() {
		_ = m.cmd.Wait() // its state says how it ended
		m.overAt = time.Now()
		close(m.ended)
	}()
	return nil
}

// Write takes what the program says.
func (m *machine) Write(b []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.said.Write(b)
}

func (m *machine) words() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.said.String()
}

func (m *machine) over() bool {
	if m.cmd == nil {
		return true
	}
	select {
	case <-m.ended:
		return true
	default:
		return false
	}
}

// signal signals the program, and tells whether it still ran.
func (m *machine) signal(s syscall.Signal) bool {
	return !m.over() && m.cmd.Process.Signal(s) == nil
}

// exit is how the program ended: an exit code, or a signal's name.
func (m *machine) exit() string {
	status, ok := m.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if ok && status.Signaled() {
		return status.Signal().String()
	}
	return strconv.Itoa(m.cmd.ProcessState.ExitCode())
}

// consoles are the processes of the machine's consoles.
func (m *machine) consoles() []int {
	if m.over() {
		return nil
	}
	var list []int
	for _, p := range processes(m.program) {
		if p.parent == m.cmd.Process.Pid {
			list = append(list, p.pid)
		}
	}
	slices.Sort(list)
	return list
}

// proc is a running process.
type proc struct{ pid, parent int }

// processes are those of a program, and of its consoles, by its path. Zombies are
// not running any more.
func processes(program string) (list []proc) {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		exe, err := os.Readlink(filepath.Join(dir, "exe"))
		if err != nil || exe != program {
			continue
		}
		stat, err := os.ReadFile(filepath.Join(dir, "stat"))
		if err != nil {
			continue
		}
		// After the name in brackets: state, parent.
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		pid, err := strconv.Atoi(filepath.Base(dir))
		if err != nil || len(fields) < 2 || fields[0] == "Z" {
			continue
		}
		parent, _ := strconv.Atoi(fields[1])
		list = append(list, proc{pid, parent})
	}
	return list
}

// place puts a program at a path of its own, by which its processes are known.
func place(program, path string) error {
	if os.Link(program, path) == nil {
		return nil
	}
	b, err := os.ReadFile(program)
	if err != nil {
		return fmt.Errorf("place the program: %w", err)
	}
	return errors.Join(os.WriteFile(path, b, 0o700))
}
