package child

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/internal/corecheck"
)

// Home is a folder in which the program finds all its folders, and nothing of the user's.
type Home string

// Folders of the program.
const (
	Own      = "home"
	Data     = "data"
	Temp     = "tmp"
	settings = "settings/nettplay"
)

// At is the path of a file or folder there.
func (h Home) At(name string) string { return filepath.Join(string(h), name) }

// Make makes the folders, and a file of settings. A core passes its check there, which would only
// take time; "" for none.
func (h Home) Make(text, core string) error {
	for _, name := range []string{Own, settings, Data, Temp} {
		if err := os.MkdirAll(h.At(name), 0o700); err != nil {
			return err
		}
	}
	if err := os.WriteFile(h.At(settings+"/config.toml"), []byte(text), 0o600); err != nil || core == "" {
		return err
	}
	b, err := os.ReadFile(core)
	if err != nil {
		return err
	}
	return corecheck.OpenBook(h.At(Data + "/nettplay/core-verdicts")).Keep(corecheck.Verdict{Core: sha256.Sum256(b)})
}

// Start starts a program there. More adds to [Home.Environment].
func (h Home) Start(program string, args []string, more ...string) (*Process, error) {
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = string(h), append(h.Environment(), more...)
	cmd.SysProcAttr = apart
	return Start(cmd)
}

// Environment is all that the program finds in its environment.
func (h Home) Environment() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "TERM=dumb", "HOME=" + h.At(Own), "TMPDIR=" + h.At(Temp),
		"XDG_CONFIG_HOME=" + filepath.Dir(h.At(settings)), "XDG_DATA_HOME=" + h.At(Data),
	}
}

// Build builds the program and the test core in a folder, as far as their paths are empty. Flags are for "go build".
func Build(ctx context.Context, dir string, program, core *string, flags ...string) error {
	if *program == "" {
		*program = filepath.Join(dir, "nettplay")
		if err := command(ctx, "go", slices.Concat([]string{"build", "-o", *program}, flags, []string{"./cmd/nettplay"})...); err != nil {
			return err
		}
	}
	if *core == "" {
		*core = filepath.Join(dir, "testcore_libretro.so")
		return command(ctx, "make", "-s", "-C", "internal/testing/testcore", "OUT="+*core, *core)
	}
	return nil
}

// command runs a command at the top of the repository.
func command(ctx context.Context, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	var err error
	if cmd.Dir, err = Top(); err != nil {
		return err
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}

// Top is the top of the repository, somewhere in which this program was started.
func Top() (string, error) {
	dir, err := os.Getwd()
	for ; err == nil; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "internal/testing/testcore/Makefile")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			err = errors.New("the program is built in a checkout of it: start this there")
		}
	}
	return "", err
}
