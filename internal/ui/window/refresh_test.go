package window

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

const ms = time.Millisecond

// A monitor is a model of one. present takes a picture, and returns when presenting ended and when the
// picture is seen.
type monitor struct {
	period  time.Duration
	present func(d *monitor, at time.Duration) (ended, seen time.Duration)
	last    time.Duration // when the last picture is seen
}

// next is the refresh after some time.
func (d *monitor) next(at time.Duration) time.Duration { return (at/d.period + 1) * d.period }

// waits holds each picture until its refresh, as with two buffers.
func waits(d *monitor, at time.Duration) (ended, seen time.Duration) {
	at = d.next(at)
	return at, at
}

// draws is waits with a graphics card that draws for 5 ms.
func draws(d *monitor, at time.Duration) (ended, seen time.Duration) { return waits(d, at+5*ms) }

// queues takes pictures at once, until two are waiting.
func queues(d *monitor, at time.Duration) (ended, seen time.Duration) {
	d.last = max(d.next(at), d.last+d.period)
	return max(at, d.last-2*d.period), d.last
}

// takes shows the newest at each refresh, as compositors do.
func takes(d *monitor, at time.Duration) (ended, seen time.Duration) { return at, d.next(at) }

// follows refreshes when a picture comes: variable refresh.
func follows(d *monitor, at time.Duration) (ended, seen time.Duration) {
	d.last = max(at, d.last+d.period)
	return d.last, d.last
}

// hidden holds a picture as one of a window that nobody sees.
func hidden(_ *monitor, at time.Duration) (ended, seen time.Duration) { return at + 200*ms, at }

// A play is a minute of a game in a window: frames that are done with some jitter after they were due,
// a mouse that moves, keys that are pressed.
type play struct {
	monitor monitor
	jitter  time.Duration
	mouse   time.Duration // from one move to the next, 0 for none
	paced   bool
}

// result is what the player got of the last 50 seconds, a minute.
type result struct {
	twice, dropped int           // refreshes of a 60 Hz monitor without a new frame, frames that were never seen
	uneven         int           // gaps that differ by more than 10 ms from the frames'
	late, latest   time.Duration // from a frame that is done until it is seen: middle, 99 %
	key            time.Duration // from a press until the program hears of it, 99 %
}

func (p play) run() (r result) {
	const frames, settled = 3590, 600
	rng := rand.New(rand.NewPCG(1, uint64(p.monitor.period)))
	var done, events []time.Duration
	for f := range frames {
		done = append(done, time.Duration(f)*frame+7*ms+time.Duration(rng.Float64()*float64(p.jitter)))
	}
	end := done[frames-1]
	for at := time.Duration(0); p.mouse > 0 && at < end; at += p.mouse {
		events = append(events, at+time.Duration(rng.Int64N(int64(ms))))
	}
	moves := len(events)
	for at := 31 * ms; at < end; at += 37 * ms {
		events = append(events, at+time.Duration(rng.Int64N(int64(5*ms))))
	}
	keys := slices.Clone(events[moves:])
	slices.Sort(events)

	var pace Pace
	pace.Display(p.monitor.period)
	seen := make([]time.Duration, frames)
	now, newest, taken, shown := time.Duration(0), -1, -1, -1
	dirty, wait := false, time.Duration(0)
	var waited []time.Duration
	for now < end {
		happened := len(events) > 0 && events[0] <= now
		for len(events) > 0 && events[0] <= now {
			events = events[1:]
		}
		for len(keys) > 0 && keys[0] <= now {
			waited, keys = append(waited, now-keys[0]), keys[1:]
		}
		for newest+1 < frames && done[newest+1] <= now {
			newest++
		}
		keeps := p.paced && pace.Keeps(now)
		if newest > taken && !keeps {
			taken = newest
		}
		dirty = dirty || happened || taken > shown
		if wait = 0; p.paced && dirty {
			wait = pace.Wait(now, taken > shown)
		}
		if dirty && wait == 0 {
			began := now
			presented := began + 700*time.Microsecond
			ended, at := p.monitor.present(&p.monitor, presented)
			if taken > shown {
				seen[taken] = at
			}
			pace.Shown(began, presented, ended)
			now, shown, dirty = max(ended, presented), taken, false
			continue
		}
		next := end
		if dirty {
			next = (now + wait + ms - 1) / ms * ms // as SDL waits
		}
		if len(events) > 0 {
			next = min(next, events[0])
		}
		if newest+1 < frames {
			next = min(next, done[newest+1])
		}
		now = max(next, now)
	}
	// The last picture that is seen at a refresh is the one that counts.
	before := time.Duration(0)
	var lates []time.Duration
	for f := settled; f < frames-30; f++ {
		covered := seen[f] == 0
		for g := f + 1; g < min(f+4, frames) && !covered; g++ {
			covered = seen[g] == seen[f]
		}
		if covered {
			r.dropped++
			continue
		}
		lates = append(lates, seen[f]-done[f])
		if gap := seen[f] - before; before > 0 {
			if gap > frame*3/2 {
				r.twice++
			}
			if off := gap - frame; off > 10*ms || off < -10*ms {
				r.uneven++
			}
		}
		before = seen[f]
	}
	slices.Sort(lates)
	slices.Sort(waited)
	if n := len(lates); n > 0 {
		r.late, r.latest = lates[n/2], lates[n*99/100]
	}
	r.key = waited[len(waited)*99/100]
	return r
}

