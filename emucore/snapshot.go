package emucore

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
)

// MaxSnapshots is the number of snapshots a console can have.
const MaxSnapshots = snapshots

// ErrNoSnapshot is returned where a console has no such snapshot, or makes none.
var ErrNoSnapshot = errors.New("the console has no such snapshot")

// nowhere is no place for a snapshot.
const nowhere = -1

// A snapshot is the parent's part of one; the rest is in the worker (worker_pages.c).
type snapshot struct {
	number uint64 // of all snapshots: a later one has a higher one
	frame  int64  // frames done
	off    bool   // it was switched off
	video  Video  // of the last frame, in a buffer of its own
}

// StepFrom notes the console as it stands, exactly, for [Console.Return], at a place from 0
// to [MaxSnapshots] - 1, and then steps. A snapshot that is there already is given up. [Config].Rollback
// must be set.
//
// That takes 0.1 to 0.5 ms more, and memory for each page that the console writes between two snapshots. The air is
// not in it: consoles with a Radio go back together, while all stand at a stop, and the air is
// put back with them ([air.Air.Save], Restore).
func (c *Console) StepFrom(place int, in Input) (Frame, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f, err := c.advanceFrom(place, in)
	if err == nil {
		c.keepPicture()
		f.Video = c.video
	}
	return f, err
}

// AdvanceFrom is Advance, with a snapshot as StepFrom makes one.
func (c *Console) AdvanceFrom(place int, in Input) (Frame, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.advanceFrom(place, in)
}

func (c *Console) advanceFrom(place int, in Input) (Frame, error) {
	if err := c.note(place); err != nil {
		return Frame{}, err
	}
	r, took, err := c.run(in, 1, place)
	if err != nil {
		delete(c.snaps, place)
		return Frame{}, c.failed(err, "make a snapshot and run a frame")
	}
	return c.frame(r, took)
}

// note keeps the parent's part of a snapshot that is about to be made. c.mu is held.
func (c *Console) note(place int) error {
	if !c.rollback || place < 0 || place >= MaxSnapshots {
		return ErrNoSnapshot
	}
	s := c.snaps[place]
	if s == nil {
		s = new(snapshot)
		c.snaps[place] = s
	}
	c.made++
	pix := s.video.Pix[:0]
	*s = snapshot{number: c.made, frame: c.last.frame, off: c.off, video: c.shown()}
	s.video.Pix = append(pix, s.video.Pix...)
	return nil
}

// Return puts the console back to a snapshot, with its frame number, its clock, its picture and
// its save. The snapshot stays; those that were made after it are given up.
func (c *Console) Return(place int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	s, ok := c.snaps[place]
	if !ok {
		return ErrNoSnapshot
	}
	q := request{op: opBack, count: uint32(place), frame: s.frame}
	if _, err := c.call(&q, c.limits.call); err != nil {
		return c.failed(err, "go back to a snapshot")
	}
	for other, later := range c.snaps {
		if later.number > s.number {
			delete(c.snaps, other)
		}
	}
	c.off, c.stale, c.video = s.off, false, s.video
	c.pix = append(c.pix[:0], s.video.Pix...)
	c.video.Pix = c.pix
	copy(c.mem.video(), s.video.Pix) // a frame may show it again
	c.lost = false
	return nil
}

// prepareSnapshots makes ready once the console is loaded. Memory can be put back for one thread: a core with more has no
// snapshots.
func (c *Console) prepareSnapshots() {
	if threads(c.proc.pid()) == 1 {
		c.rollback, c.snaps = true, make(map[int]*snapshot)
	}
}

// Returns reports whether the console makes snapshots. One of a core with threads does not.
func (c *Console) Returns() bool { return c.rollback }

// A SnapshotWay is a means of the kernel to tell which memory a console has written, for its snapshots.
type SnapshotWay int

// The ways, from the fastest on. Each has what a kernel must be for it.
const (
	SnapshotsAsync    SnapshotWay = wayAsync    // the kernel keeps a list: Linux 6.7
	SnapshotsSIGBUS   SnapshotWay = waySIGBUS   // userfaultfd with signals: Linux 5.11
	SnapshotsMprotect SnapshotWay = wayMprotect // memory is made read only: any
)

var wayNames = map[SnapshotWay]string{SnapshotsAsync: "async", SnapshotsSIGBUS: "sigbus", SnapshotsMprotect: "mprotect"}

// String is the way's name, as [WayVariable] takes it.
func (w SnapshotWay) String() string { return wayNames[w] }

// Words say what the way is, and which kernels have it.
func (w SnapshotWay) Words() string {
	switch w {
	case SnapshotsAsync:
		return "the kernel's list of written pages (Linux 6.7)"
	case SnapshotsSIGBUS:
		return "userfaultfd and signals (Linux 5.11)"
	case SnapshotsMprotect:
		return "read-only memory and signals (any Linux)"
	}
	return "nothing"
}

// WayVariable is the variable of the environment that says which way snapshots are made, "async", "sigbus" or
// "mprotect", for tests. Without it the first one is taken that there is.
const WayVariable = "NETTPLAY_SNAPSHOTS"

// SnapshotWays are the ways that this machine has, the one that is taken first. It has none on a system of which
// nobody has written one, and where pages have another size than 4 KB.
func SnapshotWays() []SnapshotWay { return slices.Clone(machineWays()) }

var machineWays = sync.OnceValue(func() (list []SnapshotWay) {
	has := kernelWays()
	for _, w := range []SnapshotWay{SnapshotsAsync, SnapshotsSIGBUS, SnapshotsMprotect} {
		if has&(1<<w) != 0 {
			list = append(list, w)
		}
	}
	return list
})

// snapshotWay is the way for a console that is about to be started.
func snapshotWay() (SnapshotWay, error) {
	ways, want := machineWays(), os.Getenv(WayVariable)
	for _, w := range ways {
		if want == "" || w.String() == want {
			return w, nil
		}
	}
	if want != "" {
		return 0, fmt.Errorf("this machine makes no snapshots in the way %q", want)
	}
	return 0, errors.New("this machine makes no snapshots of consoles")
}
