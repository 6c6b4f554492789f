package model

import (
	"encoding/binary"

	"github.com/nettplay/nettplay/internal/air"
	"github.com/zeebo/xxh3"
)

// heardMost is how many packets a console takes from the air in a frame.
const heardMost = 20

// listen waits until the console may go on, on the air.
func (c *Console) listen(let <-chan struct{}) bool {
	select {
	case <-let:
		return c.machine.Turns == nil || c.machine.Turns.Sleep(c.class, 0, c.closed)
	case <-c.closed:
		return false
	}
}

// talk is a frame of the console's wireless game: what it computes goes to all others, and
// what it hears into what it computes. The console whose address ends in 0 is the wireless
// host: it sends, and takes what is there; the others wait to hear of something, and answer.
// False: it is closed.
func (c *Console) talk() bool {
	if c.radio == nil {
		return true
	}
	if !c.radio.Begin() {
		return false
	}
	if c.frame >= c.test.radioFrom {
		host := c.cfg.Firmware.MAC[5]&15 == 0
		switch {
		case c.test.radio == "mac" && host, c.test.radio == "broadcast":
			if !c.send() || c.test.radio == "mac" && !c.hear(false) {
				return false
			}
		case c.test.radio == "mac":
			if !c.hear(true) || !c.send() {
				return false
			}
		}
	}
	return c.radio.End()
}

// send puts the digest on the air.
func (c *Console) send() bool {
	said := c.digest
	if c.frame == c.test.desyncAt && c.test.desyncWhat == "air" {
		said ^= 1
	}
	return c.radio.Send(binary.LittleEndian.AppendUint64(nil, said), air.Everyone)
}

// hear takes packets from the air until there is none; wait for the first one.
func (c *Console) hear(wait bool) bool {
	for n := range heardMost {
		from, data, goesOn := c.radio.Poll(wait && n == 0)
		if !goesOn {
			return false
		}
		if data == nil {
			break
		}
		c.digest = xxh3.HashSeed(data, c.digest+uint64(from))
	}
	return true
}
