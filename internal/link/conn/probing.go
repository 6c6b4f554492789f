package conn

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/link"
)

// probing is what is known of datagrams that the other side tells the arrival of. Bulk's queue is measured by small ones, at
// the input's size and place: what they suffer, inputs suffer. Those of a train are Bulk's own.
type probing struct {
	sent   time.Time // when the last small one went
	flying []flown   // numbers rise
}

// flown is a datagram of which the arrival is to be told.
type flown struct {
	number uint64
	at     time.Duration
	bytes  int // of Bulk, where it is of a train; 0: a small one
}

const maxFlown = 1024 // more than go in the longest round trip

func (p *probing) fly(f flown) {
	if len(p.flying) == maxFlown {
		p.flying = slices.Delete(p.flying, 0, maxFlown/2)
	}
	p.flying = append(p.flying, f)
}

// probeDue is when the next small datagram tells of the queue; false: nothing goes that makes one.
func (c *Conn) probeDue(time.Time) (time.Time, bool) {
	if c.pacer.unacked == 0 && !c.out[link.Bulk].ready() {
		return time.Time{}, false
	}
	return c.probing.sent.Add(c.pacer.probeEvery()), true
}

// timed takes the arrival of a datagram.
func (c *Conn) timed(s stamp, now time.Time) {
	p := &c.probing
	i := slices.IndexFunc(p.flying, func(f flown) bool { return f.number == s.number })
	if i < 0 {
		return // doubled, or invented
	}
	f := p.flying[i]
	p.flying = slices.Delete(p.flying, i, i+1)
	at := c.remote.read(s.clock)
	if f.bytes > 0 {
		c.pacer.trained(f.bytes, f.at, at)
		return
	}
	c.pacer.echoed(c.since(now), f.at, at)
}
