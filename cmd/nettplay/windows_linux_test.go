package main

import (
	"crypto/sha256"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/nettplay/nettplay/internal/corecheck"
	"github.com/nettplay/nettplay/internal/testing/badline"
	"github.com/nettplay/nettplay/internal/testing/impair"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// Variables of the environment that name the program for Windows, a core for it, which does what the test core does, and
// Wine. packaging/windows/test.sh sets them.
const (
	wineVariable        = "NETTPLAY_WINE"
	windowsVariable     = "NETTPLAY_WINDOWS"
	windowsCoreVariable = "NETTPLAY_WINDOWS_CORE"
)

// A build of melonDS DS for each system. The test core is none for rooms of two builds that use the radio: its states are not those
// that the profile of melonDS DS knows.
const (
	airCoreVariable        = "NETTPLAY_TEST_CORE"
	windowsAirCoreVariable = "NETTPLAY_WINDOWS_TEST_CORE"
)

// TestMixedRooms plays the scripts in testdata/windows: rooms of this program and that for Windows, under Wine. Besides
// what other scripts have, they know:
//
//	windows NAME...       programs of these names are those for Windows
//	badline VAR PORT      VAR becomes a port from which a line leads to PORT: each way takes 50 +-10 ms, and loses 2 %
//	verified FILE [GAME]  a recording gives on both systems what it gave in the game: pad.nds on $CORE and $WINCORE, or another
//	                      one on $AIRCORE and $WINAIRCORE
//	atwindows ARG...      runs "nettplay ARG..." for Windows, which ends well
//	$WINCORE              the test core for Windows
//	$AIRCORE, $WINAIRCORE melonDS DS, if both are named: [air]
//	$WINSDL               a library for Windows that is no core
//	$FRAMES               how long the long games are
func TestMixedRooms(t *testing.T) {
	if os.Getenv(windowsVariable) == "" {
		t.Skip("NOT TESTED: it needs the program for Windows and Wine: make windows-test")
	}
	core, windowsCore := testcore.Path(t), os.Getenv(windowsCoreVariable)
	air, windowsAir := os.Getenv(airCoreVariable), os.Getenv(windowsAirCoreVariable)
	onAir := air != "" && windowsAir != ""
	files, err := filepath.Glob(filepath.Join("testdata", "windows", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	commands := commandsOfScripts()
	for name, run := range map[string]func(ts *testscript.TestScript, args []string){
		"windows": cmdWindows, "badline": cmdBadLine, "verified": cmdVerified, "atwindows": cmdAtWindows,
	} {
		commands[name] = func(ts *testscript.TestScript, neg bool, args []string) {
			if neg || len(args) == 0 {
				ts.Fatalf("%s needs arguments and cannot be negated", name)
			}
			run(ts, args)
		}
	}
	frames := os.Getenv("NETTPLAY_WINDOWS_FRAMES")
	if frames == "" {
		frames = "3600" // long enough for two to come late on a busy machine
	} else if n, err := strconv.Atoi(frames); err == nil {
		patience += 2 * time.Duration(n) * time.Second / 60
	}
	known := filepath.Join(t.TempDir(), "core-verdicts")
	must.Succeed(t, os.WriteFile(known, checkedOnBoth(t, core, windowsCore), 0o600))
	if onAir {
		must.Succeed(t, os.WriteFile(known, append(must.Read(t, known), checkedOnBoth(t, air, windowsAir)...), 0o600))
	}
	testscript.Run(t, testscript.Params{
		Files: files, Cmds: commands, RequireExplicitExec: true, RequireUniqueNames: true,
		Condition: func(cond string) (bool, error) { return cond == "faults" && withFaults || cond == "air" && onAir, nil },
		Setup: func(env *testscript.Env) error {
			env.Setenv("CORE", core)
			env.Setenv("WINCORE", underWine(windowsCore))
			env.Setenv("AIRCORE", air)
			env.Setenv("WINAIRCORE", underWine(windowsAir))
			env.Setenv("WINSDL", underWine(filepath.Join(filepath.Dir(os.Getenv(windowsVariable)), "SDL2.dll")))
			env.Setenv("FRAMES", frames)
			env.Setenv(verdictsVariable, known)
			return prepare(env)
		},
	})
}

// checkedOnBoth has each system check its build of a core, and returns a book of their verdicts.
func checkedOnBoth(t *testing.T, linuxCore, windowsCore string) (book []byte) {
	t.Helper()
	dir := t.TempDir()
	linux := filepath.Join(dir, "nettplay")
	must.Succeed(t, program(linux))
	_, err := romstest.WriteFiles(dir, romstest.All()...)
	must.Succeed(t, err)
	play := []string{"local", "--headless", "--any-core", "--frames", "1", "--speed", "max", "--core"}
	for name, cmd := range map[string]*exec.Cmd{
		"linux":   exec.Command(linux, append(play, linuxCore, filepath.Join(dir, "pad.nds"))...),
		"windows": exec.Command(os.Getenv(wineVariable), slices.Concat([]string{os.Getenv(windowsVariable)}, play, []string{underWine(windowsCore), underWine(filepath.Join(dir, "pad.nds"))})...),
	} {
		at := filepath.Join(dir, name)
		if name == "windows" {
			at = underWine(at)
		}
		cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+at, "XDG_DATA_HOME="+at, "XDG_STATE_HOME="+at, "XDG_CACHE_HOME="+at)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
	}
	var prints [][32]byte
	for name, core := range map[string]string{"linux": linuxCore, "windows": windowsCore} {
		path := filepath.Join(dir, name, "nettplay", "core-verdicts")
		v, known := corecheck.OpenBook(path).Of(sha256.Sum256(must.Read(t, core)))
		if !known || v.Failed() {
			t.Fatalf("the core of %s: checked %v; %s", name, known, v.Words())
		}
		book, prints = append(book, must.Read(t, path)...), append(prints, v.Fingerprint)
	}
	if prints[0] != prints[1] {
		t.Fatalf("the cores of both systems do not do the same: %x", prints)
	}
	return book
}

// underWine is a path as Windows' programs see it.
func underWine(path string) string { return "Z:" + path }

// forWindows runs the program for Windows, with folders of a name's own.
func forWindows(ts *testscript.TestScript, name string, args ...string) *exec.Cmd {
	who := whose(name)
	temporary := ts.MkAbs("tmp-" + who)
	ts.Check(os.MkdirAll(temporary, 0o700))
	ts.Check(knowCores(ts.Getenv(verdictsVariable), ts.MkAbs("data-"+who)))
	cmd := exec.Command(os.Getenv(wineVariable), append([]string{os.Getenv(windowsVariable)}, args...)...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "XDG_") })
	cmd.Env = append(cmd.Env, "NETTPLAY_FAULT="+ts.Getenv("NETTPLAY_FAULT"), announceVariable+"="+ts.Getenv(announceVariable),
		// Wine keeps its own for Windows' programs, and takes these in their place.
		"WINETMP="+underWine(temporary), "WINETEMP="+underWine(temporary),
		"XDG_CONFIG_HOME="+underWine(ts.MkAbs(name)), "XDG_DATA_HOME="+underWine(ts.MkAbs("data-"+who)),
		"XDG_STATE_HOME="+underWine(ts.MkAbs("data-"+who)), "XDG_CACHE_HOME="+underWine(ts.MkAbs("data-"+who)))
	return cmd
}

