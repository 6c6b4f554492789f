package autodelay

import "time"

// How fast a delay changes.
const (
	calm     = 10 * time.Second // between two changes on a steady line
	worsened = 2 * time.Second  // between two raises on a line that has just become worse
	leap     = 2                // frames of a raise then
	patience = 20 * time.Second // from a raise to the next lowering, at first
	longest  = 16 * patience    // at last
	regret   = 10 * time.Minute // a raise so soon after a lowering tells that it was one too many
	enough   = 300              // inputs without which a window says nothing about a share
	some     = 60               // and without which it does not say that a line has become worse
)

// rule keeps one delay. It raises at once, lowers slowly, and the slower the more often lowering
// was regretted.
type rule struct {
	is       policy
	delay    int // frames
	changed  time.Time
	raised   time.Time
	lowered  time.Time
	patience time.Duration // from a raise to the next lowering
}

func newRule(p Preset, delay int, now time.Time) rule {
	return rule{is: p.policy(), delay: delay, changed: now, raised: now, patience: patience}
}

// frames is the shortest delay for a need, in whole frames.
func frames(need int) int { return (need + 3) / 4 }

// next is the delay that follows from how the inputs arrive; free tells that the room has not changed
// a delay for a while. It lowers none to less than least.
func (r *rule) next(now time.Time, l Arrival, free bool, least int) int {
	since := now.Sub(r.changed)
	target := min(frames(l.Need), r.is.cap)
	sudden := min(frames(max(l.Need, l.Newest)), r.is.cap)
	short, most := 4*(r.delay-1), max(l.Need, l.Recent, l.Newest)
	switch { // where guesses take all of a need, nothing is to be spared besides
	case l.Inputs >= some && l.Newest > 4*r.delay && sudden > r.delay && since >= worsened:
		return r.delay + min(sudden-r.delay, leap)
	case !free || l.Inputs < enough || since < calm:
	case target > r.delay:
		return r.delay + 1
	case r.delay > r.is.cap:
		return r.delay - 1
	case r.delay > least && (most+r.is.slack <= short || most == 0) && l.Inputs >= recentSlices*sliceInputs && now.Sub(r.raised) >= r.patience:
		return r.delay - 1
	}
	return r.delay
}

// move changes the delay because a machine plays at another time, which says nothing of the line.
func (r *rule) move(now time.Time, delay int) { r.delay, r.changed = delay, now }

// set changes the delay.
func (r *rule) set(now time.Time, delay int) {
	switch {
	case delay > r.delay:
		if !r.lowered.IsZero() && now.Sub(r.lowered) < regret {
			r.patience = min(2*r.patience, longest)
		}
		r.raised, r.lowered = now, time.Time{}
	case delay < r.delay:
		r.lowered = now
	}
	r.delay, r.changed = delay, now
}

// rule is a seat's rule. It begins anew where somebody else has changed the delay.
func (k *Keeper) rule(now time.Time, s Seat) *rule {
	if r := k.rules[s.Seat]; r != nil && r.delay == s.Delay {
		return r
	}
	r := newRule(k.preset, s.Delay, now)
	k.rules[s.Seat] = &r
	return &r
}
