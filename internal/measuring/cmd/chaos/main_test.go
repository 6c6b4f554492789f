package main

import (
	"bytes"
	"strings"
	"testing"
)

func play(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(t.Context(), args, &o, &e)
	return code, o.String(), e.String()
}

func TestPlansArePrinted(t *testing.T) {
	code, out, _ := play(t, "-plan", "-runs", "3", "-seed", "40")
	for _, want := range []string{"seed 40: ", "seed 41: ", "seed 42: "} {
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("exit %d, without %q:\n%s", code, want, out)
		}
	}
}

func TestMisuse(t *testing.T) {
	for _, args := range [][]string{{"-runs", "0"}, {"-jobs", "0"}, {"what"}, {"-seed", "x"}} {
		if code, _, errs := play(t, args...); code != 2 || errs == "" {
			t.Errorf("%q: exit %d, %q", args, code, errs)
		}
	}
}

// A run that fails is told with its seed, its plan and how to repeat it; the last line
// and the exit code say it once more.
func TestFailuresAreTold(t *testing.T) {
	dir := t.TempDir()
	code, out, _ := play(t, "-runs", "2", "-seed", "7", "-dir", dir, "-program", dir+"/nosuch", "-core", dir+"/nosuch")
	for _, want := range []string{"FAIL  seed 7 ", "FAIL  seed 8 ", "nosuch", "seed 7: ", "logs: " + dir + "/seed-7", "make chaos RUNS=1 SEED=7"} {
		if !strings.Contains(out, want) {
			t.Errorf("without %q:\n%s", want, out)
		}
	}
	if code != 1 || !strings.HasSuffix(out, "\n2 runs, 2 failed\n") {
		t.Errorf("exit %d:\n%s", code, out)
	}
}
