package main

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/nettplay/nettplay/internal/link/udp"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// readOnly makes everything read-only in a mount namespace of its own but $WORLD, /run and
// devices, and runs a script there. It ends with 77 where that cannot be done.
const readOnly = `
mount --make-rprivate / && mount --bind "$WORLD" "$WORLD" || exit 77
while read -r _ at _; do
	case $at in
	/proc*|/sys*|/dev*|/run*|"$WORLD") ;;
	*) mount -o remount,bind,ro "$at" || exit 77 ;;
	esac
done < /proc/self/mounts
for dir in / /tmp /var/tmp "$PROGRAMS"; do
	if touch "$dir/nettplay-canary" 2>/dev/null; then rm -f "$dir/nettplay-canary"; echo "$dir can be written"; exit 77; fi
done
set -e
trap 'kill $(jobs -p) 2>/dev/null || true; cat "$WORLD/host.out" 2>/dev/null || true' EXIT
cd /
`

// inAHome is what a player does: the window opens and closes, a room is hosted and joined, and
// the demo plays.
const inAHome = `
SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy nettplay window & window=$!
while kill -0 $window && ! [ -e "$HOME/.config/nettplay/config.toml" ]; do sleep 0.05; done
kill -TERM $window
wait $window
nettplay host --headless "$PROGRAMS/pad.nds" --core "$CORE" --port "$PORT" --frames 60 --speed max > "$WORLD/host.out" 2>&1 & host=$!
while kill -0 $host && ! grep -q 'room is open' "$WORLD/host.out"; do sleep 0.05; done
nettplay join --headless "127.0.0.1:$PORT" --core "$CORE" --rom "$PROGRAMS/pad.nds" --speed max
wait $host
` + theDemo

const theDemo = `
nettplay demo --core "$CORE" --frames 60 --speed max --out "$HOME/.local/share/nettplay/demo"
`

// TestReadOnlyRoot: the program runs where nothing can be written but the player's XDG folders
// and the session's, writes nothing else into the player's home, and leaves nothing in the
// session's folder. Without that folder it does, too.
func TestReadOnlyRoot(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: this needs root, for a mount namespace")
	}
	core, programs := testcore.Path(t), t.TempDir()
	must.Succeed(t, program(filepath.Join(programs, "nettplay")))
	if _, err := romstest.WriteFiles(programs, romstest.All()...); err != nil {
		t.Fatal(err)
	}
	for name, does := range map[string]string{"session": inAHome, "no session": theDemo} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			world := t.TempDir()
			home, run := filepath.Join(world, "home"), filepath.Join(world, "run")
			for _, dir := range []string{home, run} {
				must.Succeed(t, os.Mkdir(dir, 0o700))
			}
			if name == "no session" {
				run = ""
			}
			runReadOnly(t, does, "WORLD="+world, "PROGRAMS="+programs, "CORE="+core, "HOME="+home, "XDG_RUNTIME_DIR="+run)
			onlyXDG(t, home)
			left, _ := filepath.Glob(filepath.Join(world, "run", "*", "*"))
			left = slices.DeleteFunc(left, func(path string) bool { return path == filepath.Join(world, "run", "nettplay", "window.lock") }) // it stays
			if len(left) > 0 {
				t.Errorf("left in the session's folder: %q", left)
			}
		})
	}
}

// runReadOnly runs a script in the world of readOnly.
func runReadOnly(t *testing.T, script string, environment ...string) {
	t.Helper()
	port := "0"
	if n, err := udp.FreePort(); err == nil {
		port = strconv.Itoa(n)
	}
	c := exec.Command("/bin/sh", "-c", readOnly+script)
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if !strings.HasPrefix(name, "XDG_") && !slices.Contains([]string{"HOME", "TMPDIR", "DISPLAY", "WAYLAND_DISPLAY"}, name) {
			c.Env = append(c.Env, variable)
		}
	}
	c.Env = append(c.Env, environment...)
	c.Env = append(c.Env, "PORT="+port, announceVariable+"=127.0.0.1:9")
	for _, variable := range environment {
		if dir, ok := strings.CutPrefix(variable, "PROGRAMS="); ok {
			c.Env = append(c.Env, "PATH="+dir+":"+os.Getenv("PATH"))
		}
	}
	c.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
	out, err := c.CombinedOutput()
	var ended *exec.ExitError
	switch {
	case errors.Is(err, syscall.EPERM), errors.As(err, &ended) && ended.ExitCode() == 77:
		t.Skipf("SKIPPED: nothing can be made read-only here: %v\n%s", err, out)
	case err != nil:
		t.Fatalf("%v\n%s", err, out)
	}
}

// onlyXDG checks that there is nothing in a home but the program's folders.
func onlyXDG(t *testing.T, home string) {
	t.Helper()
	ours := []string{".config/nettplay", ".cache/nettplay", ".local/share/nettplay", ".local/state/nettplay"}
	err := filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(home, path)
		for _, dir := range ours {
			if name == dir {
				return fs.SkipDir
			}
			if name == "." || strings.HasPrefix(dir, name+"/") {
				return nil
			}
		}
		t.Errorf("%s is in the player's home", name)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
