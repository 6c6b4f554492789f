package saves

import (
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/must"
)

func TestNewGameHasNoSave(t *testing.T) {
	dir := memory(t)
	s := open(t, dir, Options{})
	if b, m, err := s.Current(); b != nil || m != nil || err != nil {
		t.Errorf("%d bytes, %v, %v", len(b), m, err)
	}
	wantList(t, s, "")
	if all, err := All(dir); len(all) != 0 || err != nil {
		t.Errorf("%d games have saves, %v", len(all), err)
	}
}

func TestSaveIsThereTheNextTime(t *testing.T) {
	dir := memory(t)
	at := &clock{time.Date(2026, 11, 21, 18, 30, 0, 5, time.UTC)}
	s := open(t, dir, Options{Now: at.Now})
	save(t, s, 1)
	save(t, s, 2)
	must.Succeed(t, s.Close())
	s = open(t, dir, Options{})
	b, m, err := s.Current()
	if err != nil || which(t, b) != 2 {
		t.Fatalf("%d bytes, %v", len(b), err)
	}
	if m.Room != "Evening" || !slices.Equal(m.Players, []string{"Ann", "Bob"}) || m.Frame != 120 ||
		!m.At.Equal(time.Date(2026, 11, 21, 18, 30, 0, 0, time.UTC)) || m.Origin != Played || m.ROM != padGame.SHA256 {
		t.Errorf("what is known of it: %+v", *m)
	}
	wantList(t, s, "2* 1")
}

// TestUnconfirmedIsKeptAndNotUsed: what a game left that ended badly.
func TestUnconfirmedIsKeptAndNotUsed(t *testing.T) {
	dir := memory(t)
	s := open(t, dir, Options{})
	save(t, s, 1)
	p := prepare(t, s, 2)
	wantList(t, s, "2? 1*")
	s.Close()
	if err := p.Commit(); !errors.Is(err, ErrClosed) {
		t.Errorf("committing after the end: %v", err)
	}

	s = open(t, dir, Options{})
	if n := current(t, s); n != 1 {
		t.Errorf("a game would start from %d", n)
	}
	wantList(t, s, "2? 1*")
	save(t, s, 3)
	wantList(t, s, "3* 2? 1")
	must.Succeed(t, s.Restore(numberOf(t, s, 2)))
	wantList(t, s, "2* 3 1")
	if _, m, _ := s.Current(); m.Origin != Restored || m.Frame != 120 || m.Room != "Evening" {
		t.Errorf("restored as %+v", *m)
	}
}

func TestDropLeavesNothing(t *testing.T) {
	s := open(t, memory(t), Options{})
	save(t, s, 1)
	p := prepare(t, s, 2)
	must.Succeed(t, errors.Join(p.Drop(), p.Drop()))
	if err := p.Commit(); !errors.Is(err, ErrDropped) {
		t.Errorf("committing it then: %v", err)
	}
	wantList(t, s, "1*")
	if f := files(t, s.Folder()); len(f) != 2 {
		t.Errorf("files: %v", f)
	}
	p = prepare(t, s, 3)
	if err := errors.Join(p.Commit(), p.Commit(), p.Drop()); err != nil {
		t.Error(err)
	}
	wantList(t, s, "3* 1")
}

// TestOrderOfTheGame: an earlier frame must not replace a later one.
func TestOrderOfTheGame(t *testing.T) {
	s := open(t, memory(t), Options{})
	save(t, s, 1)
	two, three := prepare(t, s, 2), prepare(t, s, 3)
	must.Succeed(t, three.Commit())
	if err := two.Commit(); !errors.Is(err, ErrSuperseded) {
		t.Errorf("committing the earlier one: %v", err)
	}
	wantList(t, s, "3* 1")

	same := prepare(t, s, 3) // nothing has changed
	save(t, s, 4)
	if err := same.Commit(); !errors.Is(err, ErrSuperseded) {
		t.Errorf("committing the earlier one: %v", err)
	}
	wantList(t, s, "4* 3 1")
}

// TestBackToTheSameContent: a game may undo what it saved.
func TestBackToTheSameContent(t *testing.T) {
	s := open(t, memory(t), Options{})
	save(t, s, 1)
	two, one := prepare(t, s, 2), prepare(t, s, 1)
	must.Succeed(t, errors.Join(two.Commit(), one.Commit()))
	wantList(t, s, "1* 2 1")
	save(t, s, 1)
	save(t, s, 1)
	wantList(t, s, "1* 2 1") // no generation for what did not change
}

func TestClockGoesBackwards(t *testing.T) {
	at := &clock{}
	s := open(t, memory(t), Options{Now: at.Now})
	for i, now := range []time.Time{
		time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC),
		{},
		time.Unix(1<<40, 0), time.Unix(-1<<40, 0),
	} {
		at.now = now
		save(t, s, i+1)
	}
	wantList(t, s, "5* 4 3 2 1")
}

