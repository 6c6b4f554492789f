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
// several kinds, and reports what the same link brings on Bulk when it is sent as
// much as it takes (raw), and how long pings on Input take before, during the
// upload, and during the raw sending. Run it with -benchtime 1x.
func BenchmarkUpload(b *testing.B) {
	for _, imp := range []impair.Impairment{
		{Delay: 10 * ms, Bandwidth: 5e5},
		{Delay: 25 * ms, Bandwidth: 1e6},
		{Delay: 10 * ms, Bandwidth: 5e6},
		{Delay: 50 * ms, Bandwidth: 2e6},
		{Delay: 10 * ms, Bandwidth: 2e6, Loss: 0.01},
		{Delay: 50 * ms, Jitter: 25 * ms, Loss: 0.05},
	} {
		name := fmt.Sprintf("%vMBps_%v", float64(imp.Bandwidth)/1e6, 2*imp.Delay)
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

func benchUpload(b *testing.B, imp impair.Impairment) {
	from, to := stations(b, imp)
	time.Sleep(time.Second / 2)
	size := 20_000_000
	if imp.Bandwidth > 0 {
		size = min(size, 20*imp.Bandwidth)
	}
	if imp.Loss > 0.02 {
		size = 2_000_000
	}
	var p Part
	from.call(func() {
		p = mustPut(b, from.store, KindState, noise(1, size))
		from.x.Offer(manifestOf(0, p))
	})
	report(b, from, "idle")
	time.Sleep(time.Second / 2)
	report(b, from, "idle")
	begin := time.Now()
	to.call(func() { to.x.Fetch([]Part{p}) })
	for to.fetched() < p.PackedSize && time.Since(begin) < 2*time.Minute {
		time.Sleep(5 * ms)
	}
	rate := float64(p.PackedSize) / time.Since(begin).Seconds()
	b.ReportMetric(rate/1e6, "MB/s")
	report(b, from, "upload")
	raw := rawRate(from, to, 2*time.Second, 4*time.Second)
	b.ReportMetric(raw/1e6, "raw-MB/s")
	b.ReportMetric(rate/raw, "of-raw")
	report(b, from, "raw")
}

func (s *station) fetched() (n int64) {
	s.call(func() { n = s.x.Fetching().Done })
	return n
}

// report reports the round trips of pings since the last report.
func report(b *testing.B, s *station, when string) {
	trips := s.takeTrips()
	if len(trips) == 0 {
		return
	}
	b.ReportMetric(trips[len(trips)/2].Seconds()*1e3, when+"-p50-ms")
	b.ReportMetric(trips[len(trips)*99/100].Seconds()*1e3, when+"-p99-ms")
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
