package mirror

import (
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/impair"
)

// Whole games over connections of all kinds, each with several seeds.
func TestGames(t *testing.T) {
	pair := [][]ds.Seat{{0}, {1}}
	star := [][]ds.Seat{{0}, {1}, {2}}
	full := [][]ds.Seat{{0, 1}, {2}, {3, 4}, {5}, {6}, {7}, {8, 9}, {10}}
	bad := simConfig{frames: 1500, delay: 4, line: impair.Impairment{Loss: 0.2, Duplicate: 0.1, Delay: 6 * tick, Jitter: 3 * tick}}
	tests := []struct {
		name   string
		change func(*simConfig)
	}{
		{"a perfect connection", func(c *simConfig) { *c = simConfig{frames: 500, delay: 4, seats: pair} }},
		{"no delay", func(c *simConfig) { c.seats, c.delay, c.frames = pair, 0, 300 }},
		{"two players", func(c *simConfig) { c.seats = pair }},
		{"three players", func(c *simConfig) { c.seats = star }},
		{"ten seats on eight machines", func(c *simConfig) { c.seats, c.frames = full, 400 }},
		{"the delay changes", func(c *simConfig) { c.seats, c.changes = star, 30 }},
		{"the delay changes all the time", func(c *simConfig) { c.seats, c.changes = pair, 2 }},
		{"half of it lost", func(c *simConfig) { c.seats, c.line.Loss, c.changes = star, 0.5, 50 }},
		{"a blackout", func(c *simConfig) {
			c.seats, c.blackout, c.changes = star, [2]time.Duration{200 * tick, 1200 * tick}, 50
		}},
		{"tiny datagrams", func(c *simConfig) { c.seats, c.budget, c.frames = star, 40, 500 }},
		{"a machine dies", func(c *simConfig) { c.seats, c.leave = star, map[int]int64{2: 700} }},
		{"all but one die", func(c *simConfig) {
			c.seats, c.leave, c.changes = full, map[int]int64{1: 30, 2: 30, 3: 31, 4: 90, 5: 91, 6: 100, 7: 200}, 30
			c.frames = 400
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for seed := range uint64(6) {
				cfg := bad
				cfg.seed = seed
				tt.change(&cfg)
				newSim(t, cfg).run()
			}
		})
	}
}
