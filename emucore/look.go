package emucore

import "bytes"

// RAM returns a copy of the console's current main memory, of which [Hash].RAM is
// the hash. It is nil if the core does not expose it. The console does not
// change. RAM costs as much as [Console.Hash].
func (c *Console) RAM() ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lost {
		return nil, errUnknown
	}
	var ram []byte
	var err error
	switch {
	case c.ramSize > 0:
		ram, _, err = c.memory(&request{op: opMemory, regions: regionRAM})
	case c.profile.MainRAM != nil:
		ram, err = c.ramInState()
	}
	return bytes.Clone(ram), c.failed(err, "read the main memory")
}

// Log returns the last lines that the core has printed, oldest first, made safe for a
// terminal. It also works after the console has ended.
func (c *Console) Log() []string { return c.process().log.all() }

// process returns the current worker process.
func (c *Console) process() *process {
	c.life.Lock()
	defer c.life.Unlock()
	return c.proc
}
