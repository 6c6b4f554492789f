package game

import (
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
)

// counted is a meter that notes the next frame of everything.
type counted struct {
	t       *testing.T
	began   int64
	arrived map[ds.Seat]int64
	shown   map[ds.Seat]int64
}

func (c *counted) Begun(frame int64, due, now time.Time, delay int) {
	if frame != c.began || due.After(now) || delay != 4 {
		c.t.Errorf("frame %d begins, %d is next; due %v, now %v, delay %d", frame, c.began, due, now, delay)
	}
	c.began++
}

func (c *counted) Arrived(seat ds.Seat, frame int64, _ time.Time) { c.next(c.arrived, seat, frame) }
func (c *counted) Shown(seat ds.Seat, frame int64, _ time.Time)   { c.next(c.shown, seat, frame) }

func (c *counted) next(list map[ds.Seat]int64, seat ds.Seat, frame int64) {
	if frame != list[seat] {
		c.t.Errorf("seat %v: frame %d, %d is next", seat, frame, list[seat])
	}
	list[seat] = frame + 1
}

// A meter is told of each frame and each input of another machine once, in order, whatever is
// lost or sent twice, and whoever stamps it.
func TestMeter(t *testing.T) {
	t.Run("lockstep", func(t *testing.T) { testMeter(t, false) })
	t.Run("clocked", func(t *testing.T) { testMeter(t, true) })
}

func testMeter(t *testing.T, clocked bool) {
	w := newWorldOf(t, 3, 3, 4, clocked)
	w.set(bad)
	var meters []*counted
	for i, m := range w.machines {
		c := &counted{t: t, arrived: map[ds.Seat]int64{}, shown: map[ds.Seat]int64{}}
		for s := range ds.Seat(3) {
			if int(s) != i {
				c.arrived[s] = 4 // those before are neutral
			}
		}
		meters, m.g.meter = append(meters, c), c
	}
	w.decide(timeline.Decision{Kind: timeline.End, Frame: 200})
	w.run(60*time.Second, nil)
	w.check()
	for i, c := range meters {
		if c.began != 200 {
			t.Errorf("machine %d began %d frames", i, c.began)
		}
		for s := range ds.Seat(3) {
			if c.shown[s] != 200 || int(s) != i && c.arrived[s] < 200 {
				t.Errorf("machine %d has shown %d frames of seat %v, and has inputs up to %d", i, c.shown[s], s, c.arrived[s])
			}
		}
	}
}
