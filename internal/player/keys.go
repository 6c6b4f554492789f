package player

import (
	"runtime"
	"time"

	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/replay"
)

// How far keyframes stand apart. From a keyframe to any place is then at most what
// the machine plays in seekBudget; the rest of two seconds is for the consoles: new
// ones take 50 to 500 ms, with a large game on a busy machine.
const (
	seekBudget     = 700 * time.Millisecond
	minKeyInterval = 120 // frames: 2 s; from so far on a keyframe ahead is quicker than playing
	// firstInterval is for a machine of which nothing is known yet.
	firstInterval = 300
	// A keyframe is taken between two frames. Where consoles wait for each other
	// over the end of a frame there is none, and the next frame may do.
	keyPatience = 4 * time.Millisecond
	// maxTries is at how many frames in a row that is tried. A game that exchanges
	// packets over the end of every frame has hardly any place for a keyframe.
	maxTries = 64
	keyPause = 300 // frames until it is tried again
	// maxBack is the limit, in frames, by which a drifted console goes back to a keyframe it has just
	// passed.
	maxBack = 10
)

// MaxKeyInterval is the greatest distance of keyframes in frames, 20 s, where there is room for so
// many; see [replay.Keyframes].
const MaxKeyInterval = 1200

// keying makes keyframes on the way, and knows where the way should begin anew.
type keying struct {
	keys    *replay.Keyframes
	g       *game.Game
	length  int64 // of the recording
	next    int64 // frame of the next one, 0 for none
	last    int64 // that was taken, and may not be in its file yet
	since   time.Time
	tries   int
	busy    chan struct{} // of the one that is being packed; nil for none
	restart int64         // 1 + the keyframe from which to begin anew, 0 for none
}

// begin looks for the next place after a start.
func (k *keying) begin(r *playing) {
	k.keys, k.g, k.length, k.restart, k.last = r.cfg.Keyframes, r.g, r.p.length, 0, 0
	k.plan(r.g.Slowest())
}

// interval returns the distance of keyframes, by how long a frame takes and how many there is room for.
func (k *keying) interval() int64 {
	frames := int64(firstInterval)
	if cost := k.cost(); cost > 0 {
		frames = int64(min(max(seekBudget.Seconds()/cost, minKeyInterval), MaxKeyInterval))
	}
	return max(frames, k.keys.Spacing(k.length))
}

// cost returns the seconds that a frame of all consoles takes at full speed; 0 for not known.
func (k *keying) cost() float64 {
	took := k.g.Steps().Percentile(0.5) / 1000
	if k.g.Steps().Count() < 100 || took <= 0 {
		return 0
	}
	// Hashes and the loop around the consoles take their part.
	const more = 1.25
	consoles := float64(len(k.g.Seats()))
	return took * more * consoles / min(consoles, float64(runtime.NumCPU()))
}

// plan decides where the next keyframe is due, after those that are there.
func (k *keying) plan(at int64) {
	k.next, k.since, k.tries = 0, time.Time{}, 0
	if k.keys == nil {
		return
	}
	interval := k.interval()
	last, _ := k.keys.Before(at)
	last = max(last, k.last)
	for _, f := range k.keys.Frames() {
		if f > at && f-last <= interval*3/2 {
			last = f
		}
	}
	k.next = max(last+interval, at+1)
}

// bound keeps consoles from running over the next keyframe.
func (k *keying) bound(limit int64) int64 {
	if k.next > 0 {
		return min(limit, k.next)
	}
	return limit
}

// patience returns the time that the loop may sleep.
func (k *keying) patience() time.Duration {
	if !k.since.IsZero() {
		return keyPatience / 2
	}
	return time.Second
}

// later tries the next frame, or, after some, one that is further on.
func (k *keying) later() {
	k.since = time.Time{}
	k.next++
	if k.tries++; k.tries >= maxTries {
		k.tries = 0
		k.next += keyPause
	}
}
