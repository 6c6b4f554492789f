package saves

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// killed is what a test throws where the program is to end.
type killed struct{}

// faults lets the disk do something else before one of its steps.
type faults struct {
	at    int // the step, from 1 on; 0: none
	count int
	do    func() error
	steps []string
}

func (f *faults) before(step, path string) error {
	f.count++
	f.steps = append(f.steps, step+" "+filepath.Base(path))
	if f.count == f.at {
		return f.do()
	}
	return nil
}

// scene is what is done to the saves of a game, from open to close.
type scene struct {
	name  string
	file  bool
	setup func(t *testing.T, s *Store, file string)
	act   func(t *testing.T, s *Store) error
	// before and after are the current saves that may be found when the scene was
	// cut off; after is the one found when it was not.
	before, after int
}

func scenes() []scene {
	first := func(t *testing.T, s *Store, _ string) {
		save(t, s, 1)
		save(t, s, 2)
	}
	commit := func(_ *testing.T, s *Store) error {
		p, err := s.Prepare(9, sram(3), About{})
		if err != nil {
			return err
		}
		return p.Commit()
	}
	many := func(t *testing.T, s *Store, _ string) {
		for i := 1; i <= Generations+1; i++ {
			save(t, s, i)
		}
		prepare(t, s, 50)
	}
	foreign := func(t *testing.T, s *Store, file string) {
		save(t, s, 1)
		save(t, s, 2)
		must.Succeed(t, os.WriteFile(file, sram(40), 0o600))
	}
	return []scene{
		{"first save", false, func(*testing.T, *Store, string) {}, commit, 0, 3},
		{"commit", false, first, commit, 2, 3},
		{"commit with surplus", false, many, commit, Generations + 1, 3},
		{"restore", false, first, func(t *testing.T, s *Store) error { return s.Restore(1) }, 2, 1},
		{"drop", false, first, func(_ *testing.T, s *Store) error {
			p, err := s.Prepare(9, sram(3), About{})
			if err != nil {
				return err
			}
			return p.Drop()
		}, 2, 2},
		{"first save in a file", true, func(*testing.T, *Store, string) {}, commit, 0, 3},
		{"commit to a file", true, first, commit, 2, 3},
		{"commit to a file that somebody changed", true, foreign, commit, 40, 3},
		{"restore a file", true, first, func(t *testing.T, s *Store) error { return s.Restore(1) }, 2, 1},
	}
}

// play plays a scene with a disk that goes wrong at one step, and looks what the
// next program finds.
func (sc scene) play(t *testing.T, f *faults) {
	dir, file := memory(t), ""
	if sc.file {
		file = filepath.Join(memory(t), "ann.sav")
	}
	s := open(t, dir, Options{File: file})
	sc.setup(t, s, file)
	s.Close()

	err := func() (err error) {
		var s *Store
		defer func() {
			if r := recover(); r != nil {
				if _, ok := r.(killed); !ok {
					panic(r)
				}
				err = errors.New("killed")
			}
			if s != nil {
				s.lock.Close() // as the kernel does
			}
		}()
		s, err = Open(dir, padGame, Options{File: file, before: f.before})
		if err != nil {
			return err
		}
		return sc.act(t, s)
	}()

	s = open(t, dir, Options{File: file})
	defer s.Close()
	now := current(t, s)
	switch {
	case err == nil && now != sc.after:
		t.Errorf("the current save is %d, not %d", now, sc.after)
	case now != sc.before && now != sc.after:
		t.Errorf("after %q the current save is %d, neither %d nor %d", err, now, sc.before, sc.after)
	}
	l := list(t, s)
	if strings.Contains(l, "!") {
		t.Errorf("saves are %s", l)
	}
	if sc.before != 0 && !strings.Contains(" "+strings.ReplaceAll(l, "*", "")+" ", fmt.Sprintf(" %d ", sc.before)) {
		t.Errorf("save %d is lost: %s", sc.before, l)
	}
	wantPairs(t, s.Folder())
	if file != "" {
		wantBeside(t, file)
	}
	save(t, s, 60) // and the next save is as good as ever
	if n := current(t, s); n != 60 {
		t.Errorf("the next save does not count, but %d", n)
	}
}

// wantBeside wants nothing beside a file but what was before.
func wantBeside(t *testing.T, file string) {
	t.Helper()
	for _, name := range files(t, filepath.Dir(file)) {
		if name != filepath.Base(file) && name != filepath.Base(file)+".bak" {
			t.Errorf("%s is left beside it", name)
		}
	}
}

