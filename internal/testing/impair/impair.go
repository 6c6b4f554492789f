// Package impair is the model of a bad line, which delays, loses (singly and in bursts), doubles, reorders and throttles
// datagrams, and queues them behind others' traffic, by a seed. [Line] is one direction: which datagrams arrive, and when.
// Package memnet's lines are such, and package badline puts them between real sockets.
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

	// Losses in bursts, after Gilbert and Elliott: the line is good or in a burst, and changes by
	// time, not by datagram, so that bursts are as long for those who send much as for others.
	// Loss is that of the good line.
	BurstShare float64       // share of the time in bursts, 0..1; 0 for none
	BurstMean  time.Duration // mean length of a burst; 0 for DefaultBurst
	BurstLoss  float64       // share of datagrams lost in a burst; 0 for all

	Largest int // bytes of UDP payload that fit: larger datagrams are lost without a word. 0 for no limit

	Bandwidth int // bytes of UDP payload a second, 0 for no limit
	Queue     int // bytes that wait for the line, more are dropped; 0 for DefaultQueue

	// Traffic is the load of others on the same line, bytes a second: where that is more than the
	// bandwidth, the queue fills and the line bloats. It needs a Bandwidth.
	Traffic      int
	TrafficEvery time.Duration // they send in the first half of each such span; 0 for all the time
}

// DefaultBurst is the mean length of a burst where none is given.
const DefaultBurst = 60 * time.Millisecond

// DefaultQueue is the queue in bytes of a line with a bandwidth and no queue given.
const DefaultQueue = 128 << 10

const maxDelay = time.Minute

// Validate says what is out of range.
func (i Impairment) Validate() error {
	for _, d := range []struct {
		name string
		d    time.Duration
	}{{"delay", i.Delay}, {"jitter", i.Jitter}, {"mean burst", i.BurstMean}, {"span of traffic", i.TrafficEvery}} {
		if d.d < 0 || d.d > maxDelay {
			return fmt.Errorf("%s %v is not in 0..%v", d.name, d.d, maxDelay)
		}
	}
	for _, s := range []struct {
		name string
		s    float64
	}{{"loss", i.Loss}, {"duplicate", i.Duplicate}, {"reorder", i.Reorder}, {"share of bursts", i.BurstShare}, {"loss in bursts", i.BurstLoss}} {
		if !(s.s >= 0 && s.s <= 1) {
			return fmt.Errorf("%s %v is not in 0..1", s.name, s.s)
		}
	}
	for _, n := range []struct {
		name string
		n    int
	}{{"largest datagram", i.Largest}, {"bandwidth", i.Bandwidth}, {"queue", i.Queue}, {"traffic", i.Traffic}} {
		if n.n < 0 {
			return fmt.Errorf("%s %d is negative", n.name, n.n)
		}
	}
	if i.Traffic > 0 && i.Bandwidth == 0 {
		return fmt.Errorf("traffic of %d bytes a second on a line without a bandwidth", i.Traffic)
	}
	return nil
}

// hold is the most by which a datagram is held back for Reorder.
func (i Impairment) hold() time.Duration {
	return max(i.Delay/2, 2*i.Jitter, 10*time.Millisecond)
}
