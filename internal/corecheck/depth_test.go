package corecheck

import (
	"context"
	"errors"
	"os"
	"runtime"
	"testing"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/rollback"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
)

// TestDepth: a depth is measured with one console and with four, and nothing is left.
func TestDepth(t *testing.T) {
	core := model.Core(t, testcore.Path(t))
	t.Setenv("TMPDIR", t.TempDir())
	for _, n := range []int{1, MaxMeasured} {
		depth, err := Depth(t.Context(), core, n, nil)
		if err != nil || depth < 0 || depth > rollback.MaxDepth {
			t.Errorf("with %d consoles: %d, %v", n, depth, err)
		}
		t.Logf("with %d consoles %d frames", n, depth)
	}
	if len(emucore.SnapshotWays()) == 0 {
		t.Skipf("NOT TESTED on %s, which has no snapshots: how a measurement ends", runtime.GOOS)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("the player has left")
	cancel(gone)
	if _, err := Depth(ctx, core, 1, nil); !errors.Is(err, gone) {
		t.Errorf("given up: %v", err)
	}
	if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestRealDepth prints what this machine bears with the core that NETTPLAY_TEST_CORE names.
func TestRealDepth(t *testing.T) {
	path := os.Getenv("NETTPLAY_TEST_CORE")
	if path == "" {
		t.Skip("NETTPLAY_TEST_CORE is not set")
	}
	core := model.Core(t, path)
	for _, options := range append([][]ds.Option{nil}, others(core)...) {
		for n := 1; n <= MaxMeasured; n++ {
			depth, err := Depth(t.Context(), core, n, options)
			must.Succeed(t, err)
			t.Logf("%v: with %d consoles %d frames", options, n, depth)
		}
	}
}
