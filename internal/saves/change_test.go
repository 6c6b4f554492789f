package saves

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// A save that is set aside stays, however much is saved later and however often the folder is tidied;
// it counts as no save.
func TestSetAside(t *testing.T) {
	dir := memory(t)
	at := &clock{time.Date(2026, 11, 21, 18, 30, 5, 0, time.UTC)}
	s := open(t, dir, Options{Now: at.Now})
	save(t, s, 1)
	sram, _, err := s.Current()
	must.Succeed(t, err)
	path, err := s.SetAside(sram)
	if err != nil || filepath.Base(path) != "set aside 2026-11-21 18.30.05.sav" {
		t.Fatalf("%s, %v", path, err)
	}
	if again, err := s.SetAside(sram); err != nil || again != path {
		t.Errorf("the same again is %s, %v", again, err)
	}
	if other, err := s.SetAside(sram[1:]); err != nil || filepath.Base(other) != "set aside 2026-11-21 18.30.05-2.sav" {
		t.Errorf("another is %s, %v", other, err)
	}
	for n := range 3 * Generations {
		save(t, s, 2+n)
	}
	s.Close()
	s = open(t, dir, Options{})
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, sram) {
		t.Errorf("it is gone: %v", err)
	}
	if _, m, err := s.Current(); err != nil || m == nil {
		t.Errorf("the saves beside: %v", err)
	}
	s.Close()
	if _, err := s.SetAside(sram); !errors.Is(err, ErrClosed) {
		t.Errorf("set aside after the end: %v", err)
	}
}

// An older save is deleted, and can be used again until ten newer ones are deleted; deleted again it is gone. Neither
// counts among the saves that are kept, nor does any game begin with one.
func TestDiscard(t *testing.T) {
	dir := memory(t)
	s := open(t, dir, Options{})
	for n := range 3 {
		save(t, s, n+1)
	}
	left := prepare(t, s, 4)
	number := func(which int) int {
		t.Helper()
		list, err := listOf(s.dir, blankSums{})
		must.Succeed(t, err)
		for _, v := range list {
			if b, err := s.Read(v.Number); err == nil && int(b[0]) == which && !v.Deleted {
				return v.Number
			}
		}
		t.Fatalf("%d is not there", which)
		return 0
	}
	one, two := number(1), number(2)
	if err := s.Discard(number(3)); err == nil {
		t.Error("the save that a game begins with is discarded")
	}
	if err := s.Discard(left.n); err == nil {
		t.Error("a save that is being written is discarded")
	}
	if err := s.Discard(99); !errors.Is(err, ErrNoSave) {
		t.Errorf("one that is not there: %v", err)
	}
	must.Succeed(t, errors.Join(left.Drop(), s.Discard(two), s.Discard(one)))
	s.Close()
	s = open(t, dir, Options{})
	if got := current(t, s); got != 3 {
		t.Errorf("a game begins with %d", got)
	}
	list, err := listOf(s.dir, blankSums{})
	must.Succeed(t, err)
	if len(list) != 3 || list[0].Deleted || !list[1].Deleted || !list[2].Deleted || list[1].Current || Began(list).Number != list[0].Number {
		t.Errorf("the list is %+v", list)
	}
	must.Succeed(t, s.Restore(two))
	if got := current(t, s); got != 2 {
		t.Errorf("restored is %d", got)
	}
	must.Succeed(t, s.Discard(one)) // for good
	if _, err := s.Read(one); !errors.Is(err, ErrNoSave) {
		t.Errorf("deleted twice it is still there: %v", err)
	}
	for n := range MaxDeleted + 3 { // more than are kept
		before := current(t, s)
		save(t, s, 10+n)
		must.Succeed(t, s.Discard(number(before)))
	}
	list, err = listOf(s.dir, blankSums{})
	must.Succeed(t, err)
	deleted := 0
	for _, v := range list {
		deleted += bitOf(v.Deleted)
	}
	if deleted != MaxDeleted {
		t.Errorf("%d deleted ones are kept", deleted)
	}
	s.Close()
	if err := s.Discard(one); !errors.Is(err, ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
}

func bitOf(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Two saves of one minute are told apart by their seconds.
func TestSameMinute(t *testing.T) {
	at := func(n, sec int) Save {
		return Save{Number: n, Meta: Meta{At: time.Date(2026, 11, 21, 18, 30, sec, 0, time.UTC)}}
	}
	list := []Save{at(1, 5), at(2, 59), at(3, 60)}
	for i, want := range []bool{true, true, false} {
		if SameMinute(list, &list[i]) != want {
			t.Errorf("save %d shares its minute: %v", list[i].Number, !want)
		}
	}
}
