package game

import (
	"math"
	"time"
)

// Durations counts durations in buckets of 20 us, up to 200 ms, so that the percentiles of
// a game of any length take a fixed amount of memory.
type Durations struct {
	buckets [10_000]uint32
	count   uint64
}

const bucket = 20 * time.Microsecond

func (d *Durations) add(t time.Duration) {
	i := int(max(t, 0) / bucket)
	d.buckets[min(i, len(d.buckets)-1)]++
	d.count++
}

// Count returns the number of durations.
func (d *Durations) Count() uint64 { return d.count }

// Above counts those longer than t, to a bucket.
func (d *Durations) Above(t time.Duration) (n uint64) {
	for _, count := range d.buckets[min(int(max(t, 0)/bucket)+1, len(d.buckets)):] {
		n += uint64(count)
	}
	return n
}

// Percentile is the upper end of the bucket that holds the p-th share, in milliseconds.
func (d *Durations) Percentile(p float64) float64 {
	if d.count == 0 {
		return 0
	}
	rank, seen := uint64(math.Ceil(p*float64(d.count))), uint64(0)
	for i, n := range d.buckets {
		seen += uint64(n)
		if seen >= rank {
			return Milliseconds(time.Duration(i+1) * bucket)
		}
	}
	return Milliseconds(time.Duration(len(d.buckets)) * bucket)
}

// Report is the median and the 99th percentile.
func (d *Durations) Report() Percentiles {
	return Percentiles{P50: d.Percentile(0.50), P99: d.Percentile(0.99)}
}

// Percentiles of a duration in milliseconds.
type Percentiles struct {
	P50 float64 `json:"p50"`
	P99 float64 `json:"p99"`
}

// Milliseconds rounds to a hundredth, which is as much as people read.
func Milliseconds(d time.Duration) float64 {
	return math.Round(float64(d)/float64(time.Millisecond)*100) / 100
}