// TestEveryStep ends the program before each step that changes the disk, and lets
// each of them fail as on a full or broken one.
func TestEveryStep(t *testing.T) {
	for _, sc := range scenes() {
		for name, do := range map[string]func() error{
			"killed": func() error { panic(killed{}) },
			"full":   func() error { return syscall.ENOSPC },
		} {
			t.Run(sc.name+"/"+name, func(t *testing.T) {
				if name == "killed" {
					must.HaveLinux(t, "a file that stays open does not stay in the way there")
				}
				whole := &faults{}
				sc.play(t, whole)
				if whole.count < 5 {
					t.Fatalf("only %d steps: %v", whole.count, whole.steps)
				}
				for at := 1; at <= whole.count; at++ {
					f := &faults{at: at, do: do}
					sc.play(t, f)
					if f.count < at {
						t.Errorf("step %d was never done", at)
					}
					if t.Failed() {
						t.Fatalf("with step %d: %s", at, f.steps[at-1])
					}
				}
			})
		}
	}
}

// TestTryAgain: a commit that failed at any step can be tried again.
func TestTryAgain(t *testing.T) {
	for _, named := range []bool{false, true} {
		for at := 1; ; at++ {
			dir, file := memory(t), ""
			if named {
				file = filepath.Join(memory(t), "ann.sav")
			}
			f := &faults{do: func() error { return syscall.EIO }}
			s := open(t, dir, Options{File: file, before: f.before})
			save(t, s, 1)
			p := prepare(t, s, 2)
			f.count, f.at, f.steps = 0, at, nil
			failed := p.Commit()
			f.at = 0
			if f.count < at {
				break // there are no more steps
			}
			if failed != nil && !errors.Is(failed, syscall.EIO) {
				t.Errorf("step %d: %v", at, failed)
			}
			if err := p.Commit(); err != nil {
				t.Fatalf("trying again after step %d (%s): %v", at, f.steps[at-1], err)
			}
			wantList(t, s, "2* 1")
			if _, m, _ := s.Current(); m.Origin != Played {
				t.Errorf("step %d (%s): the save is said to be %s", at, f.steps[at-1], m.Origin)
			}
			s.Close()
		}
	}
}

// TestPrepareThatFailsLeavesNothing, not even until the next start.
func TestPrepareThatFailsLeavesNothing(t *testing.T) {
	for at := 1; ; at++ {
		dir, file := memory(t), filepath.Join(memory(t), "ann.sav")
		f := &faults{do: func() error { return syscall.ENOSPC }}
		s := open(t, dir, Options{File: file, before: f.before})
		save(t, s, 1)
		f.count, f.at, f.steps = 0, at, nil
		p, err := s.Prepare(1, sram(2), About{})
		f.at = 0
		if f.count < at {
			break
		}
		if err == nil { // what failed was tidying up
			must.Succeed(t, p.Commit())
			s.Close()
			continue
		}
		if !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("step %d: %v", at, err)
		}
		wantList(t, s, "1*")
		wantPairs(t, s.Folder())
		wantFile(t, file, 1)
		s.Close()
	}
}

// TestFolderThatCannotBeWritten: the error names it.
func TestFolderThatCannotBeWritten(t *testing.T) {
	must.HaveLinux(t, "a folder that its owner may not write to")
	notFolder := filepath.Join(t.TempDir(), "a file")
	must.Succeed(t, os.WriteFile(notFolder, nil, 0o600))
	readOnly := t.TempDir()
	must.Succeed(t, os.Chmod(readOnly, 0o500))
	for _, dir := range []string{filepath.Join(notFolder, "saves"), filepath.Join(readOnly, "saves"), "/proc/nettplay"} {
		if dir == filepath.Join(readOnly, "saves") && os.Getuid() == 0 {
			continue // root may write there
		}
		_, err := Open(dir, padGame, Options{})
		if err == nil || !strings.Contains(err.Error(), filepath.Dir(dir)) || !strings.Contains(err.Error(), "PAD TEST") {
			t.Errorf("%s: %v", dir, err)
		}
		if dir == filepath.Join(notFolder, "saves") && !strings.Contains(err.Error(), notFolder+" is a file where your saves need a folder") {
			t.Errorf("a file in its way: %v", err)
		}
	}
}
