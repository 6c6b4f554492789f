//go:build unix

package session

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/memnet"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/faults"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// usualInterval is how often machines are compared unless a room says otherwise.
func usualInterval() int { return config.Defaults().Room.HashEvery }

// BenchmarkHashing is what watching costs: a hash of a console, as a share of the time that
// there is for the frames from one to the next, which is to be 3 % at most; and of the work
// that they are.
// warmUp is how many frames pass until the program draws.
const warmUp = 60

func BenchmarkHashing(b *testing.B) {
	for _, tt := range []struct {
		name string
		core func(testing.TB) emucore.Core
		rom  []byte
	}{
		{"DeSmuME, draw3d", desmume, romstest.Draw3D},
		{"DeSmuME, pad", desmume, romstest.Pad},
		{"test core, pad", pocket, romstest.Pad},
	} {
		b.Run(tt.name, func(b *testing.B) {
			c := model.StartConsole(b, tt.core(b), rom(b, tt.rom))
			script := inputdelay.RandomScript(1, 4000)
			step := func() {
				if _, err := c.Step(script.At(c.Frame() % 4000)); err != nil {
					b.Fatal(err)
				}
			}
			for range warmUp {
				step()
			}
			var frames, hashes time.Duration
			every, n := usualInterval(), 0
			for b.Loop() {
				frames += worked(b, func() {
					for range every {
						step()
					}
				})
				hashes += worked(b, func() {
					if _, err := c.Hash(); err != nil {
						b.Fatal(err)
					}
				})
				n++
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(hashes.Seconds()*1e3/float64(n), "cpu-ms/hash")
			b.ReportMetric(100*hashes.Seconds()/frames.Seconds(), "%-of-the-work")
			b.ReportMetric(100*hashes.Seconds()/(float64(n)*ds.FrameTime(int64(every)).Seconds()), "%-of-the-time")
		})
	}
}

// worked is how much of a processor something takes, of this process and its consoles: what
// else the machine does weighs less on that than on how long it takes.
func worked(b *testing.B, do func()) time.Duration {
	before := processorTime(b)
	do()
	return processorTime(b) - before
}

func processorTime(b *testing.B) (sum time.Duration) {
	clocks := []int32{unix.CLOCK_PROCESS_CPUTIME_ID}
	tasks, _ := filepath.Glob("/proc/self/task/*/children")
	for _, t := range tasks {
		text, _ := os.ReadFile(t)
		for _, word := range strings.Fields(string(text)) {
			if pid, err := strconv.Atoi(word); err == nil {
				clocks = append(clocks, int32(^pid<<3|unix.CLOCK_PROCESS_CPUTIME_ID)) // as clock_getcpuclockid has it
			}
		}
	}
	for _, clock := range clocks {
		var t unix.Timespec
		must.Succeed(b, unix.ClockGettime(clock, &t))
		sum += time.Duration(t.Nano())
	}
	return sum
}

// counted is a line whose reports of hashes are counted.
type counted struct {
	link.Link
	mu    sync.Mutex
	bytes int64
}

// reportKind is the first byte of a report of hashes; see package host.
const reportKind = 18

func (c *counted) Send(p link.PeerID, ch link.Channel, b []byte) error {
	if ch == link.Control && len(b) > 0 && b[0] == reportKind {
		c.mu.Lock()
		c.bytes += int64(len(b))
		c.mu.Unlock()
	}
	return c.Link.Send(p, ch, b)
}

// BenchmarkWatchTraffic counts the bytes of hashes that a machine sends to the game host
// in a second of play, without the link's own headers. The goal is 200 at most.
func BenchmarkWatchTraffic(b *testing.B) {
	for _, players := range []int{2, 4} {
		b.Run(fmt.Sprint(players, " players"), func(b *testing.B) {
			const frames = 600
			var bytes int64
			games := 0
			for b.Loop() {
				tb := newTable(b, pocket(b), rom(b, romstest.Pad), players)
				tb.settings.Frames, tb.settings.HashEvery = frames, usualInterval()
				var line *counted
				for i := range players {
					tb.sit(func(c *Config) {
						if i == 1 {
							line = &counted{Link: c.Link}
							c.Link = line
						}
					})
				}
				sameHashes(b, frames, tb.machines...)
				bytes += line.bytes
				games++
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(bytes)/float64(games)/ds.FrameTime(frames).Seconds(), "bytes/s-a-peer")
		})
	}
}

// stopwatch notes when something was first said to a player.
type stopwatch struct {
	mu sync.Mutex
	at map[string]time.Time
}

func (s *stopwatch) stop(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.at == nil {
		s.at = make(map[string]time.Time)
	}
	if s.at[what].IsZero() {
		s.at[what] = time.Now()
	}
}

func (s *stopwatch) hears(n notice.Notice) {
	m, ok := n.(notice.Message)
	for _, words := range []string{"differs in", "lost a console", "match again"} {
		if ok && strings.Contains(m.Text, words) {
			s.stop(words)
		}
	}
}

func (s *stopwatch) between(a, b string) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.at[b].Sub(s.at[a])
}