// wineConsoles are the consoles of a program for Windows: they work in folders of their own.
func wineConsoles(ts *testscript.TestScript, name string) (ids []int) {
	below := ts.MkAbs("tmp-"+whose(name)) + "/"
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		at, err := os.Readlink(filepath.Join(dir, "cwd"))
		if id, bad := strconv.Atoi(filepath.Base(dir)); err == nil && bad == nil && strings.HasPrefix(at, below) {
			ids = append(ids, id)
		}
	}
	return ids
}

func cmdWindows(ts *testscript.TestScript, args []string) { started(ts).windows = args }

func cmdBadLine(ts *testscript.TestScript, args []string) {
	line, err := badline.Start(badline.Config{
		Target: "127.0.0.1:" + args[1], Seed: 1,
		Impairment: impair.Impairment{Delay: 50 * time.Millisecond, Jitter: 10 * time.Millisecond, Loss: 0.02},
	})
	ts.Check(err)
	ts.Defer(func() { line.Close() })
	_, port, err := net.SplitHostPort(line.Addr())
	ts.Check(err)
	ts.Setenv(args[0], port)
}

func cmdVerified(ts *testscript.TestScript, args []string) {
	core, windowsCore, game := ts.Getenv("CORE"), ts.Getenv("WINCORE"), "pad.nds"
	if len(args) > 1 {
		core, windowsCore, game = ts.Getenv("AIRCORE"), ts.Getenv("WINAIRCORE"), args[1]
	}
	ts.Check(ts.Exec("nettplay", "replay", "--verify", "--force", "--core", core, "--rom", game, args[0]))
	cmdAtWindows(ts, []string{"replay", "--verify", "--force", "--core", windowsCore, "--rom", game, args[0]})
}

func cmdAtWindows(ts *testscript.TestScript, args []string) {
	out, err := forWindows(ts, "alone", args...).CombinedOutput()
	if err != nil {
		ts.Fatalf("nettplay for Windows, %s: %v\n%s", fmt.Sprint(args), err, out)
	}
	ts.Logf("%s", out)
}
