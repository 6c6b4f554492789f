package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/emucore/banner"
	"github.com/nettplay/nettplay/emucore/savefile"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/link/udp"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/child"
	"github.com/nettplay/nettplay/internal/testing/fixture"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// patience is how long a script waits for what must happen. It is far longer
// than anything takes, for machines that do much else.
var patience = 2 * time.Minute

// commandsOfScripts are what the scripts know beyond testscript's own:
//
//	exits CODE ARG...     runs "nettplay ARG..." to its end; stdout and stderr are
//	                      then looked at with those commands
//	misuse ARG...         is that for the exit code of wrong usage
//	port VAR              VAR becomes a UDP port that nobody uses
//	silent VAR            VAR becomes a UDP port where somebody listens and never answers
//	relay VAR             VAR becomes the address of a relay
//	coreserver FILE       runs a server of cores, and writes settings that name it
//	released VERSION DATE FILE
//	                      has it offer a further build of melonDS DS
//	kept N                so many cores are kept, and nothing else
//	start NAME ARG...     runs "nettplay ARG...", with settings of its own below
//	                      NAME/, its words in NAME.out
//	terminal NAME ARG...  is that at a terminal, on which it can ask for a password
//	see NAME REGEXP       waits until its words match
//	types NAME WORD...    writes a line to it
//	signal NAME SIGNAL    int, term, kill, stop
//	killworker NAME       kills one of its consoles
//	sleeps NAME           stops it and its consoles, as a machine that sleeps does
//	wakes NAME            lets them go on
//	end NAME CODE         waits until it ends with this exit code ("killed"),
//	                      then compares stdout with what it had said
//	nothingleft           no process and no temporary file of it is there
//	randominput FILE N S  a script of N frames of input with seed S
//	noise FILE BYTES      a file that does not pack
//	pack FILE FROM NAME...
//	                      a .zip or .7z archive of files, by the names that they get
//	report FILE K=V...    fields of a report
//	equal FILE FILE...    reports of one game agree, and no hash is missing
//	invitation NAME VAR   VAR becomes the invitation that it shows
//	means TEXT REAL       TEXT, in the lines of the papers that follow, stands for REAL
//	typed LINE            runs a line of README.md or docs, which ends well
//	background NAME LINE  starts one
//	leftout LINE REASON   does not run one
//	saved FILE N          the save of save.nds has N steps
func commandsOfScripts() map[string]func(ts *testscript.TestScript, neg bool, args []string) {
	commands := map[string]struct {
		min int
		run func(ts *testscript.TestScript, args []string)
	}{
		"exits": {2, cmdExits}, "misuse": {0, cmdMisuse}, "port": {1, cmdPort}, "silent": {1, cmdSilent}, "relay": {1, cmdRelay}, "start": {2, cmdStart}, "terminal": {2, cmdTerminal}, "see": {2, cmdSee}, "types": {2, cmdTypes}, "signal": {2, cmdSignal},
		"killworker": {1, cmdKillWorker}, "sleeps": {1, cmdSleeps}, "wakes": {1, cmdWakes}, "end": {2, cmdEnd}, "nothingleft": {0, cmdNothingLeft},
		"means": {2, cmdMeans}, "typed": {1, cmdTyped}, "background": {2, cmdBackground}, "leftout": {2, cmdLeftOut}, "invitation": {2, cmdInvitation},
		"coreserver": {1, cmdCoreServer}, "released": {3, cmdReleased}, "kept": {1, cmdKept},
		"randominput": {3, cmdRandomInput}, "noise": {2, cmdNoise}, "chip": {2, cmdChip}, "nameless": {2, cmdNameless}, "pack": {3, cmdPack}, "report": {2, cmdReport}, "equal": {2, cmdEqual}, "saved": {2, cmdSaved},
	}
	all := make(map[string]func(ts *testscript.TestScript, neg bool, args []string))
	for name, c := range commands {
		all[name] = func(ts *testscript.TestScript, neg bool, args []string) {
			if neg || len(args) < c.min {
				ts.Fatalf("%s needs %d arguments and cannot be negated", name, c.min)
			}
			c.run(ts, args)
		}
	}
	maps.Copy(all, replayCommands())
	return all
}

// cmdChip has a core have said how much a game's cartridge holds.
func cmdChip(ts *testscript.TestScript, args []string) {
	rom, err := emucore.OpenROM(ts.MkAbs(args[0]))
	ts.Check(err)
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	saves.OpenChips(ts.MkAbs("home/.local/share/nettplay/saves")).Put(rom.SHA256, [32]byte{1}, savefile.Of(n))
}

// cmdPack packs an archive.
func cmdPack(ts *testscript.TestScript, args []string) {
	var files []fixture.File
	for i := 1; i+1 < len(args); i += 2 {
		b, err := os.ReadFile(ts.MkAbs(args[i]))
		ts.Check(err)
		files = append(files, fixture.File{Name: args[i+1], Data: b})
	}
	pack := fixture.Zip
	if strings.HasSuffix(args[0], ".7z") {
		pack = fixture.Seven
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), pack(files...), 0o600))
}

