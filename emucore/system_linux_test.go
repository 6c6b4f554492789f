package emucore

import (
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/nettplay/nettplay/internal/air"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
)

// desmumePath is where Debian puts the default core.
func desmumePath() string {
	return "/usr/lib/" + architectures[runtime.GOARCH].triplet + "/libretro/desmume_libretro.so"
}

// makePipe makes a named pipe, which nobody reads by mistake.
func makePipe(t *testing.T, path string) {
	t.Helper()
	must.Succeed(t, unix.Mkfifo(path, 0o600))
}

// A console in the background runs at the lowest priority, and is what it is elsewhere.
func TestBackground(t *testing.T) {
	start := func(background bool) *Console {
		cfg := worldConfig(t)
		cfg.Core, cfg.Background = opened(t, testcore.Path(t)), background
		return started(t, cfg)
	}
	front, back := start(false), start(true)
	for _, c := range []*Console{front, back} {
		nice, err := unix.Getpriority(unix.PRIO_PROCESS, c.proc.pid())
		if want := 20; c == back {
			want -= lowest // the system call counts from the other end
			if err != nil || nice != want {
				t.Errorf("priority %d in the background, want %d, %v", nice, want, err)
			}
		} else if err != nil || nice == 20-lowest {
			t.Errorf("priority %d in a game, %v", nice, err)
		}
	}
	if a, b := play(t, front, mash(1, 30), 30), play(t, back, mash(1, 30), 30); a[len(a)-1] != b[len(b)-1] {
		t.Errorf("%v and %v", a, b)
	}
}

// TestRadioHeld: a worker that stands still while it has the air locked is killed, and the others go on.
func TestRadioHeld(t *testing.T) {
	checkLeaks(t)
	var r *radioRoom
	g := pocketGame(t, 3, 90, "radio", "mac")
	g.air.Held = func(seat ds.Seat) { go r.on[seat].Close() }
	r = g.open(t)
	must.Succeed(t, errors.Join(r.run(30)...))
	must.Succeed(t, unix.Kill(r.on[1].proc.pid(), unix.SIGSTOP))
	lockAir(t, r.air, 1)
	for i, err := range r.run(g.frames) {
		if i == 1 && !errors.Is(err, ErrClosed) || i != 1 && err != nil {
			t.Errorf("seat %d: %v", i, err)
		}
	}
	if st := r.status(); st.Consoles[1].Plugged || st.Consoles[0].Frame != g.frames || st.Consoles[2].Frame != g.frames {
		t.Errorf("%+v", st.Consoles[:3])
	}
}

// lockAir is the moment in which the worker of a seat has just taken the lock.
func lockAir(t *testing.T, a *air.Air, seat ds.Seat) {
	t.Helper()
	mem, err := unix.Mmap(int(a.File().Fd()), 0, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	must.Succeed(t, err)
	defer unix.Munmap(mem)
	lock := (*uint32)(unsafe.Pointer(&mem[0]))
	if free := atomic.LoadUint32(lock); free&0xff != 0 || !atomic.CompareAndSwapUint32(lock, free, free|uint32(seat)+1) {
		t.Fatalf("the air is locked: %#x", free)
	}
}
