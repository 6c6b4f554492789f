//go:build unix

package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/corecheck"
	"github.com/nettplay/nettplay/internal/relay/service"
	"github.com/nettplay/nettplay/internal/testing/child"
	"github.com/nettplay/nettplay/internal/testing/fixture"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// This binary is also the program: under the name nettplay it runs main, and
// its consoles run in processes of it like those of the real one.
func TestMain(m *testing.M) {
	testscript.Main(tests{m}, map[string]func(){"nettplay": main})
}

type tests struct{ m *testing.M }

// Run lets several scripts and games run at once, however few processors there are: they wait for
// processes and for silent links most of the time.
func (t tests) Run() int {
	flag.Parse()
	parallel := flag.Lookup("test.parallel")
	if n := runtime.GOMAXPROCS(0); parallel.Value.String() == strconv.Itoa(n) {
		_ = parallel.Value.Set(strconv.Itoa(max(n, scriptsAtOnce)))
	}
	return testcore.Main(t.m)
}

// scriptsAtOnce is how many scripts run at the same time. More gain nothing on two
// processors, which they keep busy then.
const scriptsAtOnce = 6

// withFaults: this build goes wrong if a script asks for it. See faults.go.
var withFaults = false

// TestScripts plays the scripts in testdata/script. Besides what testscript
// has, they know the commands of script_linux_test.go, and these:
//
//	$CORE, $OTHERCORE     the test core, and another build of it, which is not known to do the same
//	$ALIKECORE            a build that does the same as $CORE
//	$CORESUM              the test core's SHA-256
//	$WIRELESSCORE         one whose radio is in use: Player P... is its game's host
//	pad.nds, save.nds     test ROMs
//	[desmume]             the default core is installed
//	[faults]              the program can be told to go wrong: go test -tags nettplay_faults
func TestScripts(t *testing.T) {
	t.Parallel()
	cores := t.TempDir()
	core, wireless := testcore.Path(t), testcore.Wireless(t)
	other := filepath.Join(cores, "other_libretro.so")
	b := must.Read(t, core)
	// A byte behind the last section changes nothing but the hash.
	must.Succeed(t, os.WriteFile(other, append(b, 0), 0o755))
	alike := filepath.Join(cores, "alike_libretro.so")
	must.Succeed(t, os.WriteFile(alike, append(b, 0, 0), 0o755))
	known := filepath.Join(cores, "core-verdicts")
	sums := checkedCores(t, known, core, wireless, other, alike)
	for _, path := range []string{core, alike} {
		v := corecheck.Verdict{Core: sha256.Sum256(must.Read(t, path)), Fingerprint: [32]byte{1}}
		must.Succeed(t, corecheck.OpenBook(known).Keep(v))
	}
	_, noCore := emucore.Search{}.Find(t.Context(), "")
	testscript.Run(t, testscript.Params{
		Files:               scripts(t),
		Cmds:                commandsOfScripts(),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition: func(cond string) (bool, error) {
			return cond == "desmume" && noCore == nil || cond == "faults" && withFaults, nil
		},
		Setup: func(env *testscript.Env) error {
			env.Setenv("CORE", core)
			env.Setenv("OTHERCORE", other)
			env.Setenv("ALIKECORE", alike)
			env.Setenv("WIRELESSCORE", wireless)
			env.Setenv("CORESUM", sums[0])
			env.Setenv(verdictsVariable, known)
			return prepare(env)
		},
	})
}

// scripts are all scripts, with those first that wait for long.
func scripts(t *testing.T) []string {
	dir := filepath.Join("testdata", "script")
	files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts in %s: %v", dir, err)
	}
	long := []string{"docs", "friends", "match", "latejoin", "watch", "prepare", "sram", "hostmigration", "killhost"}
	slices.SortStableFunc(files, func(a, b string) int { return cmp.Compare(turn(long, a), turn(long, b)) })
	return files
}

// turn is a script's place in a list of names, len(names) if it is not there.
func turn(names []string, file string) int {
	if i := slices.Index(names, strings.TrimSuffix(filepath.Base(file), ".txtar")); i >= 0 {
		return i
	}
	return len(names)
}

