package game

import (
	"time"

	"github.com/nettplay/nettplay/inputdelay"
)

// Rollback, an experiment (docs/decisions/0064-rollback-a-proof.md): where the input of another
// machine's seat is not here when our own consoles have begun its frame, the seat's console runs on
// with the input before it, and is shown. When the true input comes and is another one, the
// console goes back and runs the frame again. A seat's frame stays that up to which all
// inputs were true: what is recorded, reported and decided knows nothing of guesses.
//
// Consoles that hear each other do not take part: they would all have to go back, and
// their air with them.

// MaxRollback is the number of frames a console may run ahead of the inputs that are known.
const MaxRollback = 4

// guesses are the frames that a seat's console has run ahead of the inputs that are known.
type guesses struct {
	depth int       // at most so many; 0 for none
	list  []Outcome // of the frames from the seat's on
	shown int64     // frames that were shown
}

// guesses are those of a seat of a round that begins. Late joiners' seats have none.
func (cfg Config) guesses(c SeatConfig) guesses {
	if _, ok := c.Console.(Rewinder); !ok || cfg.Radio != nil || cfg.Clocked || c.Owner == cfg.Me {
		return guesses{}
	}
	return guesses{depth: min(cfg.Rollback, MaxRollback)}
}

// guessed reports whether the console has run its next frame with this very input, and has the hash
// that is wanted after it.
func (g *Game) guessed(s *seat, in inputdelay.Input) bool {
	if len(s.guesses.list) == 0 {
		return false
	}
	j, after := s.guesses.list[0].job, s.frame+1
	return j.in == in && (j.hash || !g.hashes.wants(after) && after != s.end)
}

// confirm returns the outcome of a guess that was right as that of the frame.
func (g *Game) confirm(s *seat, in inputdelay.Input) Outcome {
	o := s.guesses.list[0]
	s.guesses.list = s.guesses.list[1:]
	o.job.rewind = rewind{}
	g.recordInput(s, in)
	g.wait = 0 // no outcome has Advance called again
	return o
}

// guess runs a further frame of a seat with the input of the one before, if our own consoles
// have begun that frame, and nothing else than the input is lacking.
func (g *Game) guess(s *seat, now time.Time) {
	ahead := len(s.guesses.list)
	frame := s.frame + int64(ahead)
	if ahead >= s.guesses.depth || s.dead || frame >= g.begun || frame >= s.end || !g.allowed(frame) || len(s.power) > 0 && s.power[0] <= frame {
		return
	}
	in, _ := s.input(s.frame - 1)
	j := job{in: in, step: true, hash: g.hashes.wants(frame+1) || frame+1 == s.end}
	j.rewind = s.visible(frame)
	j.guess, j.place = true, place(frame)
	s.busy, s.since = true, now
	s.run.submit(j)
}

// corrected returns the work on guesses that comes with a seat's next frame, whose input is here: they were wrong.
func (s *seat) corrected() rewind {
	if s.guesses.depth == 0 {
		return rewind{}
	}
	r := s.visible(s.frame)
	r.back, r.place = len(s.guesses.list) > 0, place(s.frame)
	s.guesses.list = nil
	return r
}

// visible says what of a frame is to be shown.
func (s *seat) visible(frame int64) rewind {
	newest := s.guesses.shown - 1
	s.guesses.shown = max(s.guesses.shown, frame+1)
	return rewind{again: frame == newest, hidden: frame < newest}
}

// place is that of the snapshot before a frame.
func place(frame int64) int { return int(frame % MaxRollback) }

// settled brings a console back from guesses, when its game is over.
func (s *seat) settled(c Console) Console {
	if len(s.guesses.list) > 0 {
		_ = c.(Rewinder).Return(place(s.frame)) // a console that is gone says so at its next use
	}
	return c
}
