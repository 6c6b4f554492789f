package model

import (
	"bytes"

	"github.com/nettplay/nettplay/emucore"
)

// Snapshot notes the console as it stands, as emucore's does where the configuration has Rollback.
func (c *Console) Snapshot(place int) error {
	if err := c.enter(); err != nil {
		return err
	}
	defer c.leave()
	if !c.cfg.Rollback || place < 0 || place >= emucore.MaxSnapshots {
		return emucore.ErrNoSnapshot
	}
	n := c.memory
	n.sram = bytes.Clone(c.sram)
	c.notes[place] = &n
	return nil
}

// Return puts the console back to a snapshot, which is used up.
func (c *Console) Return(place int) error {
	if err := c.enter(); err != nil {
		return err
	}
	defer c.leave()
	if place < 0 || place >= emucore.MaxSnapshots || c.notes[place] == nil {
		return emucore.ErrNoSnapshot
	}
	c.memory = *c.notes[place]
	c.notes[place] = nil
	return nil
}