func TestTenGenerationsAndNoMoreThanNeeded(t *testing.T) {
	dir := memory(t)
	n := 0
	for evening := range 15 {
		s := open(t, dir, Options{})
		for range 7 {
			n++
			save(t, s, n)
			if n%2 == 0 {
				n++
				prepare(t, s, n) // a game that is cut off
				s.Close()
				s = open(t, dir, Options{})
			}
		}
		if got := len(files(t, dir)); got > 2*(2*Generations+1+MaxPending) {
			t.Fatalf("evening %d: %d files", evening, got)
		}
		s.Close()
	}
	s := open(t, dir, Options{})
	all, _ := listOf(s.dir, blankSums{})
	confirmed := 0
	for _, e := range all {
		if e.Confirmed {
			confirmed++
		}
	}
	if confirmed != 2*Generations+1 || len(all)-confirmed != MaxPending {
		t.Errorf("%d saves, of which %d are not confirmed", len(all), len(all)-confirmed)
	}
	newest := 0
	for _, e := range all {
		if b, err := s.Read(e.Number); err != nil {
			t.Error(err)
		} else {
			newest = max(newest, which(t, b))
		}
	}
	if newest != n && newest != n-1 {
		t.Errorf("the newest is %d of %d", newest, n)
	}
}

// TestOneEveningDoesNotPushOutTheOnesBefore: a game that saves all the time.
func TestOneEveningDoesNotPushOutTheOnesBefore(t *testing.T) {
	dir := memory(t)
	for evening := 1; evening <= 3; evening++ {
		s := open(t, dir, Options{})
		for i := range 40 {
			save(t, s, evening*100+i)
		}
		s.Close()
	}
	s := open(t, dir, Options{})
	wantList(t, s, "339* 338 337 336 335 334 333 332 331 330 329 239 139")
}

func TestUnconfirmedArePushedOutOnlyByNewerOnes(t *testing.T) {
	dir := memory(t)
	for i := 1; i <= 14; i++ {
		s := open(t, dir, Options{})
		prepare(t, s, i)
		s.Close()
	}
	s := open(t, dir, Options{})
	wantList(t, s, "14? 13? 12? 11? 10? 9? 8? 7? 6? 5?")
	for i := 20; i < 50; i++ {
		save(t, s, i)
	}
	if got := list(t, s); !strings.HasSuffix(got, "14? 13? 12? 11? 10? 9? 8? 7? 6? 5?") {
		t.Errorf("after other saves: %s", got)
	}
}

func TestTooManyPendingIsRefused(t *testing.T) {
	s := open(t, memory(t), Options{})
	var last *Pending
	for i := range maxLive {
		last = prepare(t, s, i+1)
	}
	if _, err := s.Prepare(1, sram(99), About{}); err == nil || !strings.Contains(err.Error(), "wait to be committed") {
		t.Errorf("one more: %v", err)
	}
	must.Succeed(t, last.Drop())
	prepare(t, s, 99)
}

func TestPrepareRefuses(t *testing.T) {
	s := open(t, memory(t), Options{})
	if _, err := s.Prepare(0, nil, About{}); !errors.Is(err, ErrEmpty) {
		t.Errorf("nothing: %v", err)
	}
	if _, err := s.Prepare(0, make([]byte, MaxSize+1), About{}); err == nil {
		t.Error("more than a cartridge has was taken")
	}
	s.Close()
	if _, err := s.Prepare(0, sram(1), About{}); !errors.Is(err, ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}

// TestDamageIsSaid: a truncated save, a changed one, one that is gone, a text that
// is cut off.
func TestDamageIsSaid(t *testing.T) {
	for name, harm := range map[string]func(raw, text string) error{
		"cut off":        func(raw, _ string) error { return os.Truncate(raw, 100) },
		"empty":          func(raw, _ string) error { return os.Truncate(raw, 0) },
		"changed":        func(raw, _ string) error { return os.WriteFile(raw, sram(7), 0o600) },
		"gone":           func(raw, _ string) error { return os.Remove(raw) },
		"a folder":       func(raw, _ string) error { return errors.Join(os.Remove(raw), os.Mkdir(raw, 0o700)) },
		"text cut off":   func(_, text string) error { return os.Truncate(text, 60) },
		"text empty":     func(_, text string) error { return os.Truncate(text, 0) },
		"text too large": func(_, text string) error { return os.WriteFile(text, make([]byte, maxMeta+1), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := memory(t)
			s := open(t, dir, Options{})
			save(t, s, 1)
			save(t, s, 2)
			must.Succeed(t, harm(numbered(s.dir, 2, extSave), numbered(s.dir, 2, extCommitted)))
			s.Close()
			s = open(t, dir, Options{})
			var damaged *DamagedError
			if b, _, err := s.Current(); !errors.As(err, &damaged) || damaged.Number != 2 {
				t.Fatalf("a game would start from %d bytes, %v", len(b), err)
			}
			wantList(t, s, "!* 1")
			if err := s.Restore(2); !errors.As(err, &damaged) {
				t.Errorf("restoring it: %v", err)
			}
			must.Succeed(t, s.Restore(1))
			wantList(t, s, "1* ! 1")
			save(t, s, 3)
			if n := current(t, s); n != 3 {
				t.Errorf("after the next save a game would start from %d", n)
			}
		})
	}
}

func TestRestoreAndImportKeepWhatWasThere(t *testing.T) {
	s := open(t, memory(t), Options{})
	save(t, s, 1)
	save(t, s, 2)
	must.Succeed(t, s.Restore(1))
	must.Succeed(t, s.Import(sram(5), "/old/games/five.sav"))
	wantList(t, s, "5* 1 2 1")
	if _, m, _ := s.Current(); m.Origin != Imported || m.From != "five.sav" {
		t.Errorf("imported as %+v", *m)
	}
	if err := s.Import(sram(5), "x"); !errors.Is(err, ErrSame) {
		t.Errorf("importing the same: %v", err)
	}
	if err := s.Restore(77); !errors.Is(err, ErrNoSave) {
		t.Errorf("restoring what is not there: %v", err)
	}
	prepare(t, s, 6)
	if err := s.Import(sram(8), "x"); err == nil {
		t.Error("importing while a game saves went well")
	}
}

// TestGoroutines: a session prepares and commits off its own goroutine, and the
// screen lists meanwhile.
func TestGoroutines(t *testing.T) {
	dir := memory(t)
	s := open(t, dir, Options{})
	var all sync.WaitGroup
	stop := make(chan struct{})
	all.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			if _, err := listOf(s.dir, blankSums{}); err != nil {
				t.Error(err)
			}
			k, err := Peek(dir, padGame, Options{})
			if err != nil {
				t.Error(err)
				continue
			}
			// Read without the lock, while saves come and go.
			for i := 0; k != nil && i < len(k.Saves); i++ {
				if e := k.Saves[i]; e.Damage != nil {
					t.Errorf("save %d looks damaged: %v", e.Number, e.Damage)
				}
			}
		}
	})
	for i := 1; i <= 60; i++ {
		p := prepare(t, s, i)
		done := make(chan error)
		go func() { done <- p.Commit() }()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	close(stop)
	all.Wait()
	if n := current(t, s); n != 60 {
		t.Errorf("the last is %d", n)
	}
}

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

