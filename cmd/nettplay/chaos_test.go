package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/chaos"
	"github.com/nettplay/nettplay/internal/must"
	"github.com/nettplay/nettplay/internal/testcore"
)

// TestChaos is the short version of "make chaos": few games of known seeds, which have a
// kind of each sort between them. chaos.TestSimulation has the others, and many more games.
func TestChaos(t *testing.T) {
	if !withFaults {
		t.Skip("consoles go wrong only with -tags nettplay_faults")
	}
	if !must.RaceDetector && os.Getenv("NETTPLAY_LONG") == "" {
		t.Skip("the build with the race detector plays it; NETTPLAY_LONG=1 does here, too")
	}
	t.Parallel()
	seeds := []uint64{45, 2730, 3247} // the longest first
	if os.Getenv("NETTPLAY_LONG") != "" {
		seeds = append(seeds, 1, 11, 32, 72)
	}
	dir := t.TempDir()
	runner := chaos.Runner{Program: filepath.Join(dir, "nettplay"), Core: testcore.Path(t), Dir: dir, Patient: 10}
	must.Succeed(t, program(runner.Program))
	var told atomic.Int64
	t.Cleanup(func() {
		if told.Load() == 0 {
			t.Error("no player was told of a save: the program says it otherwise than chaos expects")
		}
	})
	_, none := emucore.FindCore(t.Context(), "", nil)
	for _, seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			p := chaos.NewPlan(seed, chaos.Options{Short: true, DeSmuME: none == nil})
			o := runner.Run(t.Context(), p)
			t.Log(chaos.Summary(p, o))
			for _, l := range o.Machines {
				told.Add(int64(len(l.Told)))
			}
			for _, wrong := range chaos.Judge(p, o) {
				t.Error(wrong)
			}
			if !t.Failed() {
				return
			}
			t.Log(p)
			for m, l := range o.Machines {
				t.Logf("%s, %s:\n%s", chaos.Name(m), l.Exit, l.Words)
			}
		})
	}
}
