package emucore

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/air"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// BenchmarkRadio is a shared game of 1 to 4 consoles, played in parallel and one
// console at a time in turns of some frames, so that both see the same machine. The
// figures are of the parallel one:
//
//	ms/frame       real time of a frame of all consoles; p99-ms is the slowest of a hundred
//	slowest-ms     core time of the slowest console, which others do not disturb
//	sum-ms         core time of all consoles: one after the other without hand-overs
//	handover-ms    what one at a time costs beyond that
//	x-slowest, x-sum, x-serial  ms/frame as a part of these and of one at a time
//
// Core times are those of the game played one console at a time: only there a
// console never shares a processor with another.
//
// docs/decisions/0017-what-two-processors-can-do.md says what two processors allow.
// The figures are worth something only where nothing else runs: consoles wait for
// whichever of them another program keeps from running, and one at a time leaves that
// program the other processor. A better nice value does not help between programs of
// different sessions where the kernel groups them (sched_autogroup_enabled).
func BenchmarkRadio(b *testing.B) {
	for n := 1; n <= 4; n++ {
		b.Run(fmt.Sprintf("testcore/%d", n), func(b *testing.B) {
			benchRadio(b, pocketGame(b, n, 0, "radio", "mac", "cpu_load", "256"), 60)
		})
		b.Run(fmt.Sprintf("real/%d", n), func(b *testing.B) {
			benchRadio(b, realGame(b, "multiplay.nds", n, 0), 250)
		})
	}
}

func benchRadio(b *testing.B, g *radioGame, first int64) {
	one := *g
	one.air.Serial = true
	all, serial := newLap(b, g, first), newLap(b, &one, first)
	turns(b, all, serial)
	ms, sum := all.perFrame(all.wall), serial.perFrame(serial.core())
	slowest, oneByOne := serial.perFrame(slices.Max(serial.took)), serial.perFrame(serial.wall)
	b.ReportMetric(ms, "ms/frame")
	b.ReportMetric(slowest, "slowest-ms")
	b.ReportMetric(sum, "sum-ms")
	b.ReportMetric(oneByOne-sum, "handover-ms")
	b.ReportMetric(ms/slowest, "x-slowest")
	b.ReportMetric(ms/sum, "x-sum")
	b.ReportMetric(ms/oneByOne, "x-serial")
	slices.Sort(all.steps)
	b.ReportMetric(all.steps[(len(all.steps)-1)*99/100].Seconds()*1000, "p99-ms")
	all.reportAir(b)
}

// BenchmarkRadioApart is 1 to 4 test cores that have an air each and so nobody to wait
// for: x-sum is the real time of a frame of all, side by side, as a part of their core
// time one after the other. Everything beyond one by the number of processors is the
// machine's and our parent's, and no schedule of the air can take it away.
func BenchmarkRadioApart(b *testing.B) {
	for n := 1; n <= 4; n++ {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			g := pocketGame(b, n, 0, "radio", "mac", "cpu_load", "256")
			g.apart = true
			beside, after := newLap(b, g, 60), newLap(b, g, 60)
			after.inTurn = true
			turns(b, beside, after)
			b.ReportMetric(beside.perFrame(beside.wall), "ms/frame")
			b.ReportMetric(float64(beside.wall)/float64(after.core()), "x-sum")
		})
	}
}

// BenchmarkRadioIdle is two consoles whose radios only listen, or (broadcast) send
// one packet a frame, against the same two without a radio, and against two that have
// an air each and so nobody to wait for: that is what the radio costs inside the core,
// which nothing here can take away.
//
//	ms/frame     real time of a frame of both consoles
//	x-without    as a part of that without a radio
//	x-apart      as a part of that with an air for each
//	floor        of those with an air each, as a part of that without a radio
//	cpu-without, cpu-floor  as x-without and floor, of the workers' processor time:
//	             what is left of x-without is waiting for each other
//
// Consoles that wait for each other are as slow as the slower one at each stop, so that
// here x-without is 1.05 if a hand-over takes no time at all.
func BenchmarkRadioIdle(b *testing.B) {
	b.Run("testcore", func(b *testing.B) {
		benchIdle(b, pocketGame(b, 2, 0, "radio", "idle", "cpu_load", "256"))
	})
	b.Run("listening", func(b *testing.B) {
		benchIdle(b, quietGame(b, 2, 0))
	})
	b.Run("broadcast", func(b *testing.B) {
		benchIdle(b, realGame(b, "broadcast.nds", 2, 0))
	})
}