// cmdNameless copies a game without its banner, and with the header that homebrew has.
func cmdNameless(ts *testscript.TestScript, args []string) {
	b, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	copy(b, "####\x00\x00\x00\x00\x00\x00\x00\x00####")
	copy(b[0x68:], make([]byte, 4))
	binary.LittleEndian.PutUint16(b[0x15e:], banner.CRC16(b[:0x15e]))
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), b, 0o600))
}

// cmdExits relies on "exec" for everything but the exit code.
func cmdExits(ts *testscript.TestScript, args []string) {
	err := ts.Exec("nettplay", args[1:]...)
	got := "0"
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = strconv.Itoa(exit.ExitCode())
	} else {
		ts.Check(err)
	}
	if got != args[0] {
		ts.Fatalf("nettplay ended with %s, not %s", got, args[0])
	}
}

func cmdMisuse(ts *testscript.TestScript, args []string) {
	cmdExits(ts, append([]string{"2"}, args...))
}

func cmdPort(ts *testscript.TestScript, args []string) {
	port, err := udp.FreePort()
	ts.Check(err)
	ts.Setenv(args[0], strconv.Itoa(port))
}

func cmdSilent(ts *testscript.TestScript, args []string) {
	c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	ts.Check(err)
	ts.Defer(func() { c.Close() })
	ts.Setenv(args[0], strconv.Itoa(c.LocalAddr().(*net.UDPAddr).Port))
}

func cmdStart(ts *testscript.TestScript, args []string) { startWith(ts, args, nil, nil) }

// cmdTerminal starts a program whose input is a terminal of its own.
func cmdTerminal(ts *testscript.TestScript, args []string) {
	keys, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	ts.Check(err)
	ts.Defer(func() { keys.Close() })
	ts.Check(unix.IoctlSetPointerInt(int(keys.Fd()), unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(int(keys.Fd()), unix.TIOCGPTN)
	ts.Check(err)
	screen, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	ts.Check(err)
	defer screen.Close()
	startWith(ts, args, screen, keys)
}

// startWith starts a program that reads what is typed from a file, or from a pipe if that is nil.
func startWith(ts *testscript.TestScript, args []string, reads *os.File, typed io.Writer) {
	ps, name := started(ts), args[0]
	if ps.byName[name] != nil {
		ts.Fatalf("%s was started before", name)
	}
	cmd, err := ps.command(ts, name, args[1:])
	ts.Check(err)
	if reads != nil {
		cmd.Stdin = reads
	} else {
		typed, err = cmd.StdinPipe()
	}
	ts.Check(err)
	p, err := child.Start(cmd)
	ts.Check(err)
	ps.byName[name] = &process{p, typed}
}

// whose is a name without its number: bob2 is bob, another time.
func whose(name string) string { return strings.TrimRight(name, "0123456789") }

// command is the program with folders of a name's own.
func (ps *processes) command(ts *testscript.TestScript, name string, args []string) (*exec.Cmd, error) {
	if slices.Contains(ps.windows, whose(name)) {
		return forWindows(ts, name, args...), nil
	}
	cmd := exec.Command(ps.program, args...)
	cmd.Dir = ts.MkAbs(".")
	for _, variable := range []string{"PATH", "HOME", "TMPDIR", "TERM", "GOCOVERDIR", "NETTPLAY_FAULT", "SSL_CERT_FILE", announceVariable} {
		cmd.Env = append(cmd.Env, variable+"="+ts.Getenv(variable))
	}
	data := ts.MkAbs("data-" + whose(name))
	cmd.Env = append(cmd.Env, "XDG_CONFIG_HOME="+ts.MkAbs(name), "XDG_DATA_HOME="+data)
	return cmd, knowCores(ts.Getenv(verdictsVariable), data)
}

func cmdSee(ts *testscript.TestScript, args []string) {
	p := named(ts, args[0])
	want, err := regexp.Compile("(?m)" + args[1])
	ts.Check(err)
	over := false
	seen := until(func() bool {
		over = p.run.Over() // looked at first: what was said before the end counts
		return want.MatchString(p.run.Words()) || over
	})
	if !seen || !want.MatchString(p.run.Words()) {
		ts.Fatalf("%s never said %q (ended: %v), but:\n%s", args[0], args[1], over, p.run.Words())
	}
}

func cmdTypes(ts *testscript.TestScript, args []string) {
	_, err := fmt.Fprintln(named(ts, args[0]).typed, strings.Join(args[1:], " "))
	ts.Check(err)
}

func cmdSignal(ts *testscript.TestScript, args []string) {
	signals := map[string]os.Signal{"int": syscall.SIGINT, "term": syscall.SIGTERM, "kill": syscall.SIGKILL, "stop": syscall.SIGSTOP}
	s, ok := signals[args[1]]
	if !ok {
		ts.Fatalf("there is no signal %s", args[1])
	}
	ts.Check(named(ts, args[0]).run.Process.Signal(s))
}

func cmdKillWorker(ts *testscript.TestScript, args []string) {
	var consoles []int
	if !until(func() bool {
		if ps := started(ts); slices.Contains(ps.windows, whose(args[0])) {
			consoles = wineConsoles(ts, args[0])
		} else {
			consoles = child.ConsolesOf(ps.program, named(ts, args[0]).run.Process.Pid)
		}
		return len(consoles) > 0
	}) {
		ts.Fatalf("%s has no console", args[0])
	}
	ts.Check(syscall.Kill(slices.Max(consoles), syscall.SIGKILL))
}

func cmdSleeps(ts *testscript.TestScript, args []string) { signalAll(ts, args[0], syscall.SIGSTOP) }

func cmdWakes(ts *testscript.TestScript, args []string) { signalAll(ts, args[0], syscall.SIGCONT) }

// signalAll sends a signal to a process and its consoles.
func signalAll(ts *testscript.TestScript, name string, s syscall.Signal) {
	pid := named(ts, name).run.Process.Pid
	for _, pid := range append(child.ConsolesOf(started(ts).program, pid), pid) {
		ts.Check(syscall.Kill(pid, s))
	}
}

func cmdEnd(ts *testscript.TestScript, args []string) {
	p := named(ts, args[0])
	if !until(p.run.Over) {
		ts.Fatalf("%s does not end; it said:\n%s", args[0], p.run.Words())
	}
	got := p.run.Exit()
	ts.Check(os.WriteFile(ts.MkAbs(args[0]+".out"), []byte(p.run.Words()), 0o600))
	if got != args[1] {
		ts.Fatalf("%s ended with %s, not %s; it said:\n%s", args[0], got, args[1], p.run.Words())
	}
	ts.Logf("%s said:\n%s", args[0], p.run.Words())
}

func cmdNothingLeft(ts *testscript.TestScript, _ []string) {
	ps := started(ts)
	if !until(func() bool { return len(child.Of(ps.program)) == 0 }) {
		ts.Fatalf("processes are left: %v", child.Of(ps.program))
	}
	files, err := os.ReadDir(ts.Getenv("TMPDIR"))
	ts.Check(err)
	for _, f := range files {
		ts.Fatalf("%s is left in the folder for temporary files", f.Name())
	}
}

func cmdRandomInput(ts *testscript.TestScript, args []string) {
	frames, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	seed, err := strconv.ParseUint(args[2], 10, 64)
	ts.Check(err)
	var b bytes.Buffer
	_, err = inputdelay.RandomScript(seed, frames).WriteTo(&b)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b.Bytes(), 0o600))
}

