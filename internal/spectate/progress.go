package spectate

import (
	"time"
)

const (
	// nearFrames is the distance at which one is let in: closer than what is written, sent and told in
	// the meantime is not to be had on a long connection.
	nearFrames = 60
	// OldCheckpoint is the number of frames that one may have to catch up with; from further back it
	// takes less time to make a checkpoint.
	OldCheckpoint = 600
	// checkpointEvery is the time in which no other checkpoint is made: each time the others stand.
	checkpointEvery = 30 * time.Second
	// followFor is the time that somebody may follow the game; quietFor is for one of whom nothing is
	// heard, slowFor the time in which one must have come nearer.
	followFor = 2 * time.Minute
	quietFor  = 15 * time.Second
	slowFor   = 8 * time.Second
)

// Progress is the game host's knowledge of how a late joiner follows the game.
type Progress struct {
	since      time.Time // it could be let in
	heard      time.Time
	frames     int64 // that it has played
	cannot     bool
	checkpoint bool      // one was made for it
	checked    time.Time // when it was so far behind:
	behind     int64
}

// Checkpoint is the newest place in the log from which the game can be followed. Where that is
// too old, another is made: a resync in which nobody is wrong, for which the others stand as
// long as consoles take to be built, since nothing is sent.
type Checkpoint struct {
	Frame int64
	At    time.Time // when one was last made for somebody
	Comes bool      // one is being made: what is before it nobody needs
}

// Step is the next one with a late joiner.
type Step int

// The steps.
const (
	Wait           Step = iota
	Admit               // it is where the game is
	AdmitAnyway         // it does not get there, and the others wait until it has their states
	MakeCheckpoint      // from which it gets there
)

// Heard tells that the late joiner is there.
func (p *Progress) Heard(now time.Time) { p.heard = now }

// Update takes what it says of itself.
func (p *Progress) Update(now time.Time, near Near) {
	p.cannot = near.Cannot
	if near.Frames > p.frames {
		p.frames, p.heard = near.Frames, now
	}
}

// Follows reports whether the log may be given to it.
func (p *Progress) Follows() bool { return !p.since.IsZero() }

// Next says what to do about somebody who could be let in, in a game whose slowest console has
// done so many frames.
func (p *Progress) Next(now time.Time, slowest int64, c Checkpoint) Step {
	if p.since.IsZero() {
		p.since, p.heard = now, now
	}
	behind, newer := slowest-p.frames, p.frames > c.Frame // before the newest checkpoint it may still lack that one's states
	switch {
	case newer && behind <= nearFrames:
		return Admit
	case p.cannot, now.Sub(p.since) > followFor, now.Sub(p.heard) > quietFor, newer && p.slow(now, behind):
		p.cannot = true
		return AdmitAnyway
	case !p.checkpoint && p.frames == 0 && slowest-c.Frame > OldCheckpoint && now.Sub(c.At) > checkpointEvery:
		return MakeCheckpoint
	}
	return Wait
}

// Made tells that a checkpoint is being made for it.
func (p *Progress) Made() { p.checkpoint = true }

// slow reports whether somebody does not come nearer.
func (p *Progress) slow(now time.Time, behind int64) bool {
	switch {
	case p.frames == 0:
		return false
	case p.checked.IsZero():
	case now.Sub(p.checked) < slowFor:
		return false
	case behind > p.behind*9/10:
		return true
	}
	p.checked, p.behind = now, behind
	return false
}
