// Package link needs cgo.

//go:build cgo

package savestate

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/impair"
)

// BenchmarkUpload sends a part that does not shrink over real ENet and lines of
// several kinds. It reports the rate of all of it, the start included, in MB/s;
// what the line gives (given); the one as a share of the other (of-given); and by
// how much later than on the empty line the worst hundredth of pings on Input came
// meanwhile (later). Run it with -benchtime 1x.
//
// The capacity of a line is the greater of two rates. The first is what Bulk brings when
// it is sent all that it takes (greedy): it says how well losses are repaired, and
// makes inputs come a long time later. The second is what the line's bandwidth has
// room for, for a greedy sender loses much of it to the queue that it overfills.
func BenchmarkUpload(b *testing.B) {
	for _, imp := range []impair.Impairment{
		{Delay: 10 * ms, Bandwidth: 5e5},
		{Delay: 25 * ms, Bandwidth: 1e6},
		{Delay: 30 * ms, Bandwidth: 1e6, Jitter: 10 * ms},
		{Delay: 10 * ms, Bandwidth: 2e6, Loss: 0.01},
		{Delay: 50 * ms, Bandwidth: 2e6},
		{Delay: 10 * ms, Bandwidth: 5e6},
		{Delay: 50 * ms, Jitter: 25 * ms, Loss: 0.05},
	} {
		name := fmt.Sprintf("%vMBps_%v", float64(imp.Bandwidth)/1e6, 2*imp.Delay)
		if imp.Bandwidth == 0 {
			name = fmt.Sprint("nocap_", 2*imp.Delay)
		}
		if imp.Jitter > 0 {
			name += fmt.Sprintf("_jitter%v", imp.Jitter)
		}
		if imp.Loss > 0 {
			name += fmt.Sprintf("_loss%v", imp.Loss)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				benchUpload(b, imp)
			}
		})
	}
}

// datagramShare is how much of a datagram is a part's bytes, and not headers.
const datagramShare = 1200 / float64(1200+58)

func benchUpload(b *testing.B, imp impair.Impairment) {
	from, to := stations(b, imp)
	var p Part
	from.call(func() {
		p = mustPut(b, from.store, KindState, noise(1, 20_000_000))
		from.x.Offer(manifestOf(0, p))
	})
	time.Sleep(time.Second) // the pings that waited for the packing are back
	from.takeTrips()
	time.Sleep(time.Second)
	idle := from.worstTrip()
	begin := time.Now()
	to.call(func() { to.x.Fetch([]Part{p}) })
	for to.fetched() < p.PackedSize && time.Since(begin) < 2*time.Minute {
		time.Sleep(5 * ms)
	}
	rate := float64(to.fetched()) / time.Since(begin).Seconds()
	later := from.worstTrip() - idle
	greedy := rawRate(from, to, 2*time.Second, 8*time.Second)
	given := max(greedy, float64(imp.Bandwidth)*(1-imp.Loss)*datagramShare)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(rate/1e6, "MB/s")
	b.ReportMetric(greedy/1e6, "greedy-MB/s")
	b.ReportMetric(given/1e6, "given-MB/s")
	b.ReportMetric(rate/given, "of-given")
	b.ReportMetric(later.Seconds()*1e3, "later-p99-ms")
	b.ReportMetric((from.worstTrip()-idle).Seconds()*1e3, "greedy-later-p99-ms")
}

// worstTrip is the round trip that all but a hundredth of the pings since the last
// look had at most.
func (s *station) worstTrip() time.Duration {
	trips := s.takeTrips()
	if len(trips) == 0 {
		return 0
	}
	return trips[len(trips)*99/100]
}

func (s *station) fetched() (n int64) {
	s.call(func() { n = s.x.Fetching().Done })
	return n
}

// rawRate is what Bulk brings in a span, in bytes a second, when it is sent all it
// takes.
func rawRate(from, to *station, warm, span time.Duration) float64 {
	stop := make(chan struct{})
	var sending sync.WaitGroup
	defer sending.Wait()
	defer close(stop)
	sending.Go(func() {
		message := make([]byte, 4096)
		message[0] = rawByte
		for {
			select {
			case <-stop:
				return
			default:
			}
			if errors.Is(from.link.Send(from.peer, link.Bulk, message), link.ErrBacklog) {
				time.Sleep(time.Millisecond)
			}
		}
	})
	var before, after int
	time.Sleep(warm)
	to.call(func() { before = to.raw })
	begin := time.Now()
	time.Sleep(span)
	to.call(func() { after = to.raw })
	return float64(after-before) / time.Since(begin).Seconds()
}
