package rollback

import (
	"math/rand/v2"
	"testing"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
)

// consoles are models of those of a course: each is what it has heard of all inputs.
type consoles struct {
	hash  uint64
	frame int64
	notes map[int]consoles
}

func (c *consoles) step(in Inputs) {
	in.Seats.each(func(seat ds.Seat) bool {
		c.hash = c.hash*31 + uint64(in.Of[seat].Keys) + uint64(seat)<<20 + uint64(c.frame)
		return true
	})
	c.frame++
}

// TestCourse: whatever is known when, what is confirmed is what consoles do that wait for all inputs, and nobody is ahead
// by more than the depth.
func TestCourse(t *testing.T) {
	const frames = 400
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 3))
		seats, depth := 1+r.IntN(4), r.IntN(MaxDepth+1)
		var all Seats
		truth := make([][]inputdelay.Input, seats)
		arrives := make([][]int, seats) // at which step an input is here
		for s := range seats {
			all.Add(ds.Seat(s))
			script, late := inputdelay.RandomScript(seed*8+uint64(s), frames), r.IntN(9)
			for f := range frames {
				truth[s] = append(truth[s], script.At(int64(f)))
				arrives[s] = append(arrives[s], f+r.IntN(late+1))
			}
		}
		step := 0
		known := func(seat ds.Seat, frame int64) (inputdelay.Input, bool) {
			if frame < 0 || frame >= frames || arrives[seat][frame] > step {
				return inputdelay.Input{}, false
			}
			return truth[seat][frame], true
		}
		var straight []uint64
		model := consoles{}
		for f := range frames {
			in := Inputs{Seats: all}
			for s := range seats {
				in.Of[s] = truth[s][f]
			}
			model.step(in)
			straight = append(straight, model.hash)
		}

		c := NewCourse(0)
		now := consoles{notes: map[int]consoles{}}
		after := map[int64]uint64{} // hash after a frame, as it ran last
		backs := 0
		for ; c.Confirmed() < frames; step++ {
			if step > 4*frames {
				t.Fatalf("seed %d: stuck at frame %d", seed, c.Confirmed())
			}
			for {
				if in, ok := c.Confirm(known, false); ok {
					frame := c.Confirmed() - 1
					if after[frame] != straight[frame] {
						t.Fatalf("seed %d: frame %d is confirmed and wrong", seed, frame)
					}
					for s := range seats {
						if in.Of[s] != truth[s][frame] {
							t.Fatalf("seed %d: frame %d is confirmed with another input", seed, frame)
						}
					}
					continue
				}
				frame, wrong := c.Wrong(known)
				if !wrong {
					break
				}
				note, ok := now.notes[Place(frame)]
				if !ok || note.frame != frame {
					t.Fatalf("seed %d: no note of frame %d", seed, frame)
				}
				now.hash, now.frame = note.hash, note.frame
				c.Back(frame)
				backs++
				for c.Next() <= int64(step) && c.Next() < frames {
					in := Known(known).Gather(all, c.Next())
					if (in.Guessed != 0 || c.Ahead() > 0) && c.Ahead() >= depth {
						break
					}
					runModel(t, c, &now, in, after)
				}
			}
			for c.Next() <= int64(step) && c.Next() < frames {
				in := Known(known).Gather(all, c.Next())
				if (in.Guessed != 0 || c.Ahead() > 0) && c.Ahead() >= depth {
					break
				}
				runModel(t, c, &now, in, after)
				if c.Ahead() == 1 && in.Guessed == 0 {
					if _, ok := c.Confirm(known, false); !ok {
						t.Fatalf("seed %d: a frame with all inputs is not confirmed", seed)
					}
				}
			}
			if c.Ahead() > depth {
				t.Fatalf("seed %d: %d frames ahead, %d are allowed", seed, c.Ahead(), depth)
			}
		}
		if backs > 0 && depth == 0 {
			t.Errorf("seed %d: went back without guesses", seed)
		}
	}
}

func runModel(t *testing.T, c *Course, now *consoles, in Inputs, after map[int64]uint64) {
	t.Helper()
	frame := c.Next()
	if frame != now.frame {
		t.Fatalf("the consoles stand before frame %d, the course before %d", now.frame, frame)
	}
	if c.Run(in) {
		now.notes[Place(frame)] = consoles{hash: now.hash, frame: now.frame}
	}
	now.step(in)
	after[frame] = now.hash
}

// A guess repeats the last input; the stylus does not rest on the screen for long.
func TestGuess(t *testing.T) {
	last := inputdelay.Input{Keys: inputdelay.KeyA | inputdelay.Touch, X: 3, Y: 4}
	known := Known(func(seat ds.Seat, frame int64) (inputdelay.Input, bool) { return last, frame == 10 && seat == 1 })
	for frame, want := range map[int64]inputdelay.Input{
		11: last, 15: last, 17: {Keys: inputdelay.KeyA}, 10 + MaxDepth + 1: {Keys: inputdelay.KeyA}, 10 + MaxDepth + 2: {}, 9: {},
	} {
		in := known.Gather(0b10, frame)
		if in.Of[1] != want || in.Guessed != 0b10 || in.Of[0] != (inputdelay.Input{}) {
			t.Errorf("frame %d: %+v", frame, in)
		}
	}
	if in := known.Gather(0b10, 10); in.Guessed != 0 || in.Of[1] != last {
		t.Errorf("a true input is guessed: %+v", in)
	}
}

// Consoles that lack one of theirs confirm what they have as soon as the inputs are here.
func TestConfirmAnyway(t *testing.T) {
	c := NewCourse(5)
	c.Run(Inputs{Seats: 1, Guessed: 1})
	known := Known(func(ds.Seat, int64) (inputdelay.Input, bool) {
		return inputdelay.Input{Keys: inputdelay.KeyB}, true
	})
	if _, ok := c.Confirm(known, false); ok {
		t.Error("a wrong guess is confirmed")
	}
	if in, ok := c.Confirm(known, true); !ok || in.Of[0].Keys != inputdelay.KeyB || c.Confirmed() != 6 {
		t.Errorf("%+v, %v", in, ok)
	}
}
