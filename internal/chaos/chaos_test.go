package chaos

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/testcore"
)

func TestMain(m *testing.M) { os.Exit(testcore.Main(m)) }

// program builds nettplay, with the race detector where this test has it.
func program(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "nettplay")
	args := []string{"build", "-tags", "nettplay_faults", "-o", path}
	if raceDetector {
		args = append(args, "-race")
	}
	cmd := exec.Command("go", append(args, "./cmd/nettplay")...)
	cmd.Dir = testcore.Root()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("building nettplay: %v\n%s", err, out)
	}
	return path
}

// TestChaos is the short version of "make chaos": few runs of known seeds, which have a
// kind of each sort between them. TestSimulation has the others, and many more games.
func TestChaos(t *testing.T) {
	if testing.Short() {
		t.Skip("it plays whole games")
	}
	seeds := []uint64{45, 22, 16, 75} // the longest first
	if os.Getenv("NETTPLAY_LONG") != "" {
		seeds = append(seeds, 1, 11, 32, 72)
	}
	runner := Runner{Program: program(t), Core: testcore.Path(t), Dir: t.TempDir(), Patient: 10}
	_, none := emucore.FindCore(t.Context(), "", nil)
	todo := make(chan uint64)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for seed := range todo {
				p := NewPlan(seed, Options{Short: true, DeSmuME: none == nil})
				o := runner.Run(t.Context(), p)
				t.Log(Summary(p, o))
				for _, wrong := range Judge(p, o) {
					t.Errorf("seed %d: %s", seed, wrong)
				}
				if t.Failed() {
					report(t, p, o)
				}
			}
		})
	}
	for _, seed := range seeds {
		todo <- seed
	}
	close(todo)
	wg.Wait()
}

// report shows what a failed run was, and what its machines said.
func report(t *testing.T, p Plan, o Outcome) {
	t.Log(p)
	for m, l := range o.Machines {
		t.Logf("%s, %s:\n%s", Name(m), l.Exit, l.Words)
	}
}
