package conn

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/testing/impair"
	"github.com/nettplay/nettplay/internal/testing/must"
)

const frameTime = 16700 * time.Microsecond

// paced is what Bulk did to a line.
type paced struct {
	rate        float64       // bytes a second of messages, in the second half
	share       float64       // of what the line carries
	median, p99 time.Duration // of the queue in front of the line
	longest     time.Duration
}

var some = make([]byte, 30000)

// feed sends as much Bulk from end 0 as that takes.
func (p *pair) feed() {
	for p.ends[0].Send(link.Bulk, some, p.Time()) == nil {
	}
	p.drive(0)
}

// pace sends as much as a line takes for a time.
func (p *pair) pace(duration time.Duration) (r paced) {
	total := 0
	p.Every(10*ms, func() {
		p.feed()
		for _, b := range p.take(1, link.Bulk) {
			total += len(b)
		}
	})
	var queues []time.Duration
	p.Every(ms, func() { queues = append(queues, p.lines[0].Waiting()) })
	p.Pass(duration / 2)
	half := total
	p.Pass(duration / 2)
	slices.Sort(queues)
	imp := p.lines[0].Impairment
	const room = 0.92 // of what goes, beside headers and probes
	r.rate = float64(total-half) / (duration / 2).Seconds()
	r.share = r.rate / (float64(imp.Bandwidth) * (1 - imp.Loss) * room)
	r.median, r.p99, r.longest = queues[len(queues)/2], queues[len(queues)*99/100], queues[len(queues)-1]
	return r
}

// wide is a line of so many bytes a second, and of a round trip, with a queue that is never full.
func wide(rate int, trip time.Duration, imp impair.Impairment) impair.Impairment {
	imp.Bandwidth, imp.Delay, imp.Queue = rate, trip/2, 4<<20
	return imp
}

// With any of these lines an upload takes nine tenths of what the line gives, and delays others by less than a frame. On lines
// with losses or heavy jitter the line adds delays of its own.
func TestPacerFillsTheLineAndDelaysNobodyByAFrame(t *testing.T) {
	type line struct {
		imp          impair.Impairment
		p99, longest time.Duration
	}
	lines := []line{{wide(10e6, 50*ms, impair.Impairment{}), frameTime, frameTime * 3 / 2}}
	for _, trip := range []time.Duration{10 * ms, 50 * ms, 150 * ms} {
		for _, rate := range []int{500e3, 3e6} {
			lines = append(lines, line{wide(rate, trip, impair.Impairment{}), frameTime, frameTime * 3 / 2})
		}
		for _, rate := range []int{500e3, 3e6} {
			lines = append(lines, line{wide(rate, trip, impair.Impairment{Jitter: 2500 * time.Microsecond}), frameTime, 2 * frameTime})
			for _, imp := range []impair.Impairment{{Loss: 0.01}, {Loss: 0.05}, {Jitter: min(15*ms, trip/2)}} {
				lines = append(lines, line{wide(rate, trip, imp), 2 * frameTime, time.Second})
			}
		}
	}
	for i, x := range lines {
		if must.RaceDetector && i%8 > 0 {
			continue // it has nothing to find here
		}
		t.Run(fmt.Sprintf("%+v", x.imp), func(t *testing.T) {
			r := newPair(t, 7, x.imp).pace(20 * time.Second)
			t.Logf("%+v", r)
			if r.share < 0.9 {
				t.Errorf("took %.3f of what the line gives, want 0.9", r.share)
			}
			if r.p99 >= x.p99 || r.longest >= x.longest {
				t.Errorf("others waited for %v in the worst hundredth of the time, and for up to %v", r.p99, r.longest)
			}
		})
	}
}

// On a machine that has too much to do, programs stand still for a while: it is
// no queue.
func TestPacerOutlivesStalls(t *testing.T) {
	for _, x := range []struct {
		rate         int
		trip, stands time.Duration
	}{{1e6, 50 * ms, 100 * ms}, {1e6, 50 * ms, 300 * ms}, {3e6, 20 * ms, 200 * ms}, {3e6, 100 * ms, 50 * ms}} {
		t.Run(fmt.Sprint(x), func(t *testing.T) {
			p := newPair(t, 7, wide(x.rate, x.trip, impair.Impairment{}))
			p.stands = x.stands
			r := p.pace(20 * time.Second)
			t.Logf("%+v", r)
			if r.share < 0.6 {
				t.Errorf("took %.3f of what the line gives", r.share)
			}
			if r.p99 >= 4*frameTime { // the worst line stands still for a fifth of the time
				t.Errorf("others waited for %v in the worst hundredth of the time", r.p99)
			}
		})
	}
}

// Half of the rate is gone for ten seconds out of twenty.
func TestPacerFollowsTheLine(t *testing.T) {
	p := newPair(t, 7, wide(2e6, 40*ms, impair.Impairment{}))
	whole := true
	p.At(10*time.Second, func() {
		p.Every(10*time.Second, func() {
			if whole = !whole; whole {
				p.lines[0].Bandwidth = 2e6
			} else {
				p.lines[0].Bandwidth = 1e6
			}
		})
	})
	r := p.pace(80 * time.Second)
	t.Logf("%+v", r)
	if r.rate < 2e6*0.75*0.9*0.95 {
		t.Errorf("%.0f bytes a second, and the line gave 0.75 of two millions", r.rate)
	}
	if r.median >= frameTime {
		t.Errorf("others waited for %v half of the time", r.median)
	}
}

// Delays that grow for good, as when the route changes, must not be taken for a queue for ever.
func TestPacerLearnsALongerLine(t *testing.T) {
	p := newPair(t, 3, wide(2e6, 40*ms, impair.Impairment{}))
	p.At(5*time.Second, func() { p.lines[0].Delay += 60 * ms })
	if r := p.pace(24 * time.Second); r.share < 0.85 {
		t.Errorf("took %.3f of the line after it had become longer", r.share)
	}
}

func TestPacerStopsWhereNothingComesBack(t *testing.T) {
	p := newPacer()
	var sent int
	for now := time.Duration(0); now < time.Minute; now += ms {
		for p.ready(now) {
			n := chunkUnit
			p.sent(now, n)
			sent += n
		}
	}
	if most := minUnacked + int(startRate*repair.Seconds()) + maxUnits*chunkUnit; sent > most {
		t.Errorf("%d bytes on their way to a peer that says nothing, want at most %d", sent, most)
	}
	if _, ok := p.wake(time.Minute); ok {
		t.Error("wakes although only the peer can change anything")
	}
}

func TestPacerStartsGentlyAfterARest(t *testing.T) {
	p := newPair(t, 7, wide(20e6, 20*ms, impair.Impairment{}))
	p.Every(10*ms, func() {
		if p.take(1, link.Bulk); p.Now < 4*time.Second {
			p.feed()
		}
	})
	p.Pass(4 * time.Second)
	pacer := p.ends[0].pacer
	if pacer.rate < 15e6 {
		t.Fatalf("rate %.0f", pacer.rate)
	}
	p.Pass(time.Minute)
	p.feed()
	if pacer.phase != starting || pacer.rate > 12e6 {
		t.Errorf("goes on at %.0f bytes a second after a minute, in phase %d", pacer.rate, pacer.phase)
	}
}