func cmdNoise(ts *testscript.TestScript, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	b := make([]byte, n)
	random := rand.NewChaCha8([32]byte{1})
	_, _ = random.Read(b)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b, 0o600))
}

func readReport(ts *testscript.TestScript, name string) notice.Report {
	var r notice.Report
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(name)), &r))
	return r
}

func cmdReport(ts *testscript.TestScript, args []string) {
	var fields map[string]any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &fields))
	for _, key := range []string{"result", "error", "frames", "delay", "seats", "stalls", "desyncs", "rtt_ms", "bytes_sent", "bytes_received", "step_ms", "core"} {
		if _, ok := fields[key]; !ok {
			ts.Fatalf("%s has no %q", args[0], key)
		}
	}
	for _, want := range args[1:] {
		key, value, _ := strings.Cut(want, "=")
		if got := fmt.Sprint(fields[key]); got != value {
			ts.Fatalf("%s: %s is %q, not %q", args[0], key, got, value)
		}
	}
}

func cmdEqual(ts *testscript.TestScript, args []string) {
	first := readReport(ts, args[0])
	for _, s := range first.Seats {
		if s.Hash == 0 {
			ts.Fatalf("%s has no hash of seat %d", args[0], s.Seat)
		}
	}
	if n := len(first.Seats); n < len(args) {
		ts.Fatalf("%s has %d seats, but %d machines played", args[0], n, len(args))
	}
	for _, name := range args[1:] {
		if r := readReport(ts, name); !slices.Equal(r.Seats, first.Seats) {
			ts.Fatalf("%s and %s differ:\n%v\n%v", args[0], name, first.Seats, r.Seats)
		}
	}
}

func cmdSaved(ts *testscript.TestScript, args []string) {
	log, err := romstest.ReadSave([]byte(ts.ReadFile(args[0])))
	ts.Check(err)
	if got := fmt.Sprint(log.Steps); got != args[1] {
		ts.Fatalf("%s has %s steps, not %s", args[0], got, args[1])
	}
}