// fullDisk takes nothing while it is full.
type fullDisk struct{ full bool }

func (d *fullDisk) before(step, _ string) error {
	if d.full && (step == "create" || step == "write" || step == "mkdir") {
		return syscall.ENOSPC
	}
	return nil
}

// TestUnwrittenSave: what a full disk does not take is what the next game begins with, and
// is written as soon as there is room, whether or not its store is open.
func TestUnwrittenSave(t *testing.T) {
	for _, how := range []string{"in the next game", "when asked to", "when asked to, with the saves open"} {
		t.Run(how, func(t *testing.T) {
			dir, disk := t.TempDir(), &fullDisk{}
			o := Options{before: disk.before}
			var u Unwritten
			s := open(t, dir, o)
			save(t, s, 1)
			disk.full = true
			for n := 2; n <= 3; n++ { // the later one counts
				_, err := s.Prepare(9, sram(n), About{})
				if err == nil {
					t.Fatal("a full disk has taken a save")
				}
				u.Keep(s, 9, sram(n), About{}, true, err)
			}
			if list := u.List(); len(list) != 1 || list[0].Name != padGame.Title || list[0].Why == nil {
				t.Errorf("%+v", list)
			}
			if err := u.Retry(); err == nil {
				t.Error("a full disk has taken a save")
			}
			if b := u.Start(s); which(t, b) != 3 {
				t.Errorf("the next game begins with %d", which(t, b))
			}
			if how != "when asked to, with the saves open" {
				s.Close()
			}
			disk.full = false
			if how == "in the next game" {
				s = open(t, dir, o)
				if b := u.Start(s); b != nil {
					t.Error("the save is not on the disk yet")
				}
			} else if err := u.Retry(); err != nil {
				t.Error(err)
			}
			s.Close()
			if b, _, err := open(t, dir, o).Current(); err != nil || which(t, b) != 3 {
				t.Errorf("the current save is %d, %v", which(t, b), err)
			}
			if list := u.List(); len(list) != 0 {
				t.Errorf("%+v is in memory still", list)
			}
		})
	}
}

// TestUnwrittenIsNotConfirmed: what not all machines agreed on is kept beside the current
// save, and no game begins with it.
func TestUnwrittenIsNotConfirmed(t *testing.T) {
	disk := &fullDisk{}
	s := open(t, t.TempDir(), Options{before: disk.before})
	save(t, s, 1)
	var u Unwritten
	disk.full = true
	u.Keep(s, 9, sram(2), About{}, false, syscall.ENOSPC)
	if b := u.Start(s); b != nil {
		t.Errorf("a game begins with %d", which(t, b))
	}
	disk.full = false
	must.Succeed(t, u.Retry())
	if b, _, err := s.Current(); err != nil || which(t, b) != 1 {
		t.Errorf("the current save is %d, %v", which(t, b), err)
	}
}
