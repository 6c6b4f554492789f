package udp

import (
	"time"

	"github.com/codecat/go-enet"

	"github.com/nettplay/nettplay/internal/link/stream"
)

// The number that an ENet connection is opened with says what it is for.
const mainCarrier = 0 // lanes are 1..lanes

const (
	laneIdle     = 5 * time.Second        // after which unused lanes are closed
	reopenGap    = time.Second            // between attempts to replace the main carrier
	stuckTime    = 2 * time.Second        // and some round trips without progress
	hearsPeer    = 3 * stream.PingEvery   // the peer is heard if it was within this time
	tameEvery    = 500 * time.Millisecond // between telling ENet not to throttle
	repairFirst  = 500 * time.Millisecond // wait while no round trip is known
	repairMargin = 50 * time.Millisecond  // more than progressDelay
	acceptance   = time.Second            // and some round trips, for a carrier to come up
)

// carrier is an ENet connection that we send on.
type carrier struct {
	peer   enet.Peer
	up     bool
	since  time.Time
	number uint16              // that ENet gave it
	last   uint16              // number, by ENet, of the last segment given
	flight map[uint16]struct{} // segments not acknowledged
}

func newCarrier(p enet.Peer, up bool, now time.Time) *carrier {
	return &carrier{peer: p, up: up, since: now, flight: map[uint16]struct{}{}}
}

// carriers are the ENet connections of a session: the main one for Control and
// Input, opened by the dialer, and lanes for Bulk in each direction, opened by the
// sender. ENet may give one up long before the peer is silent (after 5 s on a fast
// line), and then the carrier is replaced, and what was not confirmed is sent
// again on the new one. The same happens when a stream makes no progress although
// the peer is heard: the two ends may differ in whether a carrier lives.
type carriers struct {
	main     *carrier // nil when there is none
	next     *carrier // dialer: the one to replace it
	lastOpen time.Time
	wanted   bool // the peer asks for a new main carrier
	wanting  bool // we did not dial, and ask for one

	lanes    [stream.Lanes]*carrier
	lastBulk time.Time               // when there was something to send
	inLanes  [stream.Lanes]enet.Peer // the peer's

	progress [stream.Count]time.Time // when a segment was last confirmed, or began to be waited for
	rtt      time.Duration
	jitter   time.Duration
	tamed    [enetPeers]time.Time
}

// busy reports whether ENet should be looked after often.
func (c *carriers) busy() bool { return c.next != nil || !c.lastBulk.IsZero() }

// given notes that ENet got a segment. It numbers them by itself, from 1 on.
func (c *carrier) given() {
	c.last++
	c.flight[c.last] = struct{}{}
}

// room returns the number of segments that a carrier may be given.
func (c *carrier) room() int { return max(0, stream.CarrierFlight-len(c.flight)) }

// lanesRoom is that for all lanes together.
func (c *carriers) lanesRoom() (room int) {
	for _, l := range c.lanes {
		if l != nil && l.up {
			room += l.room()
		}
	}
	return room
}

// lane is the one with the least to do, nil if none is up.
func (c *carriers) lane() (best *carrier) {
	for _, l := range c.lanes {
		if l != nil && l.up && (best == nil || len(l.flight) < len(best.flight)) {
			best = l
		}
	}
	return best
}

// acknowledged is told of the far ENet's acknowledgements as they pass by, for
// go-enet does not tell.
func (c *carriers) acknowledged(number uint16, acks []uint16, bulk bool) {
	told := c.lanes[:]
	if !bulk {
		told = []*carrier{c.main}
	}
	for _, x := range told {
		if x == nil || bulk && x.number != number {
			continue
		}
		for _, a := range acks {
			delete(x.flight, a)
		}
	}
}

// numbered is told ENet's number of a carrier that is being opened.
func (c *carriers) numbered(number uint16, data uint32) {
	if int(number) < len(c.tamed) {
		c.tamed[number] = time.Time{}
	}
	if data >= 1 && data <= stream.Lanes && c.lanes[data-1] != nil {
		c.lanes[data-1].number = number
	}
}

// repairWait returns the delay before a segment that the peer lacks is repaired: longer than one takes
// that is not lost.
func (c *carriers) repairWait() time.Duration {
	if c.rtt == 0 {
		return repairFirst
	}
	return c.rtt + 4*c.jitter + repairMargin
}

// tame reports whether ENet should again be told not to throttle the peer that has
// this number in ENet. It is told now and then because it listens only once
// connected, and because loopback may lose a datagram.
func (c *carriers) tame(number uint16, now time.Time) bool {
	i := number & enetNoPeer
	if int(i) >= len(c.tamed) || now.Sub(c.tamed[i]) < tameEvery {
		return false
	}
	c.tamed[i] = now
	return true
}

// late reports whether a carrier should have come up by now.
func (c *carriers) late(x *carrier, now time.Time) bool {
	return !x.up && now.Sub(x.since) > acceptance+4*c.rtt
}