// disturbed plays a game of two at the DS' speed, of which something goes wrong on the
// second machine, and returns when what was said. The line takes 20 ms and 2 MB/s.
func disturbed(b *testing.B, core emucore.Core, at int64, wrong func(*Config)) *stopwatch {
	net := memnet.New(1, memnet.Impairment{Delay: 20 * time.Millisecond, Bandwidth: 2 << 20})
	tb := onNetwork(b, net, core, rom(b, romstest.Pad), 2)
	tb.settings.Frames, tb.settings.HashEvery = at+240, usualInterval()
	watch := new(stopwatch)
	for i := range 2 {
		tb.sit(func(c *Config) {
			c.MaxSpeed = false
			if i == 0 {
				notify := c.Notify
				c.Notify = func(n notice.Notice) {
					watch.hears(n)
					notify(n)
				}
				return
			}
			wrong(c)
			show := c.Show
			c.Show = func(seat ds.Seat, f emucore.Frame) {
				if f.Number == at-1 {
					watch.stop("wrong")
				}
				if show != nil {
					show(seat, f)
				}
			}
		})
	}
	for _, p := range tb.machines {
		if r := p.expect(notice.ResultOK); r.Resyncs != 1 {
			b.Fatalf("%s: %d resyncs", p.name, r.Resyncs)
		}
	}
	return watch
}

// BenchmarkDesync is what a player sees of a console that goes wrong, right after a
// comparison, which is the worst moment: how long it takes until that is known, at most
// 1 s, and from then on until everybody plays again, 2 s and what the states need on
// the line.
func BenchmarkDesync(b *testing.B) {
	core := desmume(b)
	var detect, repair time.Duration
	games := 0
	for b.Loop() {
		at := int64(4*usualInterval() + 1)
		w := disturbed(b, core, at, func(c *Config) { c.TestConsole = faults.Fault{Frame: at}.Console })
		detect += w.between("wrong", "differs in")
		repair += w.between("differs in", "match again")
		games++
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(detect.Seconds()/float64(games), "s/detection")
	b.ReportMetric(detect.Seconds()/float64(games)*ds.FrameRate, "frames/detection")
	b.ReportMetric(repair.Seconds()/float64(games), "s/repair")
}

// BenchmarkCrash is how long it takes from the crash of a console until everybody plays
// again. The goal is 3 s.
func BenchmarkCrash(b *testing.B) {
	core := pocket(b)
	var total time.Duration
	games := 0
	for b.Loop() {
		const at = 120
		w := disturbed(b, core, at, func(c *Config) {
			c.TestOptions = map[string]string{"testcore_fault": "segv", "testcore_fault_at": fmt.Sprint(at)}
		})
		total += w.between("wrong", "match again")
		games++
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(total.Seconds()/float64(games), "s/crash-to-play")
}

// BenchmarkBeside is what a game of two at the DS' speed loses to a recording that is
// played again beside it, as two consoles of the lowest priority that never rest: frames
// a second, and how long the slowest hundredth of them takes.
func BenchmarkBeside(b *testing.B) {
	core, game := desmume(b), rom(b, romstest.Draw3D)
	const frames = 300
	play := func() (fps, p99 float64) {
		tb := newTable(b, core, game, 2)
		tb.settings.Frames = frames
		for range 2 {
			tb.sit(func(c *Config) { c.MaxSpeed = false })
		}
		sameHashes(b, frames, tb.machines...)
		ran := time.Since(tb.machines[0].begun)
		return frames / ran.Seconds(), tb.machines[0].report.Step.P99
	}
	var alone, beside [2]float64
	add := func(sum *[2]float64) {
		fps, p99 := play()
		sum[0], sum[1] = sum[0]+fps, sum[1]+p99
	}
	games := 0.0
	for b.Loop() {
		add(&alone)
		var again sync.WaitGroup
		stop := make(chan struct{})
		for range 2 {
			c, err := emucore.Start(b.Context(), emucore.Config{Core: core, ROM: game, RTC: 1_256_409_000, Background: true})
			must.Succeed(b, err)
			again.Go(func() {
				defer c.Close()
				for {
					select {
					case <-stop:
						return
					default:
					}
					if _, err := c.Skip(emucore.Input{}, 10); err != nil {
						b.Error(err)
						return
					}
				}
			})
		}
		add(&beside)
		close(stop)
		again.Wait()
		games++
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(alone[0]/games, "fps-alone")
	b.ReportMetric(beside[0]/games, "fps-beside")
	b.ReportMetric(alone[1]/games, "p99-ms-alone")
	b.ReportMetric(beside[1]/games, "p99-ms-beside")
}
