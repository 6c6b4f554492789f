package chaos

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/nettplay/nettplay/internal/child"
)

// machine is one player's: a process of the program with folders of its own.
type machine struct {
	child.Home
	number  int
	program string
	port    int
	run     *child.Process // nil for one that has not come
	brought int            // presses of which its save knew when it came
}

// Files of a machine.
const (
	reportFile    = "report.json"
	recordingFile = "game.nplog"
	wordsFile     = "words.txt"
	inputFile     = "input.txt"
	saveFile      = "own.sav"
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
	m := &machine{Home: child.Home(dir), number: number, program: program}
	settings := fmt.Sprintf("[player]\nnickname = %q\nmac = \"00:09:bf:00:00:%02x\"\n\n[net]\nsilence = %q\nbind = \"127.0.0.1\"\n\n[room]\nhash_every = %d\n\n[roms]\nfolders = [%q]\n",
		p.player(number), p.mac(number), p.Silence, p.Hash, filepath.Dir(dir))
	if err := m.Make(settings); err != nil {
		return nil, err
	}
	if core != "" { // another one is checked by nobody
		if err := m.Trust(core); err != nil {
			return nil, err
		}
	}
	var input bytes.Buffer
	if number < firstSpectator {
		for _, frame := range p.Presses[number] {
			fmt.Fprintf(&input, "%d A\n", frame)
		}
	}
	return m, os.WriteFile(m.At(inputFile), input.Bytes(), 0o600)
}

// arguments are what the program is called with.
func (m *machine) arguments(p *Plan, core, rom, addr string) []string {
	args := []string{
		"--headless", "-v", "--name", p.player(m.number), "--report", m.At(reportFile), "--record", m.At(recordingFile),
		"--input", m.At(inputFile), "--wait", p.Wait.String(), "--port", strconv.Itoa(m.port),
	}
	if core != "" {
		args = append(args, "--core", core)
	}
	if p.Max {
		args = append(args, "--speed", "max")
	}
	if p.InFile[m.number] {
		args = append(args, "--sram", m.At(saveFile))
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
	env := append(m.Environment(), "GOTRACEBACK=all")
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
func (m *machine) start(args, env []string) (err error) {
	cmd := exec.Command(m.program, args...)
	cmd.Dir, cmd.Env = string(m.Home), env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C is for us
	m.run, err = child.Start(cmd)
	return err
}

// signal signals the program, and tells whether it still ran.
func (m *machine) signal(s syscall.Signal) bool {
	return !m.run.Over() && m.run.Process.Signal(s) == nil
}

// consoles are the processes of the machine's consoles.
func (m *machine) consoles() []int {
	if m.run.Over() {
		return nil
	}
	return child.ConsolesOf(m.program, m.run.Process.Pid)
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
