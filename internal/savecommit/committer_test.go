package savecommit

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// The last save of a console that cannot be asked any more counts as of the frame after
// which it was seen, and not of the older one after which it changed: a save of that frame
// may be there already.
func TestLastKnownSave(t *testing.T) {
	v := newSnapshots()
	v.note(game.Hashed{Seat: 1, Frame: 240, SRAM: []byte{1}})
	v.note(game.Hashed{Seat: 1, Frame: 270})
	v.note(game.Hashed{Seat: 0, Frame: 300})
	if last := v.last(1); last.frame != 270 || !slices.Equal(last.sram, []byte{1}) {
		t.Errorf("%+v", last)
	}
	if last := v.last(0); last.sram != nil {
		t.Errorf("%+v of a cartridge that did not change", last)
	}
}

// around is a session with one seat of its own, in whose game a committer works.
type around struct {
	told  []string // what the room was told, with why
	jobs  sync.WaitGroup
	calls chan func()
}

func (a *around) Background(job func() (after, drop func())) {
	a.jobs.Go(func() {
		if after, _ := job(); after != nil {
			a.calls <- after
		}
	})
}

func (a *around) Seats() []game.SeatState           { return []game.SeatState{{Mine: true, Dead: true}} }
func (a *around) Console(ds.Seat) int               { return 1 }
func (a *around) About() saves.About                { return saves.About{} }
func (a *around) Written(_ int64, why string)       { a.told = append(a.told, why) }
func (a *around) Committed(int64)                   { a.told = append(a.told, "") }
func (a *around) Saved(int64)                       {}
func (a *around) NotCommitted(_ ds.Seat, err error) { a.told = append(a.told, err.Error()) }
func (a *around) Say(format string, args ...any) {
	a.told = append(a.told, fmt.Sprintf(format, args...))
}

// jobsDone waits for all background jobs, and takes what they hand over.
func (a *around) jobsDone() {
	for again := true; again; {
		a.jobs.Wait() // there is room for what is handed over
		for again = false; len(a.calls) > 0; again = true {
			(<-a.calls)()
		}
	}
}

// aboutToCommit is a committer in whose game something was just written into its cartridge.
func aboutToCommit(t *testing.T) (*Committer, *around, *saves.Store) {
	t.Helper()
	cartridge := model.ROM(t, romstest.Pad)
	store, err := saves.Open(t.TempDir(), saves.GameOf(cartridge), saves.Options{})
	must.Succeed(t, err)
	a := &around{calls: make(chan func(), 64)}
	c := New(a, new(saves.Unwritten))
	t.Cleanup(c.Close)
	c.SetPlace(1, Place{rom: cartridge.SHA256, store: store})
	c.Note(game.Hashed{Seat: 0, Frame: 100, SRAM: bytes.Repeat([]byte{7}, 512)})
	return c, a, store
}

// When a connection breaks while saves are written, the room's order comes again, and what was
// said of the first one counts: the save is the current one all the same, and the room is
// not told so before.
func TestAnOrderToCommitComesTwice(t *testing.T) {
	c, a, store := aboutToCommit(t)
	c.Write(120)
	c.Write(120) // while it is written
	a.jobsDone()
	c.Write(120) // and after that
	c.Commit(120)
	a.jobsDone()
	if sram, _, err := store.Current(); len(sram) != 512 || err != nil {
		t.Errorf("the save is not current: %d bytes, %v", len(sram), err)
	}
	if len(a.told) != 3 {
		t.Errorf("the room was told %q", a.told)
	}
	c.Commit(120)
	a.jobsDone()
	if len(a.told) != 4 {
		t.Errorf("that it is current was told %d times", len(a.told)-2)
	}
}

// A commit that comes while the save is still written is done when it is.
func TestACommitWaitsForTheDisk(t *testing.T) {
	c, a, store := aboutToCommit(t)
	c.Write(120)
	c.Commit(120)
	if len(a.told) != 0 {
		t.Errorf("the room was told %q before anything was written", a.told)
	}
	a.jobsDone()
	if sram, _, err := store.Current(); len(sram) != 512 || err != nil {
		t.Errorf("the save is not current: %d bytes, %v", len(sram), err)
	}
}

// refused is a committer whose commit the disk did not take, and what has the disk take files again.
func refused(t *testing.T) (c *Committer, a *around, store *saves.Store, mend func()) {
	t.Helper()
	c, a, store = aboutToCommit(t)
	c.Write(120)
	a.jobsDone()
	away := store.Folder() + ".away"
	must.Succeed(t, os.Rename(store.Folder(), away))
	c.Commit(120)
	a.jobsDone()
	return c, a, store, func() { must.Succeed(t, os.Rename(away, store.Folder())) }
}

// A commit that fails is told, gives nothing up, and is done when the order comes again.
func TestACommitIsTriedAgain(t *testing.T) {
	c, a, store, mend := refused(t)
	if len(a.told) != 2 || !strings.Contains(a.told[1], "could not be made the current one") {
		t.Errorf("told %q", a.told)
	}
	mend()
	c.Commit(120)
	a.jobsDone()
	if sram, _, err := store.Current(); len(sram) != 512 || err != nil || len(a.told) != 3 {
		t.Errorf("the save is not current: %d bytes, %v; told %q", len(sram), err, a.told)
	}
}

// What the others have made their current save, and the disk did not take here, is made current
// at the game's end, though another order has come since.
func TestACommitIsTriedAgainAtTheGamesEnd(t *testing.T) {
	for _, later := range []bool{false, true} {
		c, a, store, mend := refused(t)
		if later {
			c.Write(150)
			a.jobsDone()
		}
		mend()
		c.AtEnd(false)
		if sram, meta, err := store.Current(); len(sram) != 512 || err != nil || meta.Frame != 120 {
			t.Errorf("the save is not current: %d bytes, %v; told %q", len(sram), err, a.told)
		}
	}
}

// A write after the frame of a commit is committed the next time; so is one that could not
// be committed.
func TestLaterChangesAreCommittedNextTime(t *testing.T) {
	v := newSnapshots()
	write := func(frame int64) {
		v.note(game.Hashed{Seat: 0, Frame: frame, Hash: ds.Hash{SRAM: uint64(frame)}})
	}
	write(0)
	write(30)
	write(60)
	v.committedUpTo(30)
	if v.changed != 60 || v.first != 31 {
		t.Errorf("kept as of frame 30: changed from %d to %d", v.first, v.changed)
	}
	v.committedUpTo(60)
	if v.changed != -1 {
		t.Errorf("all is kept, and frame %d is not", v.changed)
	}
	write(90)
	if v.changed != 90 || v.first != 90 {
		t.Errorf("changed from %d to %d", v.first, v.changed)
	}
}

// The other players are told why a save could not be written, and nothing of our folders.
func TestOthersSeeNoFolders(t *testing.T) {
	c, a, store := aboutToCommit(t)
	must.Succeed(t, os.Rename(store.Folder(), store.Folder()+".away"))
	c.Write(120)
	a.jobsDone()
	if len(a.told) != 2 || !strings.Contains(a.told[0], store.Folder()) || strings.ContainsAny(a.told[1], `/\`) || !strings.HasSuffix(a.told[0], ": "+a.told[1]) {
		t.Errorf("we and the room were told %q", a.told)
	}
}
