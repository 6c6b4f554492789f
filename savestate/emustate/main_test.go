package emustate

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/testcore"
)

func TestMain(m *testing.M) {
	code := testcore.Main(m)
	if n := workers(); n > 0 {
		fmt.Fprintf(os.Stderr, "the tests left %d worker processes\n", n)
		code = 1
	}
	os.Exit(code)
}

// workers counts our child processes.
func workers() (n int) {
	tasks, _ := filepath.Glob("/proc/self/task/*/children")
	for _, t := range tasks {
		b, _ := os.ReadFile(t)
		n += len(strings.Fields(string(b)))
	}
	return n
}

// noWorkersLeft fails a test that has more workers at its end than it had when
// this was called.
func noWorkersLeft(t *testing.T) {
	t.Helper()
	before := workers()
	t.Cleanup(func() {
		for range 6000 {
			if workers() <= before {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Errorf("%d workers before, %d after", before, workers())
	})
}
