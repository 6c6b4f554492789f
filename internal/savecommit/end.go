package savecommit

import "github.com/nettplay/nettplay/internal/saves"

// AtEnd saves what a game leaves behind: as the current saves when all machines were alike at
// its end, else beside them, not confirmed. It waits for the disk: the game is over. Saves
// that the disk does not take are kept in memory.
//
// A console that died, or waits in the middle of a frame for others over the radio, leaves what
// it was known to have last.
func (c *Committer) AtEnd(alike bool) {
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
		if len(last.sram) == 0 {
			continue
		}
		if err := c.atEnd(store, last, about, alike && whole); err != nil {
			c.left.Keep(store, last.frame, last.sram, about, alike && whole, err)
			c.session.NotCommitted(seat.Seat, err)
		}
	}
	c.Begin(nil)
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
		c.session.Say("Your save is as it was when all machines last agreed on it. The save that the game left is kept, too: \"nettplay saves list\" shows both.")
	}
	return nil
}
