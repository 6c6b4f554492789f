package emucore

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
)

// TestHugePages: a console asks for huge pages, where it makes no snapshots.
func TestHugePages(t *testing.T) {
	if enabled, _ := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled"); sanitized || !strings.Contains(string(enabled), "[madvise]") {
		t.Skip("SKIPPED: this system gives huge pages to all or to nobody")
	}
	asks := func(c *Console) bool {
		maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps", c.proc.pid()))
		if os.IsPermission(err) {
			t.Skip("SKIPPED: only root sees a worker's memory")
		}
		must.Succeed(t, err)
		for line := range strings.Lines(string(maps)) {
			if flags, is := strings.CutPrefix(line, "VmFlags:"); is && strings.Contains(flags, " hg") {
				return true
			}
		}
		return false
	}
	if !asks(mustWorld(t)) {
		t.Error("no memory of a console may be in huge pages")
	}
	needSnapshots(t)
	cfg := snapshotConfig(t, opened(t, testcore.Path(t)), "pad.nds", nil)
	if asks(started(t, cfg)) {
		t.Error("memory of a console that makes snapshots may be in huge pages")
	}
}