func hertz(rate float64) time.Duration { return time.Duration(float64(time.Second) / rate) }

// All displays, with and without: what comes twice and what is dropped a minute, how late, and how long
// a press is not heard of.
func TestDisplays(t *testing.T) {
	tests := []struct {
		name    string
		monitor monitor
		mouse   time.Duration
		twice   int           // at most; a 60 Hz monitor must show ten frames a minute twice
		dropped int           // at most
		latest  time.Duration // 99 % of frames are seen so soon
		key     time.Duration // 99 % of presses are heard of so soon
	}{
		{"60 Hz, waits", monitor{period: hertz(60), present: waits}, 0, 12, 1, 22 * ms, 5 * ms},
		{"60 Hz, waits, mouse", monitor{period: hertz(60), present: waits}, 8 * ms, 12, 1, 22 * ms, 5 * ms},
		{"59.94 Hz, waits", monitor{period: hertz(59.94), present: waits}, 8 * ms, 8, 1, 22 * ms, 5 * ms},
		{"59.79 Hz, waits", monitor{period: hertz(59.79), present: waits}, 8 * ms, 1, 4, 25 * ms, 5 * ms},
		{"60 Hz, waits, slow card", monitor{period: hertz(60), present: draws}, 8 * ms, 30, 20, 28 * ms, 12 * ms},
		{"120 Hz, waits", monitor{period: hertz(120), present: waits}, 8 * ms, 40, 1, 14 * ms, 5 * ms},
		{"144 Hz, waits", monitor{period: hertz(144), present: waits}, 8 * ms, math.MaxInt, 1, 12 * ms, 7 * ms},
		{"60 Hz, queues", monitor{period: hertz(60), present: queues}, 0, 12, 1, 22 * ms, 2 * ms},
		{"60 Hz, queues, mouse", monitor{period: hertz(60), present: queues}, 8 * ms, 12, 1, 22 * ms, 2 * ms},
		{"60 Hz, takes, mouse", monitor{period: hertz(60), present: takes}, 8 * ms, math.MaxInt, math.MaxInt, 19 * ms, 2 * ms},
		{"variable, mouse", monitor{period: hertz(144), present: follows}, 8 * ms, 0, 0, 2 * ms, 3 * ms},
		{"hidden", monitor{period: hertz(60), present: hidden}, 8 * ms, math.MaxInt, math.MaxInt, math.MaxInt64, math.MaxInt64},
	}
	for _, tt := range tests {
		for _, jitter := range []time.Duration{ms, 2 * ms} {
			t.Run(fmt.Sprintf("%s, %v", tt.name, jitter), func(t *testing.T) {
				p := play{monitor: tt.monitor, jitter: jitter, mouse: tt.mouse}
				was := p.run()
				p.paced = true
				got := p.run()
				for _, r := range []result{was, got} {
					t.Logf("twice %d, dropped %d, uneven %d; seen after %.1f, 99 %% %.1f ms; keys heard after %.1f ms", r.twice, r.dropped, r.uneven,
						r.late.Seconds()*1e3, r.latest.Seconds()*1e3, r.key.Seconds()*1e3)
				}
				if got.twice > tt.twice || got.dropped > tt.dropped || got.latest > tt.latest || got.key > tt.key {
					t.Errorf("%+v", got)
				}
			})
		}
	}
}

// A window that nobody sees is painted once a second, and is seen again at the first picture that is
// not held up.
func TestHidden(t *testing.T) {
	var p Pace
	p.Display(hertz(60))
	now, painted := time.Duration(0), 0
	for now < 60*time.Second {
		if wait := p.Wait(now, true); wait > 0 {
			now += wait
			continue
		}
		painted++
		p.Shown(now, now+ms, now+201*ms)
		now += 201 * ms
	}
	if painted > 52 || painted < 48 {
		t.Errorf("painted %d times a minute", painted)
	}
	now += p.Wait(now, true)
	p.Shown(now, now+ms, now+2*ms)
	if wait := p.Wait(now+17*ms, true); wait != 0 {
		t.Errorf("seen again, it waits %v", wait)
	}
}

// A window that presents slowly without a monitor's rhythm is never taken for a monitor for long: no frame waits
// after that.
func TestNoRhythm(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	var p Pace
	p.Display(hertz(60))
	now, waited := time.Duration(0), time.Duration(0)
	for f := range 3600 {
		now = max(now, time.Duration(f)*frame)
		wait := p.Wait(now, true)
		now, waited = now+wait, waited+wait
		took := 5*ms + time.Duration(rng.Int64N(int64(ms)))
		p.Shown(now, now+ms, now+ms+took)
		now += ms + took
	}
	if waited > time.Second {
		t.Errorf("frames waited %v in a minute", waited)
	}
}

// Times that make no sense do no harm.
func TestStrangeTimes(t *testing.T) {
	var p Pace
	for _, period := range []time.Duration{-1, 0, 1, time.Hour, hertz(60)} {
		p.Display(period)
		for _, at := range []time.Duration{0, -time.Hour, math.MaxInt64 / 4, 5} {
			p.Shown(at, at-time.Second, at+time.Second)
			p.Shown(at, at, at)
			if wait := p.Wait(at, false); wait < 0 {
				t.Errorf("waits %v", wait)
			}
			p.Keeps(at)
		}
	}
}
