package game

import (
	"fmt"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
)

// apart is by how many frames the machines' local frames differ, at most.
func (w *world) apart() int64 {
	first, last := int64(Never), int64(0)
	for _, m := range w.machines {
		first, last = min(first, m.g.begun), max(last, m.g.begun)
	}
	return last - first
}

// Machines that hear of the beginning one after the other begin together, by what they wait.
func TestMachinesBeginTogether(t *testing.T) {
	for machines := 2; machines <= 4; machines++ {
		t.Run(fmt.Sprintf("%d machines", machines), func(t *testing.T) {
			w := newWorld(t, 1, machines, 16)
			w.steady = true
			last := time.Duration(0)
			for i := range w.machines[1:] {
				last = time.Duration(70+40*i) * time.Millisecond
				w.set(even(last, 0), i+1)
			}
			for i, m := range w.machines {
				way := time.Duration(0)
				if i > 0 {
					way = w.lines[0][i].Delay
				}
				m.begins = w.Time().Add(way)
				m.g.Stagger(last - way)
			}
			w.run(3*time.Second, func(ms int) {
				if ms > 200 && w.apart() > 1 {
					t.Fatalf("%d ms after the start machines are %d frames apart", ms, w.apart())
				}
				if ms == 1000 {
					w.decide(timeline.Decision{Kind: timeline.End})
				}
			})
			w.check()
		})
	}
}

// A machine that heard nothing of the other for a while has stood, and is back in step soon after; one whose
// line was dark both ways never was out of it. One that slept is as one that stood.
func TestBackInStepAfterStanding(t *testing.T) {
	for _, c := range []struct {
		name string
		cut  []int // from whom nothing arrives
	}{
		{"to the client", []int{0}},
		{"to the game host", []int{1}},
		{"both ways", []int{0, 1}},
		{"asleep", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, 5, 2, 6)
			w.steady = true
			w.set(even(50*time.Millisecond, 10*time.Millisecond))
			const from, until = 3000, 3700
			widest, back := int64(0), 0
			w.run(8*time.Second, func(ms int) {
				for _, m := range c.cut {
					w.lines[m][1-m].Dark = ms >= from && ms < until
				}
				if c.cut == nil && ms == from {
					w.machines[1].begins = w.Time().Add((until - from) * time.Millisecond) // it does nothing
				}
				if ms >= until {
					widest = max(widest, w.apart())
					if w.apart() > outOfStep+1 {
						back = ms - until
					}
				}
				if ms == 7000 {
					w.decide(timeline.Decision{Kind: timeline.End})
				}
			})
			w.check()
			t.Logf("up to %d frames apart, in step %d ms after the line was there again", widest, back)
			if back > 2000 {
				t.Errorf("machines are out of step for %d ms after the line was there again, by up to %d frames", back, widest)
			}
		})
	}
}

// Only who has stood makes haste, and only while it is behind.
func TestHaste(t *testing.T) {
	frame := ds.FrameTime(1)
	shortest := func(late time.Duration, lead float64, follows bool) time.Duration {
		p := pacer{follows: follows}
		now := time.Unix(0, 0)
		p.frameBegan(now)
		now = now.Add(frame + late)
		p.frameBegan(now)
		least := frame
		for range 120 {
			p.measure(lead)
			now = p.due
			p.frameBegan(now)
			least = min(least, p.due.Sub(now))
		}
		return least
	}
	for _, c := range []struct {
		name    string
		late    time.Duration
		lead    float64
		follows bool
		hastens bool
	}{
		{"stood and is behind", 400 * time.Millisecond, -10, false, true},
		{"seems behind", 0, -10, false, false},
		{"was late for a moment", 90 * time.Millisecond, -10, false, false},
		{"stood and is not behind", 400 * time.Millisecond, 0, false, false},
		{"stood as the others did, for long", time.Minute, -1, false, false},
		{"has another clock to follow", 400 * time.Millisecond, -10, true, false},
	} {
		if got := shortest(c.late, c.lead, c.follows); got < frame*9/10 != c.hastens || got < frame*3/4 {
			t.Errorf("%s: the shortest frame takes %v", c.name, got)
		}
	}
}

// Time that was stood is made good once, and not kept for another day.
func TestHasteEnds(t *testing.T) {
	var p pacer
	p.stood(time.Hour)
	sum := time.Duration(0)
	for range 2000 {
		p.measure(-16)
		sum += p.haste()
	}
	if sum != maxBehind {
		t.Errorf("%v were made good", sum)
	}
	p.stood(time.Second)
	for range surely {
		p.measure(0)
	}
	p.haste()
	for range 100 {
		p.measure(-16)
	}
	if by := p.haste(); by != 0 {
		t.Errorf("hastens by %v for what was long ago", by)
	}
}

// A game that ran as fast as it could goes on at its rate at once.
func TestLimitedAgain(t *testing.T) {
	g := Game{pace: pacer{}}
	now := time.Unix(0, 0)
	g.SetUnlimited(true)
	for range 6000 {
		g.pace.frameBegan(now)
	}
	g.SetUnlimited(false)
	if w := g.pace.wait(now); w > 0 {
		t.Errorf("waits %v", w)
	}
}
