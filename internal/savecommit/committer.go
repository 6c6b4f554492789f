// Package savecommit commits what games write into the cartridges of this machine's own seats.
//
// A cartridge's backup memory reaches the player's saves only as it was after a frame at which
// all machines were alike in all seats, and only when all players' machines have written theirs
// of the same frame: what two players traded is in both saves or in none.
//
// [Committer.Note] takes what the consoles' hashes tell. The game host asks [Committer.Next]
// for the frame to commit. [Committer.Write] and [Committer.Commit] do what the room asks of
// every machine, and [Committer.AtEnd] saves what a game leaves behind.
package savecommit

import (
	"maps"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/saves"
)

// Session is a committer's view of the session around it. It is called on the session's goroutine.
type Session interface {
	// Background runs a job on another goroutine, and what it returns on the session's; or
	// drop, on whatever goroutine, when the session is over before that.
	Background(job func() (after, drop func()))
	// Seats are the seats of the game that runs.
	Seats() []game.SeatState
	// Console numbers our console in one of our own seats; 1 is our primary player's.
	Console(seat ds.Seat) int
	// About says of what room and players a save is.
	About() saves.About
	// Written tells the room that our saves of a frame are on the disk, or why they are not.
	Written(frame int64, why string)
	// Committed tells the room that they are the current ones. It may be told twice.
	Committed(frame int64)
	// Saved tells the player that there are new current saves, of a frame.
	Saved(frame int64)
	// NotCommitted tells the player why the save of a seat could not be committed at the game's end.
	NotCommitted(seat ds.Seat, err error)
	// Say tells the player something.
	Say(format string, args ...any)
}

// Committer commits the saves of one machine. It belongs to the session's goroutine.
type Committer struct {
	session   Session
	places    map[int]Place // by console
	snapshots snapshots
	order     *order // the room's newest; nil for none
	owed      *order // one before it that failed; nil for none
	left      *saves.Unwritten
}

// New makes a committer that has no saves open. Left takes what cannot be written.
func New(s Session, left *saves.Unwritten) *Committer {
	return &Committer{session: s, places: make(map[int]Place), snapshots: newSnapshots(), left: left}
}

// Place is where the saves of a console are kept now.
func (c *Committer) Place(console int) Place { return c.places[console] }

// SetPlace is for what [Place.Open] returned. The committer closes it.
func (c *Committer) SetPlace(console int, p Place) { c.places[console] = p }

// store keeps the saves of one of our own seats; nil for nowhere.
func (c *Committer) store(seat ds.Seat) *saves.Store {
	return c.places[c.session.Console(seat)].store
}

// Reset forgets the last game. In the next one the cartridges of all seats have these hashes.
func (c *Committer) Reset(hashes map[ds.Seat]uint64) {
	c.snapshots, c.order, c.owed = newSnapshots(), nil, nil
	maps.Copy(c.snapshots.hashes, hashes)
}

// Note takes a console's backup memory after a frame that was hashed.
func (c *Committer) Note(h game.Hashed) { c.snapshots.note(h) }

// Next tells the game host whether everybody is to commit saves now, and of what frame: the
// newest agreed one. It counts as a try: the same changes are due again only much later, unless
// they are committed.
func (c *Committer) Next(agreed func() int64) (frame int64, due bool) {
	if c.snapshots.changed < 0 {
		return 0, false
	}
	frame = agreed()
	return frame, c.snapshots.due(frame)
}

// AtEnd saves what a game leaves behind: as the current saves when all machines were alike at
// its end, else beside them, not confirmed. It waits for the disk: the game is over. Saves
// that the disk does not take are kept in memory. What the room has let everyone commit, and
// failed here, is tried once more before.
//
// A console that died, or waits in the middle of a frame for others over the radio, leaves what
// it was known to have last.
func (c *Committer) AtEnd(alike bool) {
	c.settleOwed()
	about := c.session.About()
	for _, seat := range c.session.Seats() {
		store := c.store(seat.Seat)
		if !seat.Mine || store == nil {
			continue
		}
		last, whole := c.snapshots.last(seat.Seat), false
		if !seat.Busy && !seat.Dead {
			if sram, err := seat.Console.SRAM(); err == nil {
				last, whole = snapshot{seat.Frame, sram}, true
			}
		}
		if len(last.sram) == 0 || c.places[c.session.Console(seat.Seat)].nothing(last.sram) {
			continue
		}
		if err := c.atEnd(store, last, about, alike && whole); err != nil {
			c.left.Keep(store, last.frame, last.sram, about, alike && whole, err)
			c.session.NotCommitted(seat.Seat, err)
		}
	}
	c.Reset(nil)
}

// atEnd saves what a game left in one cartridge; current makes it the current save.
func (c *Committer) atEnd(store *saves.Store, last snapshot, about saves.About, current bool) error {
	p, err := store.Prepare(last.frame, last.sram, about)
	if err != nil {
		return err
	}
	if current {
		if err := p.Commit(); err != nil {
			return err
		}
		c.left.Forget(store)
		return nil
	}
	if p.Number() != 0 {
		c.session.Say("Your save is as it was when all computers last agreed on it. The save that the game left is kept, too: \"nettplay saves list\" shows both.")
	}
	return nil
}

// Close gives all saves free.
func (c *Committer) Close() {
	for _, p := range c.places {
		if p.store != nil {
			p.store.Close()
		}
	}
	clear(c.places)
}
