package model

import (
	"bytes"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/inputdelay"
)

// note is a snapshot of a console.
type note struct {
	frame, told int64
	digest      uint64
	keys        inputdelay.Keys
	ram         [ramSize]byte
	sram        []byte
	saved       uint64
	flaw        string
}

// Snapshot notes the console as it stands, as emucore's does where the configuration has Rollback.
func (c *Console) Snapshot(place int) error {
	if err := c.enter(); err != nil {
		return err
	}
	defer c.leave()
	if !c.cfg.Rollback || place < 0 || place >= emucore.MaxSnapshots {
		return emucore.ErrNoSnapshot
	}
	c.notes[place] = &note{c.frame, c.told, c.digest, c.keys, c.ram, bytes.Clone(c.sram), c.saved, c.flaw}
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
	n := c.notes[place]
	c.frame, c.told, c.digest, c.keys, c.ram, c.sram, c.saved, c.flaw = n.frame, n.told, n.digest, n.keys, n.ram, n.sram, n.saved, n.flaw
	c.notes[place] = nil
	return nil
}
