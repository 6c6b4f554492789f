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

// When one line counts as bad: over each way to its machine, or from it, inputs are late so often,
// of 10,000, which is seven a minute; and a fifth of its share is more than any other machine has.
const (
	badShare = 20
	badTimes = 5
)

// BadLine returns the machine of three or more whose line alone is bad: the others wait for it, at the
// delays that they have. None is bad while reports are missing.
func (k *Keeper) BadLine(now time.Time, seats []Seat) (machine int, bad bool) {
	all := machines(seats)
	if len(all) < 3 {
		return 0, false
	}
	var late ways // how many of 10,000 inputs are late between two machines, in the worse direction
	known := k.eachWay(now, seats, func(s Seat, to int, l Arrival) {
		share := l.Late * 10_000 / l.Inputs // a machine that lies makes its own ways worse, and no others
		late.atLeast(s.Machine, to, share)
		late.atLeast(to, s.Machine, share)
	})
	if !known {
		return 0, false
	}
	worst, next := -1, -1
	for _, m := range all {
		switch share := late.best(m, all, 10_000); {
		case share > worst:
			worst, next, machine = share, worst, m
		case share > next:
			next = share
		}
	}
	return machine, worst >= badShare && worst >= badTimes*next
}

// Preset names the activity of a room's players, and with that the weight of a short delay against late
// inputs. The zero value is Off: the delay is a number that somebody chose.
type Preset uint8

// The presets.
const (
	Off     Preset = iota
	Trading        // menus: nobody minds a long delay, everybody a stop
	Party          // most games
	Racing         // a short delay is worth a stop now and then
)

// policy holds the demands of a preset.
type policy struct {
	name  string
	share int // at most one in so many inputs is to be late
	spare int // late inputs of a window beyond that share which are chance
	cap   int // the longest delay, in frames
	slack int // quarters of a frame that a shorter delay must leave free
}

// policies are those of the presets. A delay above 16 frames would help nobody: who is further
// behind than that is waited for (ds.MaxBehind).
var policies = [...]policy{
	Off:     {name: "off", share: 2000, spare: 2, cap: 16, slack: 1},
	Trading: {name: "trading", share: 20_000, spare: 0, cap: 16, slack: 2},
	Party:   {name: "party", share: 2000, spare: 2, cap: 12, slack: 1},
	Racing:  {name: "racing", share: 500, spare: 3, cap: 6, slack: 1},
}

// MaxPreset is the highest number of a preset.
const MaxPreset = Racing

// Names returns the names of all presets, off first, as settings and flags have them.
func Names() []string {
	var list []string
	for _, p := range policies {
		list = append(list, p.name)
	}
	return list
}

// Named returns the preset of a name; Off for one that no preset has.
func Named(name string) Preset {
	for p, is := range policies {
		if is.name == name {
			return Preset(p)
		}
	}
	return Off
}

// String is the preset's name.
func (p Preset) String() string { return p.policy().name }

// Cap is the longest input delay, in frames, that the preset chooses.
func (p Preset) Cap() int { return p.policy().cap }

func (p Preset) policy() policy {
	if p > MaxPreset {
		p = Off
	}
	return policies[p]
}

// allowed returns the number of so many inputs that may be late. Of a share of one in 2,000 a window
// has two on average, but now and then four.
func (p policy) allowed(inputs int) int { return inputs/p.share + p.spare }
