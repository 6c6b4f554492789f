package game

import (
	"time"

	"github.com/nettplay/nettplay/internal/ds"
)

// Limits of the pacer. The trims are those that players of GGPO-like games do
// not notice: a little slower while ahead of the others, still less faster
// while behind.
const (
	slowest    = 0.010                  // longest frame: +1 %
	fastest    = -0.005                 // shortest frame: -0.5 %
	trimEach   = 0.0025                 // trim for each frame of lead
	hurry      = 0.020                  // trim while machines are out of step
	deadZone   = 0.25                   // frames of lead that are left alone
	giveUp     = 100 * time.Millisecond // a delay beyond this is not caught up
	followTrim = 0.03                   // of a machine that follows another one's clock, either way
	followEach = 0.01                   // its trim for each frame of lead
)

// pacer says when local frames begin: 59.8261 times a second, trimmed so that
// machines which started apart or whose clocks differ drift together instead of
// running into the 16-frame stop. It is pure; time comes in as arguments.
//
// It decides only when a frame is run, never what is in it: the host's clock
// does not reach a console through it.
type pacer struct {
	unlimited bool      // every frame is due at once
	follows   bool      // another machine's clock; see clocked.go
	started   bool      // due is valid
	looked    time.Time // when the game was looked at last
	due       time.Time // when the next frame should begin
	lead      float64   // smoothed frames by which this machine is ahead of the others
	standing
}

// wait is the time until the next frame is due; zero or less: begin it. The first one that is
// asked for after all stood still is due when all machines have heard that they go on.
func (p *pacer) wait(now time.Time) time.Duration {
	if p.unlimited {
		return 0
	}
	if !p.started {
		p.started, p.due = true, now.Add(p.stagger)
	}
	return p.due.Sub(now)
}

// dueAt returns the time at which the frame was due that begins at now.
func (p *pacer) dueAt(now time.Time) time.Time {
	if p.unlimited || !p.started {
		return now
	}
	return p.due
}

// overdue returns the time for which the next frame has been due, in frames. They are begun at once,
// unless they are too many.
func (p *pacer) overdue(now time.Time) float64 {
	return max(now.Sub(p.due).Seconds(), 0) * ds.FrameRate
}

// frameBegan notes that a frame begins at now. A frame that comes late by less than
// 100 ms is caught up at once; after a longer stop the beat starts again from now,
// and what the others are ahead by then is made good in haste.
func (p *pacer) frameBegan(now time.Time) {
	late := now.Sub(p.due)
	switch {
	case !p.started:
		p.started, p.due = true, now
	case late > giveUp:
		p.due = now
		p.stood(late)
	}
	p.due = p.due.Add(p.period() - p.haste())
}

// period is the length of the next frame.
func (p *pacer) period() time.Duration {
	trim := 0.0
	zone := deadZone
	if p.follows {
		zone = inStep
	}
	if p.lead > zone || p.lead < -zone {
		trim = min(max(p.lead*trimEach, fastest), slowest)
	}
	if p.lead > outOfStep || p.lead < -outOfStep {
		trim = min(max(4*p.lead*trimEach, -hurry), hurry)
	}
	if p.follows && trim != 0 {
		trim = min(max(p.lead*followEach, -followTrim), followTrim)
	}
	frame := float64(time.Second) / ds.FrameRate
	return time.Duration(frame * (1 + trim))
}

// measure takes one measurement of the lead, in frames; see [lead].
func (p *pacer) measure(frames float64) {
	// A late join or a blackout gives wild figures; they say "ahead" or
	// "behind", not how far.
	frames = min(max(frames, -16), 16)
	p.lead += (frames - p.lead) * p.weight()
}

// lead is the number of frames this machine is ahead of another, from what each
// sees of the other. Each sees the other older than it is, by the time a
// datagram takes; where both ways take equally long, half of the difference is
// free of it.
func lead(mine, theirsSeen, theirs, mineSeen int64) float64 {
	return float64((mine-theirsSeen)-(theirs-mineSeen)) / 2
}
