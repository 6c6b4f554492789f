package ds_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

const project = "github.com/nettplay/nettplay/"

// pure are the packages that build and test without cgo, with all that they import.
var pure = []string{
	"host/...", "mirror", "inputdelay", "internal/wire", "internal/ds", "internal/desync",
	"savestate", "internal/replay",
}

// goTool runs the go command without cgo and returns what it says, a word a line.
func goTool(t *testing.T, args ...string) []string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		said := string(out)
		if exit, ok := err.(*exec.ExitError); ok {
			said += string(exit.Stderr)
		}
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, said)
	}
	return strings.Fields(string(out))
}

// Pure packages build and vet, tests included, without cgo, and so need no core.
func TestPurePackagesNeedNoCgo(t *testing.T) {
	if testing.Short() {
		t.Skip("builds packages")
	}
	args := []string{"vet"}
	for _, p := range pure {
		args = append(args, "./"+p)
	}
	goTool(t, args...)
	for _, dep := range goTool(t, append([]string{"list", "-deps"}, args[1:]...)...) {
		if dep == project+"emucore" {
			t.Error("a pure package imports emucore")
		}
	}
}

// The vocabulary stands below everything.
func TestVocabularyImportsNothing(t *testing.T) {
	for _, dep := range goTool(t, "list", "-deps", "./internal/ds") {
		if strings.HasPrefix(dep, project) && dep != project+"internal/ds" {
			t.Errorf("internal/ds imports %s", dep)
		}
	}
}
