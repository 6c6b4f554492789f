package game

import (
	"math"
	"sync/atomic"
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

	// Times at which the machine stood still.
	stagger time.Duration // how long this machine waits to begin or go on, for those that hear of it later
	behind  time.Duration // what it has stood and not made good
	leads   int           // measured since it stood, or began
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

// Durations counts durations in buckets of 20 us, up to 200 ms, so that the percentiles of
// a game of any length take a fixed amount of memory.
type Durations struct {
	buckets [10_000]uint32
	count   uint64
}

const bucket = 20 * time.Microsecond

func (d *Durations) add(t time.Duration) {
	i := int(max(t, 0) / bucket)
	d.buckets[min(i, len(d.buckets)-1)]++
	d.count++
}

// Count returns the number of durations.
func (d *Durations) Count() uint64 { return d.count }

// Above counts those longer than t, to a bucket.
func (d *Durations) Above(t time.Duration) (n uint64) {
	for _, count := range d.buckets[min(int(max(t, 0)/bucket)+1, len(d.buckets)):] {
		n += uint64(count)
	}
	return n
}

// Percentile is the upper end of the bucket that holds the p-th share, in milliseconds.
func (d *Durations) Percentile(p float64) float64 {
	if d.count == 0 {
		return 0
	}
	rank, seen := uint64(math.Ceil(p*float64(d.count))), uint64(0)
	for i, n := range d.buckets {
		seen += uint64(n)
		if seen >= rank {
			return Milliseconds(time.Duration(i+1) * bucket)
		}
	}
	return Milliseconds(time.Duration(len(d.buckets)) * bucket)
}

// Report is the median and the 99th percentile.
func (d *Durations) Report() Percentiles {
	return Percentiles{P50: d.Percentile(0.50), P99: d.Percentile(0.99)}
}

// Percentiles of a duration in milliseconds.
type Percentiles struct {
	P50 float64 `json:"p50"`
	P99 float64 `json:"p99"`
}

// Milliseconds rounds to a hundredth, which is as much as people read.
func Milliseconds(d time.Duration) float64 {
	return math.Round(float64(d)/float64(time.Millisecond)*100) / 100
}

// A console's frame is mostly done long before anything follows from it: our own console's next frame is not due yet, and
// another machine's input has not come. So the outcome of an ordinary frame is quiet: it waits until its game is looked at
// for another reason, which is when something can follow from it. That spares the game's goroutine half of its wakes. An
// outcome for which something waits already is not quiet, and makes itself heard.

// quiet is what a runner and its game agree on about the outcome of a job.
type quiet struct {
	state atomic.Int32
	out   Outcome // guarded by state: the game's once it is kept
}

// States of an outcome.
const (
	loud  int32 = iota // it goes to done
	still              // it is to be kept; nobody waits for it
	kept               // it is there
)

// keep keeps an outcome, unless it is waited for.
func (q *quiet) keep(o Outcome) bool {
	if q.state.Load() != still || o.err != nil {
		return false
	}
	q.out = o
	return q.state.CompareAndSwap(still, kept)
}

// collect sends an outcome that was kept to where the others go.
func (r *runner) collect() {
	if r.quiet.state.Load() != kept {
		return
	}
	r.quiet.state.Store(loud)
	r.done <- r.quiet.out
	r.quiet.out = Outcome{}
}

// hurry has the outcome of what the console does make itself heard.
func (r *runner) hurry() {
	if !r.quiet.state.CompareAndSwap(still, loud) {
		r.collect()
	}
}

// Collect has all outcomes that are there come from [Game.Done]. It is for when the game is looked at anyway.
func (g *Game) Collect() {
	for _, s := range g.seats {
		if s.busy {
			s.run.collect()
		}
	}
}

// Hurry has all outcomes of what consoles do come from [Game.Done] by themselves.
func (g *Game) Hurry() {
	for _, s := range g.seats {
		if s.busy {
			s.run.hurry()
		}
	}
}

// hurries has the outcome of a seat's frame make itself heard where something follows from it at once, and
// wakes the game when our own console's next frame is due.
func (g *Game) hurries(s *seat, now time.Time) {
	wait := g.rests(s, now)
	if wait > 0 {
		g.wait = min(g.wait, wait)
		return
	}
	s.run.hurry()
}

// rests returns how long nothing follows from the end of a seat's frame.
func (g *Game) rests(s *seat, now time.Time) time.Duration {
	next := s.frame + 1
	_, here := s.queue.At(next)
	switch {
	case !g.calm(s):
		return 0
	case !here || !g.allowed(next):
		return time.Duration(Never)
	case s.mine && !g.feed.clock.on && next >= g.begun:
		return g.pace.wait(now)
	}
	return 0
}

// calm reports whether nothing but inputs and time has a seat's console go on.
func (g *Game) calm(s *seat) bool {
	return !g.rolls.on && !g.pace.unlimited && len(g.barriers) == 0 && g.resyncs.now == nil && s.frame+1 < s.end
}

// mayKeep reports whether the outcome of a job that begins now may be quiet.
func (g *Game) mayKeep(s *seat, j job) bool {
	return g.quiet && g.calm(s) && j.step && !j.hash && !j.on
}

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
