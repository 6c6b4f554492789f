package ds_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

const project = "github.com/nettplay/nettplay/"

// pure are the packages that build and test without cgo, with all that they import.
var pure = []string{
	"host/...", "mirror", "inputdelay", "internal/wire", "internal/ds", "internal/desync",
	"savestate", "internal/replay",
}

// goList runs "go list", with cgo or without, and returns what it says, a word a line.
func goList(t *testing.T, cgo string, args ...string) []string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), "CGO_ENABLED="+cgo)
	out, err := cmd.Output()
	if err != nil {
		said := string(out)
		if exit, ok := err.(*exec.ExitError); ok {
			said += string(exit.Stderr)
		}
		t.Fatalf("go list %s: %v\n%s", strings.Join(args, " "), err, said)
	}
	return strings.Fields(string(out))
}

// Nothing of which pure packages consist without cgo, tests included, has C in it, and so they
// need no core. "make lint" vets them without cgo, for another system.
func TestPurePackagesNeedNoCgo(t *testing.T) {
	must.HaveLinux(t, "the go command")
	args := []string{"-deps", "-test", "-f", "{{if not (or .Standard .ForTest)}}{{.ImportPath}}{{end}}"}
	for _, p := range pure {
		args = append(args, "./"+p)
	}
	deps := slices.DeleteFunc(goList(t, "0", args...), func(dep string) bool { return strings.HasSuffix(dep, ".test") })
	if !slices.Contains(deps, project+"internal/ds") {
		t.Fatalf("that is no list of packages: %q", deps)
	}
	for _, dep := range goList(t, "1", append([]string{"-f", "{{if .CgoFiles}}{{.ImportPath}}{{end}}"}, deps...)...) {
		t.Errorf("a pure package is built from %s, which has C", dep)
	}
}

// The vocabulary stands below everything.
func TestVocabularyImportsNothing(t *testing.T) {
	must.HaveLinux(t, "the go command")
	for _, dep := range goList(t, "0", "-deps", "./internal/ds") {
		if strings.HasPrefix(dep, project) && dep != project+"internal/ds" {
			t.Errorf("internal/ds imports %s", dep)
		}
	}
}
