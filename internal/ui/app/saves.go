package app

import (
	"errors"
	"fmt"

	"github.com/nettplay/nettplay/internal/saves"
)

// cartridges are the saves of the games that a session plays on this machine. They
// belong to the session's goroutine, and are open, so that no other program uses
// the same save, until close.
type cartridges struct {
	dir  string
	open map[cartridge]*saves.Store
}

// cartridge is a game in one of this machine's consoles.
type cartridge struct {
	sha     [32]byte
	console int // 1: the player's own
}

// read reads the save of a game, nil when there is none yet.
func (c *cartridges) read(g saves.Game, console int) ([]byte, error) {
	s, err := c.store(g, console)
	if err != nil {
		return nil, err
	}
	sram, _, err := s.Current()
	if err != nil {
		return nil, fmt.Errorf("reading your save of %s: %w", g.Title, err)
	}
	return sram, nil
}

func (c *cartridges) store(g saves.Game, console int) (*saves.Store, error) {
	key := cartridge{g.SHA256, console}
	if s := c.open[key]; s != nil {
		return s, nil
	}
	s, err := saves.Open(c.dir, g, saves.Options{Console: console, Doing: "nettplay's window"})
	if err != nil {
		return nil, fmt.Errorf("opening your save of %s: %w", g.Title, err)
	}
	if c.open == nil {
		c.open = map[cartridge]*saves.Store{}
	}
	c.open[key] = s
	return s, nil
}

// keep keeps what a game left after so many frames. When it ended well, that is the
// save from now on; else it is kept as not confirmed, and the save stays as it is.
// It tells whether there is a new save.
func (c *cartridges) keep(g saves.Game, console int, frame int64, sram []byte, about saves.About, well bool) (saved bool, err error) {
	if len(sram) == 0 {
		return false, nil
	}
	s, err := c.store(g, console)
	if err != nil {
		return false, err
	}
	p, err := s.Prepare(frame, sram, about)
	if err != nil {
		return false, fmt.Errorf("keeping your save of %s: %w", g.Title, err)
	}
	changed := p.Number() != 0
	if !well {
		return false, nil
	}
	if err := p.Commit(); err != nil {
		return false, fmt.Errorf("keeping your save of %s: %w", g.Title, err)
	}
	return changed, nil
}

// close lets others use the saves again.
func (c *cartridges) close() error {
	var failed error
	for _, s := range c.open {
		failed = errors.Join(failed, s.Close())
	}
	c.open = nil
	return failed
}
