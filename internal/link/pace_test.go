package link

import (
	"context"
	"encoding/binary"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// lineUse is what a line carried, and what that did to inputs.
type lineUse struct {
	share  float64       // of the bandwidth, used by Bulk, once it had found its pace
	median time.Duration // that inputs took longer than the line's delay
	p99    time.Duration
}

// fillLine sends Bulk without end and an input every 4 ms for half a minute.
func fillLine(t *testing.T, imp Impairment) (use lineUse) {
	synctest.Test(t, func(t *testing.T) {
		m := NewMemory(3, imp)
		from, to := m.Listen("from"), m.Listen("to")
		defer from.Close()
		defer to.Close()
		p, err := from.Dial(context.Background(), "to")
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		go func() {
			for range from.Events() {
			}
		}()
		go pump(from, p, 16<<10)
		go func() {
			for from.Send(p, Input, binary.BigEndian.AppendUint64(nil, uint64(time.Since(start)))) == nil {
				time.Sleep(4 * time.Millisecond)
			}
		}()
		const found, end = 5 * time.Second, 30 * time.Second
		var took []time.Duration
		bytes := 0
		for time.Since(start) < end {
			switch ev := <-to.Events(); {
			case ev.Kind != Message:
			case ev.Channel == Input:
				sent := time.Duration(binary.BigEndian.Uint64(ev.Data))
				took = append(took, time.Since(start)-sent-imp.Delay)
			case time.Since(start) > found:
				bytes += len(ev.Data)
			}
		}
		slices.Sort(took)
		use.share = float64(bytes) / (end - found).Seconds() / float64(imp.Bandwidth)
		use.median, use.p99 = took[len(took)/2], took[len(took)*99/100]
	})
	return use
}

// A savestate on its way uses the line nearly whole, and an input comes at most a
// frame later for it. Time is simulated: the figures are the same on any machine.
func TestBulkFillsTheLineAndLetsInputsPass(t *testing.T) {
	const frame = 17 * time.Millisecond
	const ms = time.Millisecond
	for _, x := range []struct {
		name  string
		imp   Impairment
		share float64
		p99   time.Duration
	}{
		{"2 MB/s, 40 ms", Impairment{Delay: 20 * ms, Bandwidth: 2e6, Queue: 256 << 10}, 0.9, frame},
		{"0.5 MB/s, 40 ms", Impairment{Delay: 20 * ms, Bandwidth: 500e3, Queue: 256 << 10}, 0.9, frame},
		{"1 MB/s, 10 ms", Impairment{Delay: 5 * ms, Bandwidth: 1e6, Queue: 64 << 10}, 0.9, frame},
		{"10 MB/s, 2 ms", Impairment{Delay: 1 * ms, Bandwidth: 10e6, Queue: 256 << 10}, 0.9, frame},
		{"4 MB/s, 100 ms", Impairment{Delay: 50 * ms, Bandwidth: 4e6, Queue: 256 << 10}, 0.9, 2 * frame},
		{"2 MB/s, 200 ms", Impairment{Delay: 100 * ms, Bandwidth: 2e6, Queue: 256 << 10}, 0.8, 4 * frame},
		{"1 MB/s with a short queue", Impairment{Delay: 20 * ms, Bandwidth: 1e6, Queue: 8 << 10}, 0.9, frame},
		{"2 MB/s with loss", Impairment{Delay: 50 * ms, Jitter: 10 * ms, Loss: 0.01, Bandwidth: 2e6, Queue: 256 << 10}, 0.85, 4 * frame},
	} {
		t.Run(x.name, func(t *testing.T) {
			use := fillLine(t, x.imp)
			t.Logf("%.0f %% of the line, inputs later by %v, 99 %% by at most %v", 100*use.share, use.median, use.p99)
			if use.share < x.share {
				t.Errorf("used %.0f %% of the line, want %.0f %%", 100*use.share, 100*x.share)
			}
			if use.p99 > x.p99 {
				t.Errorf("1 %% of inputs were later by %v, want at most %v", use.p99, x.p99)
			}
		})
	}
}

// Whatever the round trips, the window stays within its bounds.
func FuzzPace(f *testing.F) {
	f.Add([]byte{10, 10, 10, 200, 10, 0, 255, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		p := newPace()
		now := time.Unix(1000, 0)
		for i, c := range b {
			now = now.Add(time.Duration(c) * time.Millisecond)
			p.room(int(c))
			p.acked(now, time.Duration(c)*time.Duration(i%7)*time.Millisecond)
			p.lost(float64(c) / 255)
			if !(p.window >= paceLeast && p.window <= paceMost) || p.jitter < 0 {
				t.Fatalf("window %v, jitter %v", p.window, p.jitter)
			}
		}
	})
}