func benchIdle(b *testing.B, g *radioGame) {
	g.still = true
	deaf, apart := *g, *g
	deaf.deaf, apart.apart = true, true
	with, without, floor := newLap(b, g, 60), newLap(b, &deaf, 60), newLap(b, &apart, 60)
	turns(b, with, without, floor)
	b.ReportMetric(with.perFrame(with.wall), "ms/frame")
	b.ReportMetric(float64(with.wall)/float64(without.wall), "x-without")
	b.ReportMetric(float64(with.wall)/float64(floor.wall), "x-apart")
	b.ReportMetric(float64(floor.wall)/float64(without.wall), "floor")
	b.ReportMetric(float64(with.cpu)/float64(without.cpu), "cpu-without")
	b.ReportMetric(float64(floor.cpu)/float64(without.cpu), "cpu-floor")
	with.reportAir(b)
}

// BenchmarkRadioPlain is with grants and without: then clients wait for their host
// where they could pass the time beside it.
func BenchmarkRadioPlain(b *testing.B) {
	g := pocketGame(b, 2, 0, "radio", "mac", "cpu_load", "256", "radio_runahead", "disabled")
	plain := *g
	plain.air.Plain = true
	with, without := newLap(b, g, 60), newLap(b, &plain, 60)
	turns(b, with, without)
	b.ReportMetric(with.perFrame(with.wall), "ms/frame")
	b.ReportMetric(without.perFrame(without.wall), "ms-plain")
	b.ReportMetric(float64(with.wall)/float64(without.wall), "x-plain")
	with.reportAir(b)
}

// lap is a game whose time is taken.
type lap struct {
	*radioRoom
	inTurn bool // a console plays when the one before is done; they must not wait for each other
	frames int
	before air.Status
	wall   time.Duration
	cpu    time.Duration   // of the workers
	took   []time.Duration // in the core, by seat
	steps  []time.Duration // each frame's real time at seat 0
}

// newLap plays a game's first frames, which count for nothing.
func newLap(b *testing.B, g *radioGame, first int64) *lap {
	b.Helper()
	l := &lap{radioRoom: g.open(b), took: make([]time.Duration, g.consoles)}
	must.Succeed(b, errors.Join(l.run(first)...))
	l.before = l.status()
	return l
}

// turns plays b.N frames of each game, some of one and some of the other.
func turns(b *testing.B, laps ...*lap) {
	b.Helper()
	const turn = 30
	b.ResetTimer()
	for left := b.N; left > 0; left -= turn {
		for _, l := range laps {
			l.play(b, min(turn, left))
		}
	}
	b.StopTimer()
}

func (l *lap) play(b *testing.B, n int) {
	b.Helper()
	l.frame += int64(n)
	l.frames += n
	must.Succeed(b, errors.Join(l.air.Resume(), l.air.StopAt(l.frame)))
	cpu, start := l.worked(), time.Now()
	var all sync.WaitGroup
	for seat := range l.on {
		all.Go(func() {
			if err := l.seat(ds.Seat(seat)); err != nil {
				b.Error(err)
			}
		})
		if l.inTurn {
			all.Wait()
		}
	}
	all.Wait()
	l.wall += time.Since(start)
	l.cpu += l.worked() - cpu
}

// worked is the processor time of all workers.
func (l *lap) worked() (sum time.Duration) {
	for _, c := range l.on {
		d, _ := cpuTime(c.proc.pid())
		sum += d
	}
	return sum
}

// seat plays a console. A machine shows one of them, the first.
func (l *lap) seat(seat ds.Seat) error {
	c := l.on[seat]
	play := c.Advance
	if seat == 0 {
		play = c.Step
	}
	for f := c.Frame(); f < l.frame; f++ {
		start := time.Now()
		frame, err := play(l.game.keys(seat, f))
		if err != nil {
			return err
		}
		l.took[seat] += frame.Took
		if seat == 0 {
			l.steps = append(l.steps, time.Since(start))
		}
	}
	return nil
}

// perFrame is milliseconds.
func (l *lap) perFrame(d time.Duration) float64 {
	return d.Seconds() * 1000 / float64(l.frames)
}

func (l *lap) core() (sum time.Duration) {
	for _, d := range l.took {
		sum += d
	}
	return sum
}

func (l *lap) reportAir(b *testing.B) {
	b.Helper()
	after := l.status()
	count := func(n uint64, unit string) { b.ReportMetric(float64(n)/float64(l.frames), unit) }
	var stops uint64
	for i := range after.Consoles {
		stops += after.Consoles[i].Stops - l.before.Consoles[i].Stops
	}
	count(after.Rounds-l.before.Rounds, "rounds/frame")
	count(after.Packets-l.before.Packets, "packets/frame")
	count(stops, "stops/frame")
}
