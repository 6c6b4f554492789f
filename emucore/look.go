package emucore

import "bytes"

// RAM returns a copy of the console's main memory as it stands: what [Hash].RAM is
// the hash of. It is nil where the core does not let us see it. It does not change
// the console, and costs what [Console.Hash] costs.
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
// terminal. It works after the console's end, too.
func (c *Console) Log() []string { return c.process().log.all() }

// process is the worker's process now.
func (c *Console) process() *process {
	c.life.Lock()
	defer c.life.Unlock()
	return c.proc
}
