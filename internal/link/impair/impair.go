// Package impair makes a bad line out of a good one: a UDP relay that delays,
// loses, doubles, reorders and throttles datagrams, and goes dark for a while, by
// a seed. Kernels often lack the module that would do it (sch_netem), and it
// needs root; this needs neither.
//
// [Line] is the pure model of one direction: which datagrams arrive, and when.
// Package link's in-memory twin uses the same. [Relay] puts it between real
// sockets; cmd/impair is a relay to play through by hand.
package impair

import (
	"fmt"
	"time"
)

// Impairment says how bad a line is, in one direction. The zero value is perfect.
type Impairment struct {
	Delay  time.Duration // one way
	Jitter time.Duration // each datagram's delay is evenly spread over Delay +- Jitter, so they may overtake each other

	Loss      float64 // share of datagrams lost, 0..1
	Duplicate float64 // share of datagrams that arrive twice, each with its own jitter
	Reorder   float64 // share of datagrams held back so that later ones overtake them

	Bandwidth int // bytes of UDP payload a second, 0 for no limit
	Queue     int // bytes that wait for the line, more are dropped; 0 for DefaultQueue
}

// DefaultQueue is the queue in bytes of a line with a bandwidth and no queue given.
const DefaultQueue = 128 << 10

const maxDelay = time.Minute

// Validate says what is out of range.
func (i Impairment) Validate() error {
	for _, d := range []struct {
		name string
		d    time.Duration
	}{{"delay", i.Delay}, {"jitter", i.Jitter}} {
		if d.d < 0 || d.d > maxDelay {
			return fmt.Errorf("%s %v is not in 0..%v", d.name, d.d, maxDelay)
		}
	}
	for _, s := range []struct {
		name string
		s    float64
	}{{"loss", i.Loss}, {"duplicate", i.Duplicate}, {"reorder", i.Reorder}} {
		if !(s.s >= 0 && s.s <= 1) {
			return fmt.Errorf("%s %v is not in 0..1", s.name, s.s)
		}
	}
	if i.Bandwidth < 0 {
		return fmt.Errorf("bandwidth %d is negative", i.Bandwidth)
	}
	if i.Queue < 0 {
		return fmt.Errorf("queue %d is negative", i.Queue)
	}
	return nil
}

// hold is the most by which a datagram is held back for Reorder.
func (i Impairment) hold() time.Duration {
	return max(i.Delay/2, 2*i.Jitter, 10*time.Millisecond)
}
