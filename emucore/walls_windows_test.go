package emucore

import (
	"errors"
	"os"
	"slices"
	"testing"

	"golang.org/x/sys/windows"
)

// recorder is a system that notes what it is asked, and fails at one call.
type recorder struct {
	calls []string
	fails string
}

var errRefused = errors.New("refused")

func (r *recorder) note(call string) error {
	r.calls = append(r.calls, call)
	if call == r.fails {
		return errRefused
	}
	return nil
}

func (r *recorder) makeJob(uint64) (windows.Handle, error) { return 1, r.note("job") }
func (r *recorder) makeToken() (windows.Token, error)      { return 2, r.note("token") }
func (r *recorder) create(windows.Token, walls, *launchPlan) (windows.ProcessInformation, error) {
	return windows.ProcessInformation{Process: 3, Thread: 4}, r.note("create")
}
func (r *recorder) assign(windows.Handle, windows.Handle) error { return r.note("assign") }
func (r *recorder) resume(windows.Handle) error                 { return r.note("resume") }
func (r *recorder) terminate(windows.Handle)                    { _ = r.note("terminate") }
func (r *recorder) find(int) (*os.Process, error)               { return nil, r.note("find") }
func (r *recorder) close(windows.Handle)                        {}

// TestWallsStandFirst: a worker runs once it is in its job, and with its token; and not at all where one call fails.
func TestWallsStandFirst(t *testing.T) {
	r := &recorder{}
	if _, err := launchBehind(r, walls{low: true}, &launchPlan{inherit: &inheritance{}}); err != nil {
		t.Fatal(err)
	}
	all := []string{"job", "token", "create", "assign", "find", "resume"}
	if !slices.Equal(r.calls, all) {
		t.Errorf("%q", r.calls)
	}
	for i, fails := range all {
		r := &recorder{fails: fails}
		if _, err := launchBehind(r, walls{low: true}, &launchPlan{inherit: &inheritance{}}); !errors.Is(err, errRefused) {
			t.Errorf("%s fails: %v", fails, err)
		}
		want := slices.Clone(all[:i+1])
		if i > 2 {
			want = append(want, "terminate")
		}
		if !slices.Equal(r.calls, want) {
			t.Errorf("%s fails: %q", fails, r.calls)
		}
	}
}
