package savecommit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/saves"
)

// order is the room's request to commit our saves as they were after a frame. Where a
// connection breaks it may come again, while we are at it or later.
type order struct {
	frame   int64
	stage   orderStage
	why     string // we could not write
	pending map[ds.Seat]*saves.Pending
	commit  bool // the order to commit came while we were writing
}

// orderStage is our progress with an order.
type orderStage int

const (
	writing orderStage = iota
	written
	committing
	failed // to commit: another order to commit tries again, and nothing is given up meanwhile
	committed
)

// Write writes our saves, as they were after a frame, beside the current ones, and reports it.
// Saves written for an earlier frame are given up.
func (c *Committer) Write(frame int64) {
	o := c.order
	switch {
	case o == nil || o.frame != frame:
		c.drop()
		c.write(frame)
	case o.stage != writing:
		c.report(o) // it was not heard
	}
}

func (c *Committer) write(frame int64) {
	o := &order{frame: frame}
	c.order = o
	about := c.session.About()
	jobs, stores := make(map[ds.Seat][]byte), make(map[ds.Seat]*saves.Store)
	for _, seat := range c.session.Seats() {
		sram := c.snapshots.at(seat.Seat, frame)
		if seat.Mine && sram != nil && c.store(seat.Seat) != nil && !c.places[c.session.Console(seat.Seat)].nothing(sram) {
			jobs[seat.Seat], stores[seat.Seat] = sram, c.store(seat.Seat)
		}
	}
	c.session.Background(func() (func(), func()) {
		done, err := prepare(stores, jobs, frame, about)
		drop := func() { // nobody knows of them, and what the game left is kept already
			for _, p := range done {
				_ = p.Drop()
			}
		}
		return func() {
			if c.order != o {
				drop()
				return
			}
			o.pending, o.stage = done, written
			if err != nil {
				o.why = cause(err)
				c.session.Say("Your save could not be written: %v", err)
			}
			if c.report(o); o.commit {
				c.commit(frame)
			}
		}, drop
	})
}

// cause returns the reason why something failed, without the names of this machine's folders: the room is told.
func cause(err error) string {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err.Error()
	case errors.As(err, &link):
		return link.Err.Error()
	}
	return err.Error()
}

// report tells the room how far we are.
func (c *Committer) report(o *order) {
	if o.stage == committed {
		c.session.Committed(o.frame)
		return
	}
	c.session.Written(o.frame, o.why)
}

// prepare writes saves beside the current ones. It runs on any goroutine.
func prepare(stores map[ds.Seat]*saves.Store, jobs map[ds.Seat][]byte, frame int64, about saves.About) (map[ds.Seat]*saves.Pending, error) {
	done := make(map[ds.Seat]*saves.Pending)
	for seat, sram := range jobs {
		p, err := stores[seat].Prepare(frame, sram, about)
		if err != nil {
			return done, fmt.Errorf("the save of seat %v: %w", seat, err)
		}
		done[seat] = p
	}
	return done, nil
}

// Commit makes the saves current that were written for a frame, since all machines have theirs,
// and reports it.
func (c *Committer) Commit(frame int64) {
	c.snapshots.committedUpTo(frame)
	c.commit(frame)
}

func (c *Committer) commit(frame int64) {
	o := c.order
	switch {
	case o == nil || o.frame != frame || o.why != "":
		return
	case o.stage == writing:
		o.commit = true
		return
	case o.stage == committed:
		c.report(o)
		return
	case o.stage != written && o.stage != failed:
		return
	}
	o.stage = committing
	c.session.Background(func() (func(), func()) {
		err := o.settle()
		return func() {
			if !c.settled(o, err) {
				return
			}
			if len(o.pending) > 0 {
				c.session.Saved(frame)
			}
			if c.order == o {
				c.report(o)
			}
		}, nil
	})
}

// CommitNow makes the saves current that were written for a frame, and waits for the disk. It
// reports nothing: we go.
func (c *Committer) CommitNow(frame int64) {
	o := c.order
	if o == nil || o.frame != frame || o.stage != written && o.stage != failed {
		return
	}
	c.settled(o, o.settle())
}

// settleOwed tries once more to make current what the others have as their current saves, and
// waits for the disk. It may take files by now.
func (c *Committer) settleOwed() {
	o := c.owed
	if c.order != nil && c.order.stage == failed {
		o = c.order
	}
	if o != nil && c.settled(o, o.settle()) {
		c.session.Saved(o.frame)
	}
}

// settled notes whether what was written is current, and returns that: if it is, nothing older in
// memory counts any more.
func (c *Committer) settled(o *order, err error) bool {
	if err != nil {
		o.stage = failed
		c.session.Say("Your save could not be made the current one: %v", err)
		return false
	}
	o.stage = committed
	for seat := range o.pending {
		if store := c.store(seat); store != nil {
			c.left.Forget(store)
		}
	}
	return true
}

// settle makes what was written current. It runs on any goroutine.
func (o *order) settle() (err error) {
	for _, p := range o.pending {
		if failed := p.Commit(); !errors.Is(failed, saves.ErrSuperseded) { // the game's end has kept a later one
			err = errors.Join(err, failed)
		}
	}
	return err
}

// drop gives up what was written for a frame that not all could commit.
func (c *Committer) drop() {
	o := c.order
	c.order = nil
	switch {
	case o == nil:
		return
	case o.stage == failed:
		c.owed = o
		return
	case o.stage >= committing:
		return
	}
	c.session.Background(func() (func(), func()) {
		for _, p := range o.pending {
			_ = p.Drop()
		}
		return nil, nil
	})
}

// Replaced forgets what own consoles had in their cartridges before all were made anew at a
// frame: it may have been wrong. What they have now, as far as it is given, is committed in its place, soon.
func (c *Committer) Replaced(frame int64, own map[ds.Seat][]byte) {
	c.drop()
	c.snapshots.replaced(frame, own)
}
