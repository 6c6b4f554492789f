package corecheck

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
)

func TestMain(m *testing.M) { os.Exit(testcore.Main(m)) }

// fault is what goes wrong in one console of some runs of the test core, whose radio is in use.
type fault struct {
	runs    []int // nil: all
	seat    ds.Seat
	options string // "desync_at 30 desync_what video"
}

func (f fault) config(core emucore.Core) Config {
	return Config{Core: core, TestOptions: func(run int, seat ds.Seat) map[string]string {
		all := map[string]string{"testcore_radio": "mac", "testcore_mac": fmt.Sprintf("00:09:bf:00:00:%02x", int(seat))}
		if f.options != "" && seat == f.seat && (f.runs == nil || slices.Contains(f.runs, run)) {
			words := strings.Fields(f.options)
			for i := 0; i < len(words); i += 2 {
				all["testcore_"+words[i]] = words[i+1]
			}
		}
		return all
	}}
}

// brief is a plan for cores that find each other at once.
var brief = plan{rom: together.rom, radio: true, split: 20, end: 30, every: 10, turns: 40, returning: [][]ds.Option{nil}}

// TestVerdicts: an honest core passes, and each way to go wrong fails the part that it spoils,
// with a reason. Nothing is left behind.
func TestVerdicts(t *testing.T) {
	core := model.Core(t, testcore.Path(t))
	t.Setenv("TMPDIR", t.TempDir())
	for _, tt := range []struct {
		fault
		results string
		why     string
	}{
		{fault{}, "pppp", ""},
		{fault{nil, 1, "radio off"}, "pplp", "did not hear each other"},
		// A difference in the second console reaches the first by radio, and is seen there first.
		{fault{nil, 0, "stash enabled"}, "pppl", "as they must for rollback: frame "},
		{fault{[]int{backRun}, 1, "desync_at 33 desync_what video"}, "pppl", "frame 33 of console 2 is another one"},
		{fault{[]int{backRun}, 0, "desync_at 21 desync_what air"}, "pppl", "frame 21 of console 2 is another one"},
		{fault{[]int{backRun}, 0, "threads 1"}, "pppl", "the core has threads"},
		{fault{[]int{backRun}, 0, "fault segv fault_at 25"}, "pppl", "crashed"},
		{fault{[]int{secondRun}, 0, "desync_at 12 desync_what hash"}, "f---", "console 1 differs within 20 frames after the start (main RAM)"},
		{fault{[]int{secondRun}, 1, "desync_at 19 desync_what video"}, "f---", "console 2 differs within 20 frames after the start (the picture)"},
		{fault{[]int{fourthRun}, 0, "desync_at 25 desync_what hash"}, "pf--", "console 1 differs within 10 frames after the state was loaded (main RAM)"},
		{fault{nil, 0, "wall_clock cycles"}, "f---", "after the start"},
		{fault{nil, 1, "fault segv fault_at 13"}, "f---", "The core crashed when two consoles played with it"},
		{fault{nil, 1, "fault segv fault_at load"}, "f---", "The core crashed"},
		{fault{nil, 0, "fault abort fault_at serialize"}, "-f--", "The core crashed when a state was saved or loaded"},
		{fault{nil, 1, "fault exit fault_at unserialize"}, "pf--", "The core crashed when a state was saved or loaded"},
	} {
		t.Run(strings.TrimSpace(tt.options+" "+fmt.Sprint(tt.runs)), func(t *testing.T) {
			if tt.options != "" && tt.options != "radio off" {
				must.HaveLinux(t, "what goes wrong in the test core")
			}
			if len(emucore.SnapshotWays()) == 0 {
				tt.results = tt.results[:Back] + "-"
			}
			v, err := tt.config(core).run(t.Context(), brief)
			must.Succeed(t, err)
			got := strings.Fields(format([]Verdict{v}))[2]
			if got != tt.results || !strings.Contains(v.Why, tt.why) || (v.Why == "") != (tt.why == "") || v.Core != core.SHA256 {
				t.Errorf("%s: %s, want %s with %q", got, v.Why, tt.results, tt.why)
			}
			if v.Failed() != strings.Contains(tt.results, "f") || !strings.HasSuffix(v.Words(), ".") {
				t.Errorf("failed: %v, %q", v.Failed(), v.Words())
			}
		})
	}
	if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestHang: a core that never comes back is waited for as long as in a game, and no longer.
func TestHang(t *testing.T) {
	must.HaveLinux(t, "a core that never comes back")
	t.Parallel()
	v, err := fault{nil, 1, "fault sleep fault_at 5"}.config(model.Core(t, testcore.Path(t))).run(t.Context(), brief)
	if err != nil || v.Results != [parts]Result{Failed} || !strings.Contains(v.Why, "The core gave no answer when two consoles played with it") {
		t.Errorf("%+v, %v", v, err)
	}
}

// TestEnd: a check that the player does not wait for ends at once, and is no verdict.
func TestEnd(t *testing.T) {
	core := model.Core(t, testcore.Path(t))
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("the player has left")
	told := 0
	cfg := fault{}.config(core)
	cfg.Tell = func(done, all int) {
		if told++; done == 1 {
			cancel(gone)
		}
	}
	v, err := cfg.run(ctx, brief)
	if !errors.Is(err, gone) || v != (Verdict{}) || told != 2 {
		t.Errorf("%+v, %v; told %d times", v, err, told)
	}
}

// TestPacketsAlone: runs in which only the packets differ fail the radio.
func TestPacketsAlone(t *testing.T) {
	a := run{looks: []look{{frame: 10, chain: 1}, {frame: 20, chain: 2}}}
	b := run{looks: []look{{frame: 10, chain: 1}, {frame: 20, chain: 3}}}
	if d := a.differs(&b, "the start"); d == nil || d.part != Radio || d.words != "the consoles' radio packets differ within 20 frames after the start" {
		t.Errorf("%v", d)
	}
	if d := a.differs(&a, "the start"); d != nil {
		t.Errorf("a run differs from itself: %v", d)
	}
}

// TestDefaultCore: the default core is the same twice, on this very machine.
func TestDefaultCore(t *testing.T) {
	if os.Getenv("NETTPLAY_LONG") == "" {
		t.Skip("NOT TESTED: it takes ten seconds, and programs check it in cmd/nettplay's script sram; NETTPLAY_LONG=1 runs it")
	}
	core, err := emucore.Search{}.Find(t.Context(), "desmume")
	if err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	v, err := Run(t.Context(), Config{Core: core})
	if err != nil || v.Results != [parts]Result{Passed, Passed, NotTried, Passed} || v.Why != "" || v.Unlike != "" {
		t.Errorf("%+v, %v", v, err)
	}
	if want, known := core.KnownFingerprint(); known && want != v.Fingerprint {
		t.Errorf("its fingerprint is %x, and the profile has %x: the recipe has changed, or the core is not what its profile says", v.Fingerprint, want)
	}
}

// TestRealCore: the core that NETTPLAY_TEST_CORE names passes all of it.
func TestRealCore(t *testing.T) {
	path := os.Getenv("NETTPLAY_TEST_CORE")
	if path == "" {
		t.Skip("NETTPLAY_TEST_CORE is not set")
	}
	core := model.Core(t, path)
	v, err := Run(t.Context(), Config{Core: core})
	if err != nil || v.Failed() || v.Why != "" || v.Unlike != "" || (v.Results[Radio] == Passed) != core.Wireless || v.Results[Back] != Passed {
		t.Errorf("%+v, %v", v, err)
	}
	t.Logf("%x: %s", v.Fingerprint, v.Words())
}
