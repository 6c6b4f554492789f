package emucore

import (
	"errors"
	"fmt"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/zeebo/xxh3"
)

// Hash returns the hash of the console as it stands. It does not change the
// console. It costs about 0.5 ms where the core shows its main memory, and a
// serialization (some 3 ms) where it does not.
func (c *Console) Hash() (ds.Hash, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lost {
		return ds.Hash{}, errUnknown
	}
	var h ds.Hash
	var err error
	if c.loaded.ram > 0 || c.profile.SRAM == SRAMMemory {
		h.RAM, h.SRAM, err = c.hashMemory()
	}
	if err == nil && c.loaded.ram == 0 && c.profile.MainRAM != nil {
		h.RAM, err = c.hashState()
	}
	if err == nil && c.profile.SRAM == SRAMFile {
		h.SRAM, err = c.hashSave()
	}
	if err != nil {
		return ds.Hash{}, c.failed(err, "hash the console")
	}
	if v := c.shown(); v.Width > 0 {
		h.Video = hashOf(v.Pix)
	}
	return h, nil
}

// hashOf is a hash that is not 0, which stands for nothing to hash.
func hashOf(b []byte) uint64 { return max(1, xxh3.Hash(b)) }

// hashMemory hashes what the core shows of its memory.
func (c *Console) hashMemory() (ram, sram uint64, err error) {
	q := request{op: opMemory, regions: regionRAM}
	if c.profile.SRAM == SRAMMemory {
		q.regions |= regionSRAM
	}
	mem, save, err := c.memory(&q)
	if err != nil {
		return 0, 0, err
	}
	if len(mem) > 0 {
		ram = hashOf(mem)
	}
	if len(save) > 0 {
		sram = hashOf(save)
	}
	return ram, sram, nil
}

// memory has the worker copy memory regions to the blob and returns them there.
func (c *Console) memory(q *request) (ram, sram []byte, err error) {
	r, err := c.call(q, c.limits.call)
	if err != nil {
		return nil, nil, err
	}
	if r.size > blobMax || r.sramSize > blobMax-r.size {
		return nil, nil, c.misbehaved(fmt.Sprintf("%d and %d bytes of memory", r.size, r.sramSize))
	}
	blob := c.mem.blob()
	return blob[:r.size], blob[r.size : r.size+r.sramSize], nil
}

// hashState hashes the main memory inside a state.
func (c *Console) hashState() (uint64, error) {
	state, err := c.serialize(false)
	if err != nil {
		return 0, err
	}
	ram, err := c.profile.MainRAM(state)
	if err != nil {
		return 0, err
	}
	return hashOf(ram), nil
}

// hashSave hashes the backup memory in the core's save file.
func (c *Console) hashSave() (uint64, error) {
	sram, err := c.readSave()
	if err != nil || len(sram) == 0 {
		return 0, err
	}
	return hashOf(sram), nil
}

// failed says what was tried when a call failed; errors about the worker's
// end say enough themselves.
func (c *Console) failed(err error, what string) error {
	if err == nil || c.dead != nil && errors.Is(err, c.dead) {
		return err
	}
	return fmt.Errorf("%s: core %s: %w", what, c.core, err)
}
