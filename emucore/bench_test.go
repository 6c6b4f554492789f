package emucore

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
)

// benchConsole starts a DeSmuME with a ROM of ours and gets it past its start.
func benchConsole(b *testing.B) *Console {
	b.Helper()
	if _, err := os.Stat(desmumePath()); err != nil {
		b.Skipf("the default core is not installed: %s", AptLine)
	}
	core := opened(b, desmumePath())
	rom, err := OpenROM(filepath.Join(testcore.Root(), "roms-test/pad.nds"))
	must.Succeed(b, err)
	c, err := Start(context.Background(), Config{Core: core, ROM: rom, Firmware: ds.Firmware{Language: 1}})
	must.Succeed(b, err)
	b.Cleanup(func() { c.Close() })
	if _, err := c.Skip(Input{}, 100); err != nil {
		b.Fatal(err)
	}
	return c
}

// BenchmarkRawRun is the core alone: the worker runs 100 frames per request.
// Everything else is to be held against this.
func BenchmarkRawRun(b *testing.B) {
	c := benchConsole(b)
	b.ResetTimer()
	for left := b.N; left > 0; left -= 100 {
		if _, err := c.Skip(Input{}, min(left, 100)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkStep is one console, frame by frame.
func BenchmarkStep(b *testing.B) {
	c := benchConsole(b)
	var core time.Duration
	b.ResetTimer()
	for range b.N {
		f, err := c.Step(Input{})
		must.Succeed(b, err)
		core += f.Took
	}
	b.ReportMetric(float64(core.Nanoseconds())/float64(b.N), "core-ns/op")
}

// BenchmarkTwoConsoles is two consoles that do a frame at the same time, and
// wait for each other after it.
func BenchmarkTwoConsoles(b *testing.B) { benchTwo(b, 1) }

// BenchmarkTwoRaw is the two of them for 100 frames a request: what the machine's
// cores are worth together.
func BenchmarkTwoRaw(b *testing.B) { benchTwo(b, 100) }

func benchTwo(b *testing.B, frames int) {
	var jobs, done [2]chan int
	for i := range jobs {
		c := benchConsole(b)
		jobs[i], done[i] = make(chan int), make(chan int)
		go func() {
			for n := range jobs[i] {
				if _, err := c.Skip(Input{}, n); err != nil {
					b.Error(err)
				}
				done[i] <- n
			}
		}()
	}
	b.ResetTimer()
	for left := b.N; left > 0; left -= frames {
		n := min(left, frames)
		jobs[0] <- n
		jobs[1] <- n
		<-done[0]
		<-done[1]
	}
	b.StopTimer()
	close(jobs[0])
	close(jobs[1])
}

// BenchmarkExchange measures what a step costs besides the core: a core that does
// nothing, with a picture of one pixel and a full DS picture.
func BenchmarkExchange(b *testing.B) {
	for name, size := range map[string][2]string{"pixel": {"1", "1"}, "screens": {"256", "384"}} {
		b.Run(name, func(b *testing.B) {
			c, err := world(b, "quiet", "yes", "width", size[0], "height", size[1])
			must.Succeed(b, err)
			var core time.Duration
			b.ResetTimer()
			for range b.N {
				f, err := c.Step(Input{})
				must.Succeed(b, err)
				core += f.Took
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds()-core.Nanoseconds())/float64(b.N), "beside-core-ns/op")
		})
	}
}

func BenchmarkHash(b *testing.B) {
	c := benchConsole(b)
	for b.Loop() {
		if _, err := c.Hash(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSaveLoad(b *testing.B) {
	c := benchConsole(b)
	for b.Loop() {
		s, err := c.Save()
		must.Succeed(b, err)
		must.Succeed(b, c.Load(s))
	}
}

func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		benchConsole(b).Close()
	}
}
