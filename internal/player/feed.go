package player

import (
	"cmp"
	"slices"

	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/replay"
)

// How far the log is read ahead, in frames.
const (
	feedAhead = 128
	// decideAhead is the number of frames by which a decision is applied early: within the window of a
	// line of inputs, and before a console has come there.
	decideAhead = 200
)

// feed hands the recorded inputs to the consoles' lines.
func (r *playing) feed() error {
	for _, s := range r.g.Seats() {
		for end := min(s.Frame+feedAhead, s.End, r.p.Length()); r.fed[s.Seat] < end; r.fed[s.Seat]++ {
			frame := r.fed[s.Seat]
			in, ok, err := r.cursor.Input(s.Seat, frame)
			if err != nil {
				return err
			}
			if !ok {
				break
			}
			if err := r.g.Put(s.Seat, frame, in); err != nil {
				return err
			}
		}
	}
	return nil
}

// learn takes a decision of the log. A resync has all consoles come together, whether anything
// came of it or the game host left meanwhile: what comes over the radio depends on where
// consoles have met. In a replay nobody is waited for, so it is like a pause.
func (r *playing) learn(d timeline.Decision) {
	switch d.Kind {
	case timeline.End:
		r.g.StopAt(d.Frame)
	case timeline.Leave, timeline.Pause, timeline.SwitchOn:
		r.pending = append(r.pending, d)
	case timeline.Resync:
		r.pending = append(r.pending, timeline.Decision{Kind: timeline.Pause, Frame: d.Frame})
	}
}

// decide applies the decisions that are near, in their order.
func (r *playing) decide() error {
	for len(r.pending) > 0 && r.pending[0].Frame-decideAhead <= r.g.Slowest() {
		d := r.pending[0]
		r.pending = r.pending[1:]
		if (d.Kind == timeline.Leave || d.Kind == timeline.SwitchOn) && !r.g.Plays(d.Seat) {
			continue // it comes in before that: see begin
		}
		// The inputs of the log are those that were applied, neutral ones included.
		d.InputEnd = d.Frame
		if err := r.g.Decide(d); err != nil {
			return err
		}
	}
	// In a replay nobody waits for players who talk; a late joiner's player stands where the game
	// does, for as long as it does.
	before := int64(game.Never)
	if r.cfg.Join != nil {
		before = r.p.Length()
	}
	r.g.ReleaseBefore(timeline.Pause, before)
	return nil
}

// comesTo notes a restart that is still to come. All consoles meet for it, as for a pause.
func (r *playing) comesTo(x replay.Restart) {
	r.resyncs = append(r.resyncs, x)
	r.pending = append(r.pending, timeline.Decision{Kind: timeline.Pause, Frame: x.Frame})
}

func (r *playing) sortPending() {
	slices.SortStableFunc(r.pending, func(a, b timeline.Decision) int { return cmp.Compare(a.Frame, b.Frame) })
}
