//go:build unix

package roms

import (
	"fmt"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// Beyond the bound, the game that was opened longest ago is forgotten; opening one again counts.
func TestOldestLinkGoes(t *testing.T) {
	links := Links(t.TempDir())
	began := time.Now().Add(-time.Hour)
	for n := range MaxLinks {
		name := links.at(fmt.Sprintf("%d.nds", n))
		must.Succeed(t, os.Symlink(fmt.Sprintf("/roms/%d.nds", n), name))
		setTime(t, name, began.Add(time.Duration(n)*time.Second))
	}
	for _, path := range []string{"/roms/0.nds", "/roms/new.nds"} {
		must.Succeed(t, links.Keep(path))
	}
	list, err := links.list()
	if err != nil || len(list) != MaxLinks {
		t.Fatalf("%d links, %v", len(list), err)
	}
	for _, k := range list {
		if k.to == "/roms/1.nds" {
			t.Error("the oldest is still there")
		}
	}
	if n := len(list); list[n-1].to != "/roms/new.nds" || list[n-2].to != "/roms/0.nds" {
		t.Errorf("the newest are %v", list[n-2:])
	}
}

// setTime sets when a link was made.
func setTime(t *testing.T, link string, at time.Time) {
	t.Helper()
	ts, err := unix.TimeToTimespec(at)
	must.Succeed(t, err)
	must.Succeed(t, unix.UtimesNanoAt(unix.AT_FDCWD, link, []unix.Timespec{ts, ts}, unix.AT_SYMLINK_NOFOLLOW))
}
