package emucore

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/air"
)

// BenchmarkRadio is a shared game of 1 to 4 consoles, in parallel and one at a
// time; an operation is a frame of all of them. Beside that: the time of the
// slowest console alone in its core, and that of all cores together (both are
// real time, so they are too long where consoles share a processor: look at
// serial), the slowest of a hundred frames, polls and rounds a frame.
func BenchmarkRadio(b *testing.B) {
	for n := 1; n <= 4; n++ {
		for _, serial := range []bool{false, true} {
			how := map[bool]string{false: "parallel", true: "serial"}[serial]
			b.Run(fmt.Sprintf("testcore/%d/%s", n, how), func(b *testing.B) {
				g := pocketGame(b, n, 0, "radio", "mac", "cpu_load", "256")
				g.air.Serial = serial
				benchRadio(b, g, 60)
			})
			b.Run(fmt.Sprintf("real/%d/%s", n, how), func(b *testing.B) {
				g := realGame(b, "multiplay.nds", n, 0)
				g.air.Serial = serial
				benchRadio(b, g, 250)
			})
		}
	}
}

// BenchmarkRadioIdle is two consoles whose radios only listen, and the same two
// without a radio.
func BenchmarkRadioIdle(b *testing.B) {
	for _, radio := range []bool{true, false} {
		b.Run(fmt.Sprintf("radio=%v", radio), func(b *testing.B) {
			g := pocketGame(b, 2, 0, "radio", "idle", "cpu_load", "256")
			g.deaf = !radio
			benchRadio(b, g, 30)
		})
	}
}

// BenchmarkRadioPlain is without grants: clients wait for their host where they
// could pass the time beside it.
func BenchmarkRadioPlain(b *testing.B) {
	g := pocketGame(b, 2, 0, "radio", "mac", "cpu_load", "256", "radio_runahead", "disabled")
	for _, plain := range []bool{false, true} {
		b.Run(fmt.Sprintf("grants=%v", !plain), func(b *testing.B) {
			g.air.Plain = plain
			benchRadio(b, g, 60)
		})
	}
}

// benchRadio measures b.N frames after the first ones.
func benchRadio(b *testing.B, g *radioGame, first int64) {
	r := g.open(b)
	defer r.close()
	if err := errors.Join(r.run(first)...); err != nil {
		b.Fatal(err)
	}
	before := r.status()
	to := first + int64(b.N)
	if err := errors.Join(r.air.Resume(), r.air.StopAt(to)); err != nil {
		b.Fatal(err)
	}
	took := make([]time.Duration, len(r.on))
	steps := make([]time.Duration, 0, b.N)
	var all sync.WaitGroup
	b.ResetTimer()
	for i, c := range r.on {
		all.Go(func() {
			for f := c.Frame(); f < to; f++ {
				start := time.Now()
				frame, err := c.Step(g.keys(i, f))
				if err != nil {
					b.Error(err)
					return
				}
				took[i] += frame.Took
				if i == 0 {
					steps = append(steps, time.Since(start))
				}
			}
		})
	}
	all.Wait()
	b.StopTimer()
	reportRadio(b, before, r.status(), took, steps)
}

func reportRadio(b *testing.B, before, after air.Status, took, steps []time.Duration) {
	perFrame := func(v float64, unit string) { b.ReportMetric(v/float64(b.N), unit) }
	var sum time.Duration
	for _, d := range took {
		sum += d
	}
	perFrame(b.Elapsed().Seconds()*1000, "ms/frame")
	perFrame(sum.Seconds()*1000, "cores-ms/frame")
	perFrame(slices.Max(took).Seconds()*1000, "slowest-ms/frame")
	perFrame(float64(after.Rounds-before.Rounds), "rounds/frame")
	perFrame(float64(after.Packets-before.Packets), "packets/frame")
	var polls uint64
	for i := range after.Consoles {
		polls += after.Consoles[i].Stops - before.Consoles[i].Stops
	}
	perFrame(float64(polls), "stops/frame")
	if slices.Sort(steps); len(steps) > 0 {
		b.ReportMetric(steps[(len(steps)-1)*99/100].Seconds()*1000, "p99-ms")
	}
}
