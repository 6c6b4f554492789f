package chaos

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/link/udp"
	"github.com/nettplay/nettplay/internal/testing/badline"
	"github.com/nettplay/nettplay/internal/testing/child"
)

// machine is one player's or spectator's: a process of the program with folders of its own.
type machine struct {
	child.Home
	of      *run
	number  int
	port    int
	line    *badline.Relay // nil for the one that opens the room, and for one that has not come
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
func (r *run) newMachine(number int) (m *machine, err error) {
	p := r.plan
	m = &machine{Home: child.Home(filepath.Join(r.dir, strings.ToLower(Name(number)))), of: r, number: number}
	if m.port, err = udp.FreePort(); err != nil {
		return nil, err
	}
	settings := fmt.Sprintf("[player]\nnickname = %q\nmac = \"00:09:bf:00:00:%02x\"\n\n[net]\nsilence = %q\nbind = \"127.0.0.1\"\n\n[room]\nhash_every = %d\n\n[roms]\nfolders = [%q]\n",
		p.player(number), p.mac(number), p.Silence, p.Hash, r.dir)
	if err := m.Make(settings, r.runner.Core); err != nil {
		return nil, err
	}
	var input bytes.Buffer
	if number < firstSpectator {
		for _, frame := range p.Presses[number] {
			fmt.Fprintf(&input, "%d A\n", frame)
		}
	}
	return m, os.WriteFile(m.At(inputFile), input.Bytes(), 0o600)
}

// connect gives a machine its line to another one. A spectator's is as that of the first game client.
func (m *machine) connect(to *machine) (err error) {
	p, imp := m.of.plan, m.of.plan.Lines[1]
	if m.number < firstSpectator {
		imp = p.Lines[m.number]
	}
	m.line, err = badline.Start(badline.Config{Target: fmt.Sprintf("127.0.0.1:%d", to.port), Seed: p.Seed ^ uint64(m.number)<<32, Impairment: imp})
	return err
}

// arguments returns those of the program.
func (m *machine) arguments() []string {
	p, rom := m.of.plan, m.of.rom
	args := append([]string{"-v", "--name", p.player(m.number), "--report", m.At(reportFile), "--port", strconv.Itoa(m.port)}, m.of.core()...)
	if m.number >= firstSpectator {
		return append([]string{"watch", m.line.Addr(), "--rom", rom}, args...)
	}
	args = append(args, "--headless", "--record", m.At(recordingFile), "--input", m.At(inputFile), "--wait", p.Wait.String())
	if p.Max {
		args = append(args, "--speed", "max")
	}
	if p.InFile[m.number] {
		args = append(args, "--sram", m.At(saveFile))
	}
	if p.Sync == room.Rollback { // each as far as it likes
		args = append(args, "--rollback", strconv.Itoa(m.number*3%8), "--own-delay", p.ownDelay(m.number).String())
	}
	if m.line != nil {
		return append([]string{"join", m.line.Addr(), "--rom", rom}, args...)
	}
	if p.Keep {
		args = append(args, "--keep-consoles")
	}
	if p.Sync != room.Lockstep {
		args = append(args, "--sync", p.Sync.String())
	}
	if p.Auto != autodelay.Off {
		args = append(args, "--auto-delay", p.Auto.String())
	} else {
		args = append(args, "--delay", strconv.Itoa(p.Delay))
	}
	return append([]string{
		"host", rom, "--players", strconv.Itoa(p.Players), "--seats", strconv.Itoa(p.Machines()), "--frames", strconv.FormatInt(p.Frames, 10),
	}, args...)
}

// environment returns the tests' part of the program's environment: the test core's options, alike on
// all machines but for a fault.
func (m *machine) environment(faulty bool) []string {
	p, env := m.of.plan, []string{"GOTRACEBACK=all"}
	if p.Core != TestCore {
		return env
	}
	list := []string{"testcore_mac=$mac"}
	if p.Radio {
		list = append(list, "testcore_radio=mac")
	}
	for _, e := range p.Events {
		if e.Kind == Fault && e.Machine == m.number && faulty {
			list = append(list, fmt.Sprintf("testcore_desync_at=%d", e.Frame), "testcore_desync_what="+e.Region, fmt.Sprintf("testcore_only_mac=%d", macOf(e.Owner)))
		}
	}
	return append(env, "NETTPLAY_TEST_OPTIONS="+strings.Join(list, ","))
}

// start starts the program.
func (m *machine) start() (err error) {
	m.run, err = m.Start(m.of.program, m.arguments(), m.environment(m.number < firstSpectator)...)
	return err
}

// Words of the program.
const (
	opened = "room is open"
	begins = "the game begins"
)

// said reports whether the program has said something.
func (m *machine) said(words string) bool { return strings.Contains(m.run.Words(), words) }

// signal signals the program, and tells whether it still ran.
func (m *machine) signal(s syscall.Signal) bool {
	return !m.run.Over() && m.run.Process.Signal(s) == nil
}

// consoles are the processes of the machine's consoles.
func (m *machine) consoles() []int {
	if m.run.Over() {
		return nil
	}
	return child.ConsolesOf(m.of.program, m.run.Process.Pid)
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
	return os.WriteFile(path, b, 0o700)
}
