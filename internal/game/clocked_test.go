package game

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/impair"
)

// bursts is a line that loses a tenth of what it carries, in bursts.
var bursts = impair.Impairment{Delay: 30 * time.Millisecond, Jitter: 10 * time.Millisecond, BurstShare: 0.1, BurstMean: 150 * time.Millisecond}

// A line that loses much spoils nothing for the others: they play at full speed, and its own
// machine is back in step as soon as it loses nothing. All play the same.
func TestOneBadLine(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			w := newWorldOf(t, seed, 4, 6, true)
			bad := 1 + int(seed%3)
			w.set(bursts, bad)
			w.run(60*time.Second, func(ms int) {
				if ms == 55_000 {
					for i, m := range w.machines {
						if behind := w.machines[0].g.Slowest() - m.g.Slowest(); behind > 16 {
							t.Errorf("machine %d is %d frames behind the game host, 10 s after the line is good", i, behind)
						}
					}
					w.decide(timeline.Decision{Kind: timeline.End})
				}
				if ms == 45_000 {
					w.set(usual, bad)
					if w.machines[0].g.Repeated(ds.Seat(bad)) == 0 {
						t.Error("nothing was repeated for the machine with the bad line")
					}
					for i, m := range w.machines {
						rate := float64(m.g.OwnFrames()) / (45 * ds.FrameRate)
						t.Logf("machine %d: %.4f of full speed, %d frames, repeated %d of late, stalls %+v", i, rate, m.g.OwnFrames(), w.machines[0].g.Repeated(ds.Seat(i)), m.g.Stalls())
						if i != bad && rate < 0.999 {
							t.Errorf("machine %d plays at %.4f of full speed", i, rate)
						}
					}
				}
			})
			w.check()
		})
	}
}

// On any network all machines run every console with the same inputs.
func TestClockedMachinesAgree(t *testing.T) {
	for machines := 2; machines <= 4; machines++ {
		for seed := range uint64(4) {
			t.Run(fmt.Sprintf("%d machines, seed %d", machines, seed), func(t *testing.T) {
				w := newWorldOf(t, seed, machines, []int{0, 4, 9, 30}[seed], true)
				w.set(bad)
				w.machines[machines-1].slow = 14 * time.Millisecond
				w.run(60*time.Second, w.delays(8, 2, 30, 0, 1, 12))
				w.check()
			})
		}
	}
}

// On good lines no sample is late once the clocks stand right, if the input delay is longer
// than the round trip, and each press takes effect the delay later.
func TestClockedGoodLines(t *testing.T) {
	w := newWorldOf(t, 1, 3, 9, true)
	w.steady = true
	w.set(even(40*time.Millisecond, 5*time.Millisecond))
	const from, to = 900, 1400 // frames in which nothing else happens
	w.run(60*time.Second, func(ms int) {
		if ms != 25_000 {
			return
		}
		for i := range ds.Seat(3) {
			if n := w.machines[0].g.Repeated(i); n > 0 {
				t.Errorf("seat %d: %d of the last %d frames repeated on good lines", i, n, inputdelay.Recent)
			}
		}
		w.decide(timeline.Decision{Kind: timeline.End})
	})
	w.check()
	for i, m := range w.machines {
		if got := m.models[i].Ran()[from:to]; !slices.Equal(got, w.reference(ds.Seat(i), m.script, w.end, Never)[from:to]) {
			t.Errorf("seat %d: its player's samples are not at the input delay", i)
		}
	}
}

// A machine that is cut off for seconds holds up nobody, and catches up by itself; one that
// stays away is waited for before inputs cannot be kept for it any more.
func TestClockedBlackout(t *testing.T) {
	for _, away := range []time.Duration{5 * time.Second, 20 * time.Second} {
		t.Run(away.String(), func(t *testing.T) {
			w := newWorldOf(t, 5, 3, 4, true)
			var at, waited int64
			w.run(60*time.Second, func(ms int) {
				switch ms {
				case 3000:
					w.dark(true, 2)
					at = w.machines[1].g.OwnFrames()
				case 3000 + int(away/time.Millisecond):
					w.dark(false, 2)
					waited = w.machines[1].g.OwnFrames() - at
				case 30_000:
					if behind := w.machines[0].g.Slowest() - w.machines[2].g.Slowest(); behind > 12 {
						t.Errorf("the machine is %d frames behind still", behind)
					}
					w.decide(timeline.Decision{Kind: timeline.End})
				}
			})
			w.check()
			full := int64(away.Seconds() * ds.FrameRate)
			switch stalls := w.machines[0].g.Stalls(); {
			case away < 6*time.Second && (waited < full-2 || stalls.Count > 0):
				t.Errorf("the others played %d frames of %d meanwhile, stalls %+v", waited, full, stalls)
			case away > 7*time.Second && (waited > maxLag+40 || stalls.Count == 0):
				t.Errorf("the others played %d frames, of which inputs are kept for %d; stalls %+v", waited, maxLag, stalls)
			}
		})
	}
}

// Machines vanish at any moment, pauses come and go.
func TestClockedMachinesVanish(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			w := newWorldOf(t, seed, 4, int(seed), true)
			w.set(leaky)
			w.run(60*time.Second, func(ms int) {
				switch ms {
				case 700 + 100*int(seed):
					w.vanish(1 + int(seed%3))
				case 1800:
					w.decide(timeline.Decision{Kind: timeline.Pause})
				case 3300:
					w.decide(timeline.Decision{Kind: timeline.Resume})
				case 5000:
					w.decide(timeline.Decision{Kind: timeline.End})
				}
			})
			w.check()
		})
	}
}

// The game host dies at any moment; another machine stamps on where it has ended, and all
// that are left play the same.
func TestClockedMigration(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			w := newWorldOf(t, seed, 4, int(seed%7), true)
			w.set(bad)
			if seed%2 == 0 {
				worse := bad
				worse.Loss = 0.7
				w.set(worse, 1)
			}
			w.run(60*time.Second, func(ms int) {
				switch ms {
				case 2000 + 11*int(seed):
					w.elect(1)
				case 4000:
					w.set(bad)
				case 6000:
					w.decide(timeline.Decision{Kind: timeline.End})
				}
			})
			w.check()
		})
	}
}
