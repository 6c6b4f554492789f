package session

import (
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// atRate is a table at the DS' speed, over lines that take 20 ms and 2 MB/s.
func atRate(b *testing.B, players int, frames int64) (*table, *link.Memory) {
	net := link.NewMemory(1, link.Impairment{Delay: 20 * time.Millisecond, Bandwidth: 2 << 20})
	tb := onNetwork(b, net, pocket(b), rom(b, romstest.Pad), players)
	tb.settings.Frames, tb.settings.HashEvery = frames, usualInterval()
	return tb, net
}

func plainly(c *Config) { c.MaxSpeed = false }

// stoodLongest is for how long any of these stood still at most since they were asked last.
func stoodLongest(players []*player) (longest time.Duration) {
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
				if killed {
					net.Cut("Anna")
				} else {
					anna.stop()
				}
				for _, p := range others {
					p.expect(ResultOK)
				}
				total += stoodLongest(others)
				games++
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(total.Seconds()/float64(games), "s/migration")
		})
	}
}

// BenchmarkLateJoin is how long two players stand still when a third one comes into their
// game, and how long that one waits from its start until it plays.
func BenchmarkLateJoin(b *testing.B) {
	var stood, waited time.Duration
	games := 0
	for b.Loop() {
		tb, _ := atRate(b, 2, 420)
		tb.settings.Seats = 3
		for range 2 {
			tb.sit(plainly)
		}
		others := tb.machines[:2]
		others[1].untilFrame(100)
		stoodLongest(others)
		began := time.Now()
		carla := tb.sit(plainly)
		carla.untilPlaying()
		waited += time.Since(began)
		for _, p := range tb.machines {
			p.expect(ResultOK)
		}
		stood += stoodLongest(others)
		games++
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(stood.Seconds()/float64(games), "s/standing-still")
	b.ReportMetric(waited.Seconds()/float64(games), "s/join-to-play")
}
