package emucore

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
)

// MaxSnapshots is the largest number of snapshots a console can hold.
const MaxSnapshots = snapshots

// ErrNoSnapshot is returned if a console does not have the snapshot, or makes none at all.
var ErrNoSnapshot = errors.New("the console has no such snapshot")

// nowhere stands for no snapshot.
const nowhere = -1

// A snapshot is the parent's part of one; the rest is in the worker (worker_pages.c).
type snapshot struct {
	number uint64 // of all snapshots: a later one has a higher one
	frame  int64  // frames done
	off    bool   // it was switched off
	video  Video  // of the last frame, in a buffer of its own
}

// StepFrom makes an exact snapshot of the console, for [Console.Return], at a place from 0
// to [MaxSnapshots] - 1, and then steps. It replaces an earlier snapshot at that place. [Config].Rollback
// must be set.
//
// This takes 0.1 to 0.5 ms more than Step, and memory for each page that the console writes between two snapshots. The air is
// not part of a snapshot: consoles with a Radio return together, while all are at a stop, and the air is
// restored with them ([air.Air.Save], Restore).
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

// note records the parent's part of a snapshot that is about to be made. c.mu is held.
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

// Return restores the console from a snapshot, with its frame number, clock, picture and
// save. The snapshot is kept; those made after it are dropped.
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

// prepareSnapshots prepares for snapshots once the console is loaded. Memory can only be restored for a single thread, so a
// core with more has no snapshots.
func (c *Console) prepareSnapshots() {
	if threads(c.proc.pid()) == 1 {
		c.rollback, c.snaps = true, make(map[int]*snapshot)
	}
}

// Returns reports whether the console makes snapshots. A console whose core has threads does not.
func (c *Console) Returns() bool { return c.rollback }

// A SnapshotWay is a kernel mechanism that tracks which memory a console has written, for its snapshots.
type SnapshotWay int

// The ways, fastest first, each with what it needs of the kernel.
const (
	SnapshotsAsync    SnapshotWay = wayAsync    // the kernel keeps a list: Linux 6.7
	SnapshotsSIGBUS   SnapshotWay = waySIGBUS   // userfaultfd with signals: Linux 5.11
	SnapshotsMprotect SnapshotWay = wayMprotect // memory is made read only: any
)

var wayNames = map[SnapshotWay]string{SnapshotsAsync: "async", SnapshotsSIGBUS: "sigbus", SnapshotsMprotect: "mprotect"}

// String returns the way's name, as [WayVariable] takes it.
func (w SnapshotWay) String() string { return wayNames[w] }

// Words describes the way and says which kernels have it.
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

// WayVariable is the environment variable that selects how snapshots are made, "async", "sigbus" or
// "mprotect", for tests. If it is not set, the first available way is used.
const WayVariable = "NETTPLAY_SNAPSHOTS"

// SnapshotWays returns the ways that this machine supports; the first is the default. There is none on a system
// for which none is implemented, or if pages are not 4 KB.
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

// snapshotWay returns the way for a console that is about to be started.
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
