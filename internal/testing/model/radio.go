package model

import (
	"encoding/binary"

	"github.com/zeebo/xxh3"

	"github.com/nettplay/nettplay/internal/air"
)

// heardMost is the limit of packets that a console takes from the air in a frame: more than there are.
const heardMost = 40

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
// host: it sends, and takes what is there; the others wait to hear from it once in each
// frame, of that frame or of the next, and answer. False: it is closed.
func (c *Console) talk() bool {
	if c.radio == nil {
		return true
	}
	if !c.radio.Begin() {
		return false
	}
	host := c.cfg.Firmware.MAC[5]&15 == 0
	goesOn := true
	switch {
	case c.off:
	case c.played() < c.test.radioFrom:
	case c.test.radio == "broadcast":
		goesOn = c.send(host)
	case host && c.awaits() > 0:
		goesOn = c.send(host) && c.hear(false)
	case c.awaits() > 0:
		goesOn = (c.told >= c.awaits() || c.hear(true)) && c.send(host)
	}
	return goesOn && c.radio.End()
}

// awaits returns the number of frames that the wireless host has begun when a client need not wait for
// it; 0: there is none.
func (c *Console) awaits() int64 {
	switch c.test.radio {
	case "mac":
		return c.played() + 1
	case "across":
		return c.played() + 2
	}
	return 0
}

// send puts the digest on the air, and from the wireless host how many frames it has begun.
func (c *Console) send(host bool) bool {
	said := binary.LittleEndian.AppendUint64(nil, c.digest)
	if host {
		said = binary.LittleEndian.AppendUint64(said, uint64(c.played()+1))
	}
	if c.frame == c.test.desyncAt && c.test.desyncWhat == "air" {
		said[0] ^= 1
	}
	return c.radio.Send(said, air.Everyone)
}

// hear takes packets from the air until there is none, or up to the wireless host's of this
// frame, for which a client waits.
func (c *Console) hear(client bool) bool {
	for range heardMost {
		from, data, goesOn := c.radio.Poll(client)
		if data == nil {
			return goesOn
		}
		c.digest = xxh3.HashSeed(data, c.digest+uint64(from))
		if len(data) == 16 {
			if c.told = int64(binary.LittleEndian.Uint64(data[8:])); client && c.told >= c.awaits() {
				break
			}
		}
	}
	return true
}
