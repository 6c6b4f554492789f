// Package link needs cgo.

//go:build cgo

package savestate

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nettplay/nettplay/internal/link/memnet"
)

// uploadLines are the lines on which controllers are compared.
var uploadLines = []struct {
	name string
	imp  memnet.Impairment
}{
	{"0.25 MB/s, 40 ms", memnet.Impairment{Delay: 20 * ms, Bandwidth: 250e3}},
	{"0.5 MB/s, 40 ms", memnet.Impairment{Delay: 20 * ms, Bandwidth: 500e3}},
	{"0.5 MB/s, 150 ms, 1 MiB queue", memnet.Impairment{Delay: 75 * ms, Bandwidth: 500e3, Queue: 1 << 20}},
	{"1 MB/s, 10 ms", memnet.Impairment{Delay: 5 * ms, Bandwidth: 1e6}},
	{"1 MB/s, 40 ms, 16 KiB queue", memnet.Impairment{Delay: 20 * ms, Bandwidth: 1e6, Queue: 16 << 10}},
	{"1 MB/s, 60 ms, jitter 10 ms", memnet.Impairment{Delay: 30 * ms, Bandwidth: 1e6, Jitter: 10 * ms}},
	{"1 MB/s, 40 ms, loss 5 %", memnet.Impairment{Delay: 20 * ms, Bandwidth: 1e6, Loss: 0.05}},
	{"2 MB/s, 20 ms, loss 1 %", memnet.Impairment{Delay: 10 * ms, Bandwidth: 2e6, Loss: 0.01}},
	{"2 MB/s, 40 ms", memnet.Impairment{Delay: 20 * ms, Bandwidth: 2e6}},
	{"2 MB/s, 100 ms", memnet.Impairment{Delay: 50 * ms, Bandwidth: 2e6}},
	{"2 MB/s, 100 ms, 1 MiB queue", memnet.Impairment{Delay: 50 * ms, Bandwidth: 2e6, Queue: 1 << 20}},
	{"2 MB/s, 100 ms, jitter 10 ms, loss 1 %", memnet.Impairment{Delay: 50 * ms, Jitter: 10 * ms, Loss: 0.01, Bandwidth: 2e6}},
	{"5 MB/s, 20 ms", memnet.Impairment{Delay: 10 * ms, Bandwidth: 5e6}},
	{"5 MB/s, 100 ms", memnet.Impairment{Delay: 50 * ms, Bandwidth: 5e6}},
	{"20 MB/s, 20 ms", memnet.Impairment{Delay: 10 * ms, Bandwidth: 20e6}},
}

// TestUploadFigures prints what decisions about the upload rest on.
func TestUploadFigures(t *testing.T) {
	if os.Getenv("UPLOAD_FIGURES") == "" {
		t.Skip("set UPLOAD_FIGURES to print the table")
	}
	for _, x := range uploadLines {
		if only := os.Getenv("UPLOAD_LINE"); only != "" && !strings.Contains(x.name, only) {
			continue
		}
		for _, size := range []int{3e6, min(10*x.imp.Bandwidth, 60e6)} {
			synctest.Test(t, func(t *testing.T) {
				fmt.Printf("| %s | %4.1f MB | %s |\n", x.name, float64(size)/1e6, figures(t, x.imp, size))
			})
		}
	}
}

// figures uploads a part and says how long that took, how much of the line it used, and by how
// much later inputs came: the middle one, the worst hundredth, the worst.
func figures(t *testing.T, imp memnet.Impairment, size int) string {
	m := memnet.New(3, imp)
	to, from := m.Listen("to"), m.Listen("from")
	t.Cleanup(func() { to.Close(); from.Close() })
	a, b := joined(t, from, to, "to")
	time.Sleep(time.Second)
	idle := a.takeTrips()
	var p Part
	a.call(func() {
		p = mustPut(t, a.store, KindState, noise(1, size))
		a.x.Offer(manifestOf(0, p))
	})
	begin := time.Now()
	b.call(func() { b.x.Fetch([]Part{p}) })
	for b.fetched() < p.PackedSize && time.Since(begin) < 5*time.Minute {
		time.Sleep(5 * ms)
	}
	took := time.Since(begin)
	given := float64(imp.Bandwidth) * (1 - imp.Loss) * datagramShare
	trips := a.takeTrips()
	if st, ok := from.Stats(a.peer); ok && os.Getenv("UPLOAD_LINE") != "" {
		fmt.Printf("sent again: %d of %d\n", st.Repaired, st.SentDatagrams)
	}
	at := func(q int) float64 {
		return float64(trips[min(len(trips)*q/1000, len(trips)-1)]-idle[min(len(idle)*q/1000, len(idle)-1)]) / 1e6
	}
	return fmt.Sprintf("%5.2f s | %3.0f %% | %4.1f / %4.1f / %4.1f ms", took.Seconds(),
		100*float64(p.PackedSize)/took.Seconds()/given, at(500), at(990), at(1000))
}
