//go:build unix

package session

import (
	"fmt"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/spectate"
	"github.com/nettplay/nettplay/internal/testing/memnet"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// atRate is a table at the DS' speed, over lines that take 20 ms and 2 MB/s.
func atRate(b *testing.B, players int, frames int64) (*table, *memnet.Network) {
	net := memnet.New(1, memnet.Impairment{Delay: 20 * time.Millisecond, Bandwidth: 2 << 20})
	tb := onNetwork(b, net, pocket(b), rom(b, romstest.Pad), players)
	tb.settings.Frames, tb.settings.HashEvery = frames, usualInterval()
	return tb, net
}

// stoodLongest is for how long any of these stood still at most since they were asked last.
func stoodLongest(players []*machine) (longest time.Duration) {
	for _, p := range players {
		longest = max(longest, p.stood())
	}
	return longest
}

// BenchmarkMigration is how long the others stand still when the game host leaves, or when
// its program dies. The goal is 2 s.
func BenchmarkMigration(b *testing.B) {
	for _, killed := range []bool{false, true} {
		b.Run(map[bool]string{false: "leaves", true: "killed"}[killed], func(b *testing.B) {
			var total time.Duration
			games := 0
			for b.Loop() {
				tb, net := atRate(b, 3, 300)
				for range 3 {
					tb.sit(plainly)
				}
				anna, others := tb.machines[0], tb.machines[1:]
				others[0].untilFrame(100)
				stoodLongest(others)
				anna.goes(net, killed)
				for _, p := range others {
					p.expect(notice.ResultOK)
				}
				total += stoodLongest(others)
				games++
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(total.Seconds()/float64(games), "s/migration")
		})
	}
}

// BenchmarkLateJoin is how long two players stand still at most when a third one comes into
// their game, early or when a place is made for it, over lines of 1 MB/s; how many frames
// they lose to all that, and how long the third one waits from its start until it plays.
// A late joiner gets the states of all consoles where no recording exists for it.
func BenchmarkLateJoin(b *testing.B) {
	for _, after := range []int64{100, spectate.OldCheckpoint + 60} {
		b.Run(fmt.Sprintf("after %d frames", after), func(b *testing.B) { benchmarkLateJoin(b, after, plainly) })
	}
	b.Run("with states", func(b *testing.B) {
		benchmarkLateJoin(b, 100, func(c *Config) {
			plainly(c)
			c.Recorder = replay.NewRecorder(replay.Config{Folder: "/proc/none"}) // which fails
		})
	})
}

func benchmarkLateJoin(b *testing.B, after int64, how func(*Config)) {
	var stood, waited, played time.Duration
	var frames int64
	games := 0
	for b.Loop() {
		net := memnet.New(1, memnet.Impairment{Delay: 20 * time.Millisecond, Bandwidth: 1 << 20})
		tb := onNetwork(b, net, pocket(b), rom(b, romstest.Pad), 2)
		tb.settings.Frames, tb.settings.HashEvery = after+1200, usualInterval()
		tb.settings.Seats = 3
		for range 2 {
			tb.sit(how)
		}
		others := tb.machines[:2]
		others[1].untilFrame(after)
		stoodLongest(others)
		began, from := time.Now(), others[0].newest()
		carla := tb.sit(how)
		carla.untilPlaying()
		waited += time.Since(began)
		carla.untilFrame(carla.newest() + 30)
		played, frames = played+time.Since(began), frames+others[0].newest()-from
		for _, p := range tb.machines {
			p.expect(notice.ResultOK)
		}
		stood += stoodLongest(others)
		games++
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(stood.Seconds()/float64(games), "s/standing-still")
	b.ReportMetric(waited.Seconds()/float64(games), "s/join-to-play")
	b.ReportMetric((played.Seconds()*ds.FrameRate-float64(frames))/float64(games), "frames-lost")
}
