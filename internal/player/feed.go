package player

import (
	"github.com/nettplay/nettplay/host/timeline"
)

// feed hands the recorded inputs to the consoles' lines.
func (r *playing) feed() error {
	for _, s := range r.g.Seats() {
		for end := min(s.Frame+feedAhead, s.End, r.length()); r.fed[s.Seat] < end; r.fed[s.Seat]++ {
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

// ends reports whether a decision ends a console.
func ends(d timeline.Decision) bool { return d.Kind == timeline.End || d.Kind == timeline.Leave }

// learn takes a decision of the log. A resync has all consoles come together, whether anything
// came of it or the game host left meanwhile: what comes over the radio depends on where
// consoles have met. In a replay nobody is waited for, so it is like a pause.
func (r *playing) learn(d timeline.Decision) {
	switch d.Kind {
	case timeline.End:
		r.g.StopAt(d.Frame)
	case timeline.Leave, timeline.Pause:
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
		if d.Kind == timeline.Leave && !r.g.Plays(d.Seat) {
			continue // it comes in before that: see begin
		}
		// The inputs of the log are those that were applied, neutral ones included.
		d.InputEnd = d.Frame
		if err := r.g.Decide(d); err != nil {
			return err
		}
	}
	r.goOn()
	return nil
}
