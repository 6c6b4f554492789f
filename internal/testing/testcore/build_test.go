// Package testcore_test has the tests of the test core (src/, in C): that it repeats
// itself bit for bit, that whatever goes wrong shows in its hash, that its radio
// behaves in the way README.md says, and that each fault is the one asked for.
//
// They drive it with a small libretro host of their own (testdata/harness), so
// that a fault of the project's host cannot hide one of the core. Next to read:
// emucore, which hosts cores for the program.
package testcore_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
)

func TestMain(m *testing.M) { os.Exit(testcore.Main(m)) }

// content is a ROM of bytes in no order: the core takes any.
func content() []byte {
	b := make([]byte, 40_000)
	x := uint32(1)
	for i := range b {
		x = x*1664525 + 1013904223
		b[i] = byte(x >> 24)
	}
	return b
}

// A game is one run of the harness.
type game struct {
	options  []string // "key=value", "0:key=value" for one console
	consoles int      // 1 if zero
	commands []string // for the harness, see there
	env      []string
}

// start runs it to its end, in a directory of its own.
func (g game) start(t *testing.T) (stdout, stderr []byte, err error) {
	t.Helper()
	return g.startContext(t.Context(), t)
}

func (g game) startContext(ctx context.Context, t *testing.T) (stdout, stderr []byte, err error) {
	t.Helper()
	dir := t.TempDir()
	rom := filepath.Join(dir, "game.nds")
	must.Succeed(t, os.WriteFile(rom, content(), 0o600))
	args := []string{testcore.Path(t), rom, strconv.Itoa(max(g.consoles, 1))}
	args = append(args, g.options...)
	args = append(append(args, "--"), g.commands...)
	cmd := exec.CommandContext(ctx, testcore.Harness(t), args...)
	cmd.Dir = dir
	cmd.Env = append([]string{"TZ=UTC"}, g.env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.Bytes(), errs.Bytes(), err
}

// A line is what the harness printed of a console, or of the air, by name.
type line map[string]string

func (l line) number(t *testing.T, name string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(l[name], 10, 64)
	if err != nil {
		t.Fatalf("%s: %v in %v", name, err, l)
	}
	return n
}

// play is start for games that must go well; it returns the lines printed.
func (g game) play(t *testing.T) (consoles []line, air []line) {
	t.Helper()
	out, errs, err := g.start(t)
	if err != nil {
		t.Fatalf("%v: %v\n%s", g, err, errs)
	}
	for text := range strings.Lines(string(out)) {
		l := line{}
		for _, field := range strings.Fields(text) {
			name, value, _ := strings.Cut(field, "=")
			l[name] = value
		}
		if _, ok := l["air"]; ok {
			air = append(air, l)
		} else {
			consoles = append(consoles, l)
		}
	}
	return consoles, air
}

// history returns each console's hash after each frame.
func (g game) history(t *testing.T) [][]string {
	t.Helper()
	g.commands = append(g.commands[:len(g.commands):len(g.commands)], "history")
	out, errs, err := g.start(t)
	if err != nil {
		t.Fatalf("%v: %v\n%s", g, err, errs)
	}
	var all [][]string
	for text := range strings.Lines(string(out)) {
		all = append(all, strings.Fields(text))
	}
	return all
}

// firstDifference is the first frame whose hashes differ, -1 if none does.
func firstDifference(a, b []string) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}

// same reports the fields that differ.
func same(t *testing.T, what string, a, b line, fields ...string) {
	t.Helper()
	for _, f := range fields {
		if a[f] == "" || a[f] != b[f] {
			t.Errorf("%s: %s is %q and %q", what, f, a[f], b[f])
		}
	}
}
