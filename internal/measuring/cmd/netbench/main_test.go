package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/measuring/netbench"
)

func play(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(t.Context(), args, &o, &e)
	return code, o.String(), e.String()
}

func TestList(t *testing.T) {
	code, out, _ := play(t, "-list", "50j10l?")
	if code != 0 || strings.Count(out, "\n") != 3 || !strings.Contains(out, "50±10 ms, 5 %") {
		t.Errorf("exit %d:\n%s", code, out)
	}
}

// No case is too large for the least number of machines.
func TestCounts(t *testing.T) {
	for _, c := range netbench.Cases() {
		if n := (&options{machines: leastMachines}).counts(c); n < c.Machines || n > leastMachines {
			t.Errorf("%s counts for %d machines", c.Name, n)
		}
	}
}

func TestMisuse(t *testing.T) {
	for _, args := range [][]string{{"-machines", "5"}, {"nosuch"}, {"-length", "0s"}, {"-delays", "8-3"}, {"-delays", "3"}, {"-delays", "0-99"}, {"-turns", "0"}, {"["}} {
		if code, _, errs := play(t, args...); code != 2 || errs == "" {
			t.Errorf("%q: exit %d, %q", args, code, errs)
		}
	}
}

func TestFlags(t *testing.T) {
	for args, want := range map[string]struct {
		cases          int
		length, settle time.Duration
	}{
		"50j10l5":                          {1, 15 * time.Second, 10 * time.Second},
		"-full 50j10l5 long":               {2, time.Minute, 10 * time.Second},
		"-full -length 5s 50j10l5":         {1, 5 * time.Second, 10 * time.Second},
		"-delay auto 50j10l5":              {1, 15 * time.Second, 20 * time.Second},
		"-delay racing -settle 1s 50j10l5": {1, 15 * time.Second, time.Second},
		"-delays 3-8 50j10l5 50j10l2":      {12, 15 * time.Second, 10 * time.Second},
	} {
		o, err := parse(strings.Fields(args), new(bytes.Buffer))
		if err != nil || len(o.cases) != want.cases || o.Length != want.length || o.Span.Settle != want.settle {
			t.Errorf("%q: %d cases of %v after %v, %v", args, len(o.cases), o.Length, o.Span.Settle, err)
		}
	}
}

// A program that does not play is told with the cases that could not be measured, and the table
// is there all the same.
func TestFailuresAreTold(t *testing.T) {
	core := t.TempDir() + "/core"
	if code, _, errs := play(t, "-program", "/nosuch", "-core", core, "50j10l5"); code != 1 || !strings.Contains(errs, "/nosuch") {
		t.Errorf("exit %d, %q", code, errs)
	}
	code, out, errs := play(t, "-program", "/bin/true", "-core", core, "-no-floor", "50j10l5")
	if code != 1 || !strings.Contains(errs, "50j10l5") || !strings.Contains(errs, "FAILED") || !strings.Contains(out, "not measured") {
		t.Errorf("exit %d, %q\n%s", code, errs, out)
	}
}
