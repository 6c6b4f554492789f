package conn

import (
	"math"
	"time"
)

// A gauge measures the queue of a connection by probes. A probe takes longer than the
// quickest one by the time that it stood in the queue. Probes go outside of the reliable
// channel, where one lost datagram holds up all that follow it. The two clocks need not
// agree: only differences of delays count.
type gauge struct {
	samples int
	trip    time.Duration    // shortest round trip
	base    [2]time.Duration // shortest delay of this period and of the one before
	lowest  time.Duration    // shortest delay since a pause
	jitter  time.Duration    // by how much a delay differs from the mean of its neighbours, on average
	before  [2]time.Duration // the last two delays
	recent  []delay
}

// delay is the time that a probe took, and the moment at which it came back.
type delay struct{ at, took time.Duration }

const unknown time.Duration = math.MaxInt64

func newGauge() gauge {
	return gauge{trip: unknown, base: [2]time.Duration{unknown, unknown}, lowest: unknown}
}

// add takes a probe, and forgets the delays older than keep.
func (g *gauge) add(now, sent, at, keep time.Duration) {
	took := at - sent
	if g.samples++; g.samples > 2 { // a queue that grows evenly adds nothing
		bend := (g.before[0] - (took+g.before[1])/2).Abs()
		g.jitter += (min(bend, 50*time.Millisecond) - g.jitter) / time.Duration(min(g.samples, 16))
	}
	g.before = [2]time.Duration{took, g.before[0]}
	g.trip = min(g.trip, now-sent)
	g.base[0], g.lowest = min(g.base[0], took), min(g.lowest, took)
	g.recent = append(g.recent, delay{now, took})
	for g.recent[0].at < now-keep {
		g.recent = g.recent[1:]
	}
}

// empty is the delay of the empty connection.
func (g *gauge) empty() time.Duration { return min(g.base[0], g.base[1]) }

// queue returns the length of the queue in time, by the shortest of the last delays.
func (g *gauge) queue() time.Duration {
	least := g.recent[0].took
	for _, d := range g.recent {
		least = min(least, d.took)
	}
	return least - g.empty()
}

// renew begins a period: what the shortest delay was before the last one is forgotten,
// because routes change and clocks drift.
func (g *gauge) renew() { g.base = [2]time.Duration{unknown, g.base[0]} }
