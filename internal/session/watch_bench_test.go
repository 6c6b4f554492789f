package session

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/faults"
	"github.com/nettplay/nettplay/internal/testing/memnet"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// usualInterval is how often machines are compared unless a room says otherwise.
func usualInterval() int { return config.Defaults().Room.HashEvery }

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
