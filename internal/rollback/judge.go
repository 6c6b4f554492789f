package rollback

import "math"

// A judge looks at what comes of it: whether frames for which a machine went back are shown late more often than
// those for which it did not. What the machine does besides, and a scheduler that does not let it run in time, makes both late
// alike, and says nothing of how many frames it bears.

const (
	judged     = 480   // frames of a kind after which what was seen counts half
	leastKnown = 60    // frames for which it did not go back, without which none of them counts as late
	worse      = 0.01  // share of frames that may be late because the machine went back
	chance     = 3     // standard deviations that are chance
	trust      = 600   // frames after a fall until the limit rises by one, at first
	longTrust  = 9_600 // and at last
)

// seen are frames of a kind, and how many of them were late.
type seen struct{ all, late float64 }

func (s *seen) add(late bool) {
	if s.all++; late {
		s.late++
	}
	if s.all >= judged {
		s.all, s.late = s.all/2, s.late/2
	}
}

// judge limits the depth. The zero value limits nothing.
type judge struct {
	plain, back seen
	deepest     int // of the frames that were late
	below       int // by how many frames the limit is below MaxDepth
	since       int // frames since the limit changed
	patience    int // frames until it rises; 0: it never fell
	rose        bool
}

// limit is the most frames that a machine is to go back.
func (j *judge) limit() int { return MaxDepth - j.below }

// shown takes a frame, for which so many ran again, and tells whether the limit falls for it.
func (j *judge) shown(late bool, again int) (falls bool) {
	if again == 0 {
		j.plain.add(late)
		return false
	}
	j.back.add(late)
	if !late {
		return false
	}
	j.deepest = max(j.deepest, again)
	share := worse
	if j.plain.all >= leastKnown {
		share += j.plain.late / j.plain.all
	}
	allowed := share * j.back.all
	if j.back.late <= allowed+chance*math.Sqrt(allowed)+2 {
		return false
	}
	j.fall()
	return true
}

// fall takes a frame less than the deepest that was late. The more often it falls soon after it rose, the longer it stays.
func (j *judge) fall() {
	switch {
	case j.patience == 0:
		j.patience = trust
	case j.rose && j.since < trust:
		j.patience = min(2*j.patience, longTrust)
	}
	j.below = MaxDepth - max(min(j.limit(), j.deepest)-1, 0)
	*j = judge{plain: j.plain, below: j.below, patience: j.patience}
}

// pass counts a frame; the limit rises where it has held for long enough.
func (j *judge) pass() {
	if j.since++; j.below > 0 && j.since >= j.patience {
		*j = judge{plain: j.plain, below: j.below - 1, patience: j.patience, rose: true}
	}
}
