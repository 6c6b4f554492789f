package app

import (
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// The first window hears what is opened, the second one does not, and when the first has gone another
// takes its place, also after one that was killed.
func TestFirstWindowIsOffered(t *testing.T) {
	must.HaveLinux(t, "sockets with a path, which Wine lacks")
	path := filepath.Join(t.TempDir(), "nettplay", "window")
	if OfferLinks(path, "nettplay://join/1") {
		t.Error("taken, and nobody listens")
	}
	var heard []string
	take := func(what string) bool {
		heard = append(heard, what)
		return what != "/busy.nplog"
	}
	first, err := ListenForLinks(path, take)
	must.Succeed(t, err)
	if _, err := ListenForLinks(path, take); !errors.Is(err, ErrOtherWindow) {
		t.Errorf("the second window: %v", err)
	}
	if !OfferLinks(path, "nettplay://join/1") || OfferLinks(path, "/busy.nplog") {
		t.Error("what it took was refused, or the other way round")
	}
	first.Close()
	first.Close()
	if len(heard) != 2 || heard[0] != "nettplay://join/1" || heard[1] != "/busy.nplog" {
		t.Errorf("it heard %q", heard)
	}
	killed, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
	must.Succeed(t, err)
	killed.SetUnlinkOnClose(false)
	_ = killed.Close()
	next, err := ListenForLinks(path, take)
	if err != nil {
		t.Fatalf("after one that was killed: %v", err)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("its folder is open to others: %v, %v", info, err)
	}
	next.Close()
	(*Door)(nil).Close()
}

// A line that is no offer is not answered, and the next one is.
func TestGarbageIsDropped(t *testing.T) {
	must.HaveLinux(t, "sockets with a path, which Wine lacks")
	path := filepath.Join(t.TempDir(), "window")
	d, err := ListenForLinks(path, func(string) bool { return true })
	must.Succeed(t, err)
	defer d.Close()
	for _, line := range []string{"", "\n", "nettplay-open 2 x\n", strings.Repeat("x", 2*maxLine), greeting + strings.Repeat("x", maxLine) + "\n"} {
		c, err := net.Dial("unix", path)
		must.Succeed(t, err)
		_, _ = io.WriteString(c, line)
		_ = c.(*net.UnixConn).CloseWrite()
		if got, _ := io.ReadAll(c); len(got) > 0 {
			t.Errorf("%.40q is answered with %q", line, got)
		}
		_ = c.Close()
	}
	if OfferLinks(path, "a\nb") || OfferLinks(path, strings.Repeat("x", maxLine)) {
		t.Error("what does not fit in a line was taken")
	}
	if !OfferLinks(path, "/home/a/b.nplog") {
		t.Error("it does not answerAt any more")
	}
}

func TestPathIsTheUsersOwn(t *testing.T) {
	must.HaveLinux(t, "paths of Linux")
	for _, c := range [][3]string{{"", "", ""}, {"run", "", ""}, {"/run/user/7", "", "/run/user/7/nettplay/window"}, {"/run/user/7", "io.x.y", "/run/user/7/app/io.x.y/window"}} {
		t.Setenv("XDG_RUNTIME_DIR", c[0])
		t.Setenv("FLATPAK_ID", c[1])
		if got := DoorPath(); got != c[2] {
			t.Errorf("%q: %q", c, got)
		}
	}
}

// Of windows that open at once, where one was killed, one listens, and what is offered comes to it.
func TestWindowsThatOpenAtOnce(t *testing.T) {
	must.HaveLinux(t, "sockets with a path, which Wine lacks")
	path := filepath.Join(t.TempDir(), "window")
	for round := range 20 {
		killed, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
		must.Succeed(t, err)
		killed.SetUnlinkOnClose(false)
		_ = killed.Close()
		var doors [6]*Door
		var windows sync.WaitGroup
		for i := range doors {
			windows.Go(func() {
				var err error
				if doors[i], err = ListenForLinks(path, func(string) bool { return true }); err != nil && !errors.Is(err, ErrOtherWindow) {
					t.Error(err)
				}
			})
		}
		windows.Wait()
		open := 0
		for _, d := range doors {
			if d != nil {
				open++
			}
		}
		if open != 1 || !OfferLinks(path, "nettplay://join/1") {
			t.Errorf("round %d: %d windows listenAt", round, open)
		}
		for _, d := range doors {
			d.Close()
		}
	}
}

// A window that closes takes nothing away from the next one, which may have opened before it was done.
func TestWindowThatCloses(t *testing.T) {
	must.HaveLinux(t, "sockets with a path, which Wine lacks")
	path := filepath.Join(t.TempDir(), "window")
	take := func(string) bool { return true }
	for range 50 {
		before, err := ListenForLinks(path, take)
		must.Succeed(t, err)
		var next *Door
		var windows sync.WaitGroup
		windows.Go(before.Close)
		for next == nil {
			if next, err = ListenForLinks(path, take); err != nil && !errors.Is(err, ErrOtherWindow) {
				t.Fatal(err)
			}
		}
		windows.Wait()
		if !OfferLinks(path, "nettplay://join/1") {
			t.Fatal("the next window hears nothing")
		}
		next.Close()
	}
}
