package saves

import (
	"syscall"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

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
