package emucore

import (
	"errors"
	"fmt"
)

// MaxSnapshots is the number of snapshots a console can have.
const MaxSnapshots = snapshots

// ErrNoSnapshot is returned where a console has no such snapshot, or makes none.
var ErrNoSnapshot = errors.New("the console has no such snapshot")

// A snapshot is the parent's part of one; the rest is a process that sleeps.
type snapshot struct {
	frame int64 // frames done
	off   bool  // it was switched off
	video Video // of the last frame
}

// Snapshot notes the console as it stands, exactly, for [Console.Return], at a place from 0
// to [MaxSnapshots] - 1. A snapshot that is there already is given up. [Config].Rollback
// must be set.
//
// It costs about 1 ms, and memory for each page that the console writes after it. The air is
// not in it: consoles with a Radio go back together, while all stand at a stop, and the air is
// put back with them ([air.Air.Save], Restore).
func (c *Console) Snapshot(place int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.rollback || place < 0 || place >= MaxSnapshots {
		return ErrNoSnapshot
	}
	delete(c.snaps, place)
	if _, err := c.call(&request{op: opSnapshot, count: uint32(place)}, c.limits.call); err != nil {
		return c.failed(err, "make a snapshot")
	}
	s := snapshot{frame: c.last.frame, off: c.off, video: c.shown()}
	s.video.Pix = append([]byte(nil), s.video.Pix...)
	c.snaps[place] = s
	return nil
}

// Return puts the console back to a snapshot, with its frame number, its clock, its picture and
// its save. The snapshot is used up; the others stay.
func (c *Console) Return(place int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	s, ok := c.snaps[place]
	if !ok {
		return ErrNoSnapshot
	}
	delete(c.snaps, place)
	q := request{op: opBack, count: uint32(place), frame: s.frame}
	if _, err := c.call(&q, c.limits.call); err != nil {
		return c.failed(err, "go back to a snapshot")
	}
	c.off, c.stale, c.video = s.off, false, s.video
	copy(c.mem.video(), s.video.Pix) // a frame may show it again
	c.lost = false
	return nil
}

// beginSnapshots makes ready once the console is loaded. A copy of a process has one thread.
func (c *Console) beginSnapshots() error {
	if n := procStat(c.proc.pid(), statThreads); n != "1" {
		return &StartError{Core: c.core, Why: fmt.Sprintf("has %s threads; only a core with one can have snapshots", n)}
	}
	c.rollback, c.snaps = true, make(map[int]snapshot)
	return nil
}
