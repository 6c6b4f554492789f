package emucore

import (
	"github.com/nettplay/nettplay/internal/ds"

	"github.com/zeebo/xxh3"
)

// Hash returns the hash of the console's current state. It does not change the
// console. It takes about 0.5 ms if the core exposes its main memory, else a
// serialization (some 3 ms).
func (c *Console) Hash() (ds.Hash, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lost {
		return ds.Hash{}, errUnknown
	}
	var h ds.Hash
	var err error
	var ram, sram []byte // valid until the next call
	if c.ramSize > 0 || c.profile.SRAM == SRAMMemory {
		q := request{op: opMemory, regions: regionRAM}
		if c.profile.SRAM == SRAMMemory {
			q.regions |= regionSRAM
		}
		ram, sram, err = c.memory(&q)
		h.RAM, h.SRAM = hashOf(ram), hashOf(sram)
	}
	if err == nil && c.ramSize == 0 && c.profile.MainRAM != nil {
		ram, err = c.ramInState()
		h.RAM = hashOf(ram)
	}
	if err == nil && c.profile.SRAM == SRAMFile {
		_, sram, err = c.readSave()
		h.SRAM = hashOf(sram)
	}
	if err != nil {
		return ds.Hash{}, c.failed(err, "hash the console")
	}
	if c.off {
		h.RAM = ^h.RAM // it is not the console that is about to go on from the same memory
	}
	if v := c.shown(); v.Width > 0 {
		h.Video = hashOf(v.Pix)
	}
	return h, nil
}

// hashOf returns a hash of b that is 0 only if b is empty.
func hashOf(b []byte) uint64 {
	if len(b) == 0 {
		return 0
	}
	return max(1, xxh3.Hash(b))
}

// ramInState has the worker make a state and returns the main memory in it.
func (c *Console) ramInState() ([]byte, error) {
	state, err := c.serialize(false)
	if err != nil {
		return nil, err
	}
	ram, err := c.profile.MainRAM(state)
	if err != nil {
		return nil, &FormError{Core: c.core, Err: err}
	}
	return ram, nil
}