// prepare gives a script ROMs, settings that are nobody's, and a name of its
// own for the program, by which its processes are known.
func prepare(env *testscript.Env) error {
	at := func(name string) string { return filepath.Join(env.WorkDir, name) }
	for _, dir := range []string{"bin", "settings", "home"} {
		if err := os.Mkdir(at(dir), 0o755); err != nil {
			return err
		}
	}
	if _, err := romstest.WriteFiles(env.WorkDir, romstest.All()...); err != nil {
		return err
	}
	if err := program(at("bin/nettplay")); err != nil {
		return err
	}
	env.Setenv("PATH", at("bin")+string(filepath.ListSeparator)+env.Getenv("PATH"))
	env.Setenv("HOME", at("home"))
	env.Setenv("XDG_CONFIG_HOME", at("settings"))
	env.Setenv("TERM", "dumb")
	env.Setenv(announceVariable, "127.0.0.1:9") // nobody hears of test rooms
	if err := knowCores(env.Getenv(verdictsVariable), at("home/.local/share")); err != nil {
		return err
	}
	ps := newProcesses(at("bin/nettplay"))
	env.Values[processesKey{}] = ps
	env.Defer(ps.killAll)
	return nil
}

// program puts this binary at a path: as a link where the file system can.
func program(path string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if os.Link(self, path) == nil {
		return nil
	}
	in, err := os.Open(self)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}

// verdictsVariable of a script's environment names a file of verdicts on the cores of the tests,
// so that not each of many programs checks them.
const verdictsVariable = "CORE_VERDICTS"

// checkedCores writes that file, and returns the cores' SHA-256.
func checkedCores(t *testing.T, path string, cores ...string) (sums []string) {
	t.Helper()
	book := corecheck.OpenBook(path)
	for _, core := range cores {
		b := must.Read(t, core)
		v := corecheck.Verdict{Core: sha256.Sum256(b)}
		must.Succeed(t, book.Keep(v))
		sums = append(sums, fmt.Sprintf("%x", v.Core))
	}
	return sums
}

// knowCores gives a program those verdicts, if there are any, in its folder for data.
func knowCores(verdicts, data string) error {
	if verdicts == "" {
		return nil
	}
	b, err := os.ReadFile(verdicts)
	if err != nil {
		return err
	}
	dir := filepath.Join(data, "nettplay")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "core-verdicts"), b, 0o600)
}

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

// cmdCoreServer runs a server of cores until the script ends, writes settings with it as the
// only source, and has the script's programs trust it.
func cmdCoreServer(ts *testscript.TestScript, args []string) {
	s := fixture.StartCores()
	ts.Defer(s.Close)
	started(ts).cores = s
	text := fmt.Sprintf("[core]\nfolders = []\nsources = [%q]\n", s.Sources()[0])
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
	ts.Check(os.WriteFile(ts.MkAbs("roots.pem"), s.Cert(), 0o600))
	ts.Setenv("SSL_CERT_FILE", ts.MkAbs("roots.pem"))
}

// cmdReleased adds a release of melonDS DS to those of the server: a version, a date, and a
// library, to which bytes are added that change nothing but its hash.
func cmdReleased(ts *testscript.TestScript, args []string) {
	lib, err := os.ReadFile(ts.MkAbs(args[2]))
	ts.Check(err)
	ps := started(ts)
	ps.released = append([]fixture.Core{{Name: "melondsds", Version: args[0], Date: args[1], Library: append(lib, args[0]...)}}, ps.released...)
	ps.cores.Release(ps.released...)
}

// cmdKept counts the cores that the script's home keeps.
func cmdKept(ts *testscript.TestScript, args []string) {
	n := 0
	err := fs.WalkDir(os.DirFS(ts.MkAbs("home")), ".local/share/nettplay/cores", func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			n++
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		ts.Check(err)
	}
	if got := fmt.Sprint(n / 2); got != args[0] || n%2 != 0 { // each has its record
		ts.Fatalf("%d files are kept, want %s cores", n, args[0])
	}
}

// cmdRelay runs a relay until the script ends.
func cmdRelay(ts *testscript.TestScript, args []string) {
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	ts.Check(err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = service.Run(ctx, service.Config{UDP: conn})
	}()
	ts.Defer(func() { cancel(); <-ended })
	ts.Setenv(args[0], conn.LocalAddr().String())
}
