package session

import (
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/model"
	romstest "github.com/nettplay/nettplay/roms-test"
)

func took(do func()) time.Duration {
	began := time.Now()
	do()
	return time.Since(began)
}

// BenchmarkStart is what two players wait from the moment at which both are ready
// until the first frame begins on both machines: four consoles in all.
func BenchmarkStart(b *testing.B) {
	core, game := desmume(b), rom(b, romstest.Pad)
	total, alone, games := time.Duration(0), time.Duration(0), 0
	for b.Loop() {
		alone += took(func() { model.StartConsole(b, core, game) })
		tb := newTable(b, core, game, 2)
		tb.settings.Frames = 1
		for range 2 {
			tb.sit(nil)
		}
		sameHashes(b, 1, tb.machines...)
		begun := tb.machines[0].begun
		if other := tb.machines[1].begun; other.After(begun) {
			begun = other
		}
		total += begun.Sub(tb.machines[0].asked)
		games++
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(total.Seconds()*1e3/float64(games), "ms/start")
	b.ReportMetric(alone.Seconds()*1e3/float64(games), "ms/start-of-one-console")
}
