package game

import (
	"time"

	"github.com/nettplay/nettplay/internal/ds"
)

// Machines lose their common beat in two ways. When a game begins or goes on, each hears of it at
// another time: those that hear early wait for the rest (stagger). And a machine that stood still is
// behind: until it is back, all of its inputs come late by that. So it makes good what it stood, a
// little faster than the game.

const (
	sprint    = 0.20        // of a frame's time, by which a frame is shorter while a machine makes good
	maxBehind = time.Second // of standing that is made good; for more all have stood
	maxFirst  = 500 * time.Millisecond
	// outOfStep is the lead in frames beyond which inputs come late until it is gone, which is worse to
	// feel than frames that are 2 % longer or shorter.
	outOfStep = 2
	leadDecay = 1.0 / 40 // weight of one new measurement of a lead: about 40 frames are averaged
	// surely is the number of leads that show that a machine has caught up, after it stood.
	surely = 15
)

// standing is a pacer's knowledge of times at which its machine stood still.
type standing struct {
	stagger time.Duration // how long this machine waits to begin or go on, for those that hear of it later
	behind  time.Duration // what it has stood and not made good
	leads   int           // measured since it stood, or began
}

// stood notes that the machine stood still for so long.
func (p *pacer) stood(late time.Duration) {
	p.behind, p.leads = min(p.behind+late, maxBehind), 0
}

// haste is by how much the next frame is shorter because the machine stood, and is behind for that.
// A lead alone is no reason: of a line that takes longer one way than the other it is wrong.
func (p *pacer) haste() time.Duration {
	if p.behind == 0 || p.follows {
		return 0
	}
	if p.lead > -outOfStep {
		if p.leads >= surely {
			p.behind = 0
		}
		return 0
	}
	most := ds.FrameTime(1)
	by := min(p.behind, time.Duration(sprint*float64(most)))
	p.behind -= by
	p.lead += float64(by) / float64(most) // leads hear of it later
	return by
}

// weight is that of one more measured lead. The first ones after a stop count more: the earlier ones are of
// another time.
func (p *pacer) weight() float64 {
	if p.leads++; p.follows {
		return leadDecay
	}
	return max(leadDecay, 1/float64(p.leads))
}

// Stagger sets how long this machine waits with its next frame whenever the game begins or goes
// on after a stop of all: so long that machines which hear of it later begin at the same time. It is
// bounded to half a second, and decides only when frames are run.
func (g *Game) Stagger(wait time.Duration) {
	g.pace.stagger = min(max(wait, 0), maxFirst)
}
