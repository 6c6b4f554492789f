package saves

import (
	"errors"
	"strings"
	"syscall"
	"testing"
)

// TestDropAfterALateFailure: the rename was done, only the sync behind it was not.
func TestDropAfterALateFailure(t *testing.T) {
	f := &faults{}
	s := open(t, memory(t), Options{before: f.before})
	save(t, s, 1)
	p := prepare(t, s, 2)
	f.count, f.at, f.do = 0, 2, func() error { return syscall.EIO }
	if err := p.Commit(); !errors.Is(err, syscall.EIO) {
		t.Fatalf("committing: %v, steps %v", err, f.steps)
	}
	if err := p.Drop(); !errors.Is(err, ErrCommitted) {
		t.Errorf("dropping: %v", err)
	}
	wantList(t, s, "2* 1")
}

// TestGameWithTheSameBeginning: folders have only the first digits in their names.
func TestGameWithTheSameBeginning(t *testing.T) {
	dir := memory(t)
	s := open(t, dir, Options{})
	save(t, s, 1)
	s.Close()
	other := padGame
	other.SHA256[31] = 1
	if _, err := Open(dir, other, Options{}); err == nil || !strings.Contains(err.Error(), "saves of another game") {
		t.Errorf("opening another game's saves: %v", err)
	}
}
