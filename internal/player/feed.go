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

// gathers reports whether a decision has all consoles come together in a replay. A resync
// does, whether anything came of it or the game host left meanwhile: what comes over the
// radio depends on where consoles have met.
func gathers(d timeline.Decision) bool {
	return d.Kind == timeline.Leave || d.Kind == timeline.Pause || d.Kind == timeline.Resync
}

// gather has all consoles come together for a decision. In a replay nobody is waited for,
// so all but who leaves is like a pause.
func (r *playing) gather(d timeline.Decision) {
	if d.Kind == timeline.Resync {
		d = timeline.Decision{Kind: timeline.Pause, Frame: d.Frame}
	}
	r.pending = append(r.pending, d)
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
