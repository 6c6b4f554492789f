package window

import (
	"math"
	"time"
)

// [Pace] decides when the window's pictures are painted while consoles run, so that a
// display neither holds up what the player presses nor makes even frames uneven.
//
// The window has one thread, which hears of keys and of the stylus, and which a display can hold
// up: presenting a picture waits for a refresh, or for a fifth of a second where nobody sees the
// window. The game never waits for that thread, but presses would: the thread reads them.
//
//   - A picture that only a mouse or a message asked for waits for the console's next frame. Else
//     it would take the refresh of that frame, and displays that queue pictures would fill up.
//   - Where presenting is seen to end at the same place of each refresh, a picture is painted
//     shortly before the next one, and not at once: until then the thread is free.
//   - Of frames that are done about the time at which pictures are painted, each gets its own
//     refresh: it does not come to be shown twice and the next one not at all.
//   - Where presenting takes as long as for a window that nobody sees, it is done once a second.
//
// It is pure: times come in as arguments. It knows only how long presenting took: SDL 2 does not
// tell when a display refreshes. A display that follows its pictures (variable refresh), and one
// that takes pictures without waiting, get each frame at once.

const (
	// frame is the duration of a console's frame, and slack the time beyond it that a picture that is
	// not of a console may wait for one.
	frame = 16_715_104 * time.Nanosecond // a second by ds.FrameRate
	slack = 4 * time.Millisecond

	// before is the time before a refresh at which a picture is painted at the earliest, beside the
	// time that painting takes, and latest the same at the latest.
	before = 3 * time.Millisecond
	latest = 1 * time.Millisecond
	// guard is the time before that in which a frame that is not shown yet makes a later one wait: more
	// than frames come early or late on a machine that keeps up.
	guard = 3 * time.Millisecond

	// moreEarly is the time by which pictures are painted earlier after one that the display showed a refresh too
	// late, since the graphics card takes long, and lessEarly by which later after each other.
	moreEarly = 1 * time.Millisecond
	lessEarly = 5 * time.Microsecond

	heldUp   = time.Millisecond       // presenting that takes longer has waited for the display
	barely   = 300 * time.Microsecond // the same, where it is known when the refresh comes
	near     = 1500 * time.Microsecond
	sure     = 30                     // pictures that must end alike until refreshes are known
	wrong    = 3                      // pictures that may end otherwise until they are known no more
	rest     = 10 * time.Second       // until they are looked for again
	unseen   = 100 * time.Millisecond // no display takes as long
	blindly  = time.Second            // from one picture that nobody sees to the next
	learning = 1.0 / 32               // weight of one measurement of the display's period
)

// A Pace decides when pictures are painted. The zero value is ready. It belongs to the window's thread.
// All times count from one moment.
type Pace struct {
	told    time.Duration // the display's own account of its period
	period  time.Duration // between refreshes, 0 if unknown
	refresh time.Duration // one of the last ones
	alike   int           // pictures in a row that ended at refreshes
	known   bool          // when refreshes come
	misses  int           // in a row, since they are known
	again   time.Duration // when refreshes may be looked for
	work    time.Duration // of painting a picture
	last    time.Duration // when the last picture was shown
	early   time.Duration // so much earlier are pictures painted, since the display was late with some
	slow    int           // pictures in a row that took as long as in a window that nobody sees
	holds   bool          // a console's picture waits for target
	target  time.Duration
}

// Display tells how often the display refreshes by its own account; 0 for unknown.
func (p *Pace) Display(period time.Duration) {
	if period < time.Millisecond || period > time.Second {
		period = 0
	}
	if period != p.told {
		*p = Pace{told: period, period: period, work: p.work, last: p.last}
	}
}

// Wait returns the time for which a picture is not to be painted yet; 0: now. consoles tells that it
// has a frame of a console that was not shown yet. Ask again whenever something happens.
func (p *Pace) Wait(now time.Duration, consoles bool) time.Duration {
	if p.slow >= 2 {
		return max(p.last+blindly-now, 0)
	}
	at := now
	if !consoles {
		at = max(now, p.last+frame+slack)
	}
	if p.known {
		at = p.before(at)
	}
	p.holds, p.target = consoles && at > now, at
	return at - now
}

// before returns the time at which to paint what can be painted from some time on.
func (p *Pace) before(at time.Duration) time.Duration {
	first := p.refresh - before - p.work - p.early
	n := math.Ceil(float64(at-(before-latest)-first) / float64(p.period))
	return max(first+time.Duration(max(n, 1)*float64(p.period)), at)
}

// Keeps tells that the next picture is to have the frames of the one that waits, though consoles
// may have made later ones.
func (p *Pace) Keeps(now time.Duration) bool {
	return p.known && p.holds && now >= p.target-guard
}

// Shown tells when painting a picture began, when it was presented, and when that had ended.
func (p *Pace) Shown(began, presented, ended time.Duration) {
	presented = max(presented, began) // of a picture that could not be painted it is an older one's
	took := ended - presented
	p.work += (min(presented-began, 10*time.Millisecond) - p.work) / 8
	p.last, p.holds = ended, false
	if p.slow++; took < unseen || p.period == 0 {
		p.slow = 0
	}
	switch {
	case p.period == 0 || p.slow > 0:
		p.forget(ended)
	case p.known:
		p.follow(took, ended)
	case took < heldUp || ended < p.again:
		p.alike = 0
	default:
		p.seek(ended)
	}
}

// off returns the distance of a time from the nearest refresh, and that one's number after the last.
func (p *Pace) off(at time.Duration) (off time.Duration, n float64) {
	n = math.Round(float64(at-p.refresh) / float64(p.period))
	return at - p.refresh - time.Duration(n*float64(p.period)), n
}

// seek looks whether pictures end at the same place of each refresh.
func (p *Pace) seek(ended time.Duration) {
	off, n := p.off(ended)
	if p.alike > 0 && (off > near || off < -near) {
		p.alike = 0
	}
	if p.alike > 0 {
		p.learn(off, n)
	}
	p.refresh = ended
	p.alike++
	p.known, p.misses = p.alike >= sure, 0
}

// follow keeps up with refreshes that are known.
func (p *Pace) follow(took, ended time.Duration) {
	off, n := p.off(ended)
	if took < barely || off > near || off < -near {
		if p.misses++; p.misses >= wrong {
			p.forget(ended)
		}
		return
	}
	p.misses = 0
	p.learn(off, n)
	p.refresh = ended - off/2
	p.early = max(p.early-lessEarly, 0)
	if took > before+p.early+p.period/2 { // it came a refresh later
		p.early += moreEarly
	}
	if p.early > p.period/2 {
		p.forget(ended)
	}
}

func (p *Pace) learn(off time.Duration, n float64) {
	if n >= 1 && n < 4 {
		p.period += time.Duration(learning * float64(off) / n)
	}
}

// forget knows nothing of refreshes any more.
func (p *Pace) forget(now time.Duration) {
	if p.known {
		p.again = now + rest
	}
	p.known, p.alike, p.misses, p.early = false, 0, 0, 0
}
