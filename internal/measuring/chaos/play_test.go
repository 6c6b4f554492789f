package chaos

import (
	"fmt"
	"os"
	"sync/atomic"
	"testing"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/testing/child"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestChaos is the short version of "make chaos": few games of known seeds, which have a
// kind of each sort between them. TestSimulation has the others, and many more games.
func TestChaos(t *testing.T) {
	if !must.RaceDetector && os.Getenv("NETTPLAY_LONG") == "" {
		t.Skip("the build with the race detector plays it; NETTPLAY_LONG=1 does here, too")
	}
	t.Parallel()
	seeds := []uint64{45, 2730, 3247} // the longest first
	if os.Getenv("NETTPLAY_LONG") != "" {
		seeds = append(seeds, 1, 11, 32, 72)
	}
	dir := t.TempDir()
	runner := Runner{Dir: dir, Patient: 10}
	flags := []string{"-tags", "nettplay_faults"}
	if must.RaceDetector {
		flags = append(flags, "-race")
	}
	must.Succeed(t, child.Build(t.Context(), dir, &runner.Program, &runner.Core, flags...))
	var told atomic.Int64
	t.Cleanup(func() {
		if told.Load() == 0 {
			t.Error("no player was told of a save: the program says it otherwise than chaos expects")
		}
	})
	_, none := emucore.Search{}.Find(t.Context(), "")
	for _, seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			p := NewPlan(seed, Options{Short: true, DeSmuME: none == nil})
			o := runner.Run(t.Context(), p)
			t.Log(Summary(p, o))
			for _, l := range o.Machines {
				told.Add(int64(len(l.Told)))
			}
			for _, wrong := range Judge(p, o) {
				t.Error(wrong)
			}
			if !t.Failed() {
				return
			}
			t.Log(p)
			for m, l := range o.Machines {
				t.Logf("%s, %s:\n%s", Name(m), l.Exit, l.Words)
			}
		})
	}
}
