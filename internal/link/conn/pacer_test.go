package conn

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/virtual"
)

// paced is what a pacer did on a line.
type paced struct {
	share       float64       // of what the line carries, in the second half
	first       time.Duration // until the first 20 MB had arrived, 0 if they had not
	median, p99 time.Duration // of the queue at the bottleneck
	longest     time.Duration
}

// runPacer sends as much as a pacer lets through for a time. The peer's answers
// find an empty line back.
func runPacer(m lineModel, p *pacer, probes bool, duration time.Duration) paced {
	w := &virtual.World{}
	l := newLine(w, m, 7)
	var total, half int64
	var result paced
	const skew = 5 * time.Second // between the clocks
	// The peer's program takes a moment to look at what has come, and stands still
	// at times.
	hurry := func() time.Duration {
		wait := m.stalls - w.Now%time.Second
		return max(wait, 0) + time.Duration(l.rand.Float64()*3e5)
	}
	w.Every(time.Millisecond, func() {
		for p.ready(w.Now) {
			n, sent := chunkUnit, w.Now
			p.sent(sent, n)
			l.reliable(n+dataHeader, func() {
				w.At(w.Now+hurry(), func() {
					at := w.Now + skew
					if total += int64(n); total >= 20e6 && result.first == 0 {
						result.first = w.Now
					}
					w.At(w.Now+m.delay, func() { p.acked(int64(n)); p.trained(n, sent, at) })
				})
			})
		}
	})
	var probe func()
	probe = func() {
		sent := w.Now
		l.datagram(probeBytes, func() {
			w.At(w.Now+hurry(), func() {
				at := w.Now + skew
				w.At(w.Now+m.delay, func() { p.echoed(w.Now, sent, at) })
			})
		})
		w.At(w.Now+p.probeEvery(), probe)
	}
	if probes {
		w.At(0, probe)
	}
	var queues []time.Duration
	w.Every(time.Millisecond, func() { queues = append(queues, l.queued()) })
	w.At(duration/2, func() { half = total })
	w.Run(duration, func() bool { return false })
	slices.Sort(queues)
	result.share = float64(total-half) / (duration / 2).Seconds() / m.carries()
	result.median, result.p99, result.longest = queues[len(queues)/2], queues[len(queues)*99/100], queues[len(queues)-1]
	return result
}

// carries is the most bytes of parts that a line's reliable channel can bring in
// a second.
func (m lineModel) carries() float64 {
	most := m.rate * chunkUnit / (datagramSize + headerSize) * (1 - m.loss)
	if m.window > 0 {
		most = min(most, float64(m.window)/(2*m.delay).Seconds())
	}
	return most
}

func (m lineModel) String() string {
	s := fmt.Sprintf("%v MB/s, %v there and back", m.rate/1e6, 2*m.delay)
	if m.jitter > 0 {
		s += fmt.Sprintf(", jitter %v", m.jitter)
	}
	if m.loss > 0 {
		s += fmt.Sprintf(", loss %v %%", m.loss*100)
	}
	if m.stalls > 0 {
		s += fmt.Sprintf(", %v a second dead", m.stalls)
	}
	if m.window > 0 {
		s += fmt.Sprintf(", window %d KiB", m.window>>10)
	}
	return s
}

// probeBytes is the size of a timed datagram.
const probeBytes = 9

const (
	ms        = time.Millisecond
	frameTime = 16700 * time.Microsecond
)

// pacedLines are those of the promise in the package comment: with any of them a
// transfer takes nine tenths of what the line gives, and delays others by less
// than a frame.
func pacedLines() (lines []lineModel) {
	for _, rate := range []float64{0.5e6, 1e6, 5e6, 20e6} {
		for _, trip := range []time.Duration{5, 20, 50, 100, 150} {
			lines = append(lines, lineModel{rate: rate, delay: trip * ms / 2})
		}
	}
	for _, rate := range []float64{0.5e6, 5e6} {
		for _, trip := range []time.Duration{10, 50, 150} {
			lines = append(lines,
				lineModel{rate: rate, delay: trip * ms / 2, jitter: 5 * ms},
				lineModel{rate: rate, delay: trip * ms / 2, window: 64 << 10})
		}
	}
	return some(lines)
}

// sparse thins out tables of lines: with the race detector, which has nothing to
// find in a pacer, they would take a minute.
var sparse = 1

func init() {
	if must.RaceDetector {
		sparse = 8
	}
}

func some(lines []lineModel) (kept []lineModel) {
	for i := 0; i < len(lines); i += sparse {
		kept = append(kept, lines[i])
	}
	return kept
}

func TestPacerFillsTheLineAndDelaysNobodyByAFrame(t *testing.T) {
	for _, m := range pacedLines() {
		t.Run(m.String(), func(t *testing.T) {
			r := runPacer(m, newPacer(), true, 24*time.Second)
			if r.share < 0.9 {
				t.Errorf("took %.3f of what the line gives, want 0.9", r.share)
			}
			if r.p99 >= frameTime {
				t.Errorf("others waited for %v in the worst hundredth of the time, a frame is %v", r.p99, frameTime)
			}
			if limit := frameTime * 3 / 2; r.longest >= limit {
				t.Errorf("others waited for up to %v, while it found out what the line gives; want less than %v", r.longest, limit)
			}
		})
	}
}

// On lines with losses or heavy jitter the reliable channel and the line add
// delays of their own.
func TestPacerOnBadLines(t *testing.T) {
	var lines []lineModel
	for _, rate := range []float64{0.5e6, 5e6} {
		for _, trip := range []time.Duration{10, 50, 150} {
			for _, m := range []lineModel{
				{loss: 0.01}, {loss: 0.05}, {loss: 0.01, window: 64 << 10}, {jitter: 30 * ms},
			} {
				m.rate, m.delay = rate, trip*ms/2
				lines = append(lines, m)
			}
		}
	}
	for _, m := range some(lines) {
		t.Run(m.String(), func(t *testing.T) {
			r := runPacer(m, newPacer(), true, 45*time.Second)
			if r.share < 0.9 {
				t.Errorf("took %.3f of what the line gives, want 0.9", r.share)
			}
			if r.p99 >= 2*frameTime {
				t.Errorf("others waited for %v in the worst hundredth of the time", r.p99)
			}
		})
	}
}

// Without probes nothing is known of the queue, so the upload goes on as it began.
func TestPacerWithoutProbes(t *testing.T) {
	m := lineModel{rate: 5e6, delay: 50 * ms, loss: 0.02}
	p := newPacer()
	r := runPacer(m, p, false, 24*time.Second)
	if rate := r.share * m.carries(); rate < 0.9*startRate {
		t.Errorf("%.0f bytes a second, want at least about %.0f", rate, startRate)
	}
	if r.p99 >= 2*frameTime {
		t.Errorf("others waited for up to %v", r.p99)
	}
}

// On a machine that has too much to do, programs stand still for a while: it is
// no queue.
func TestPacerOutlivesStalls(t *testing.T) {
	for _, m := range []lineModel{
		{rate: 1e6, delay: 25 * ms, stalls: 100 * ms},
		{rate: 1e6, delay: 25 * ms, stalls: 300 * ms},
		{rate: 5e6, delay: 10 * ms, stalls: 200 * ms},
		{rate: 5e6, delay: 50 * ms, stalls: 50 * ms},
	} {
		t.Run(m.String(), func(t *testing.T) {
			r := runPacer(m, newPacer(), true, 30*time.Second)
			if r.share < 0.6 {
				t.Errorf("took %.3f of what the line gives", r.share)
			}
			if r.p99 >= 4*frameTime { // the worst line stands still for a fifth of the time
				t.Errorf("others waited for %v in the worst hundredth of the time", r.p99)
			}
		})
	}
}

func TestPacerFollowsTheLine(t *testing.T) {
	// Half of the rate is gone for ten seconds out of twenty.
	half := func(now time.Duration) float64 {
		if now%(20*time.Second) < 10*time.Second {
			return 1
		}
		return 0.5
	}
	m := lineModel{rate: 2e6, delay: 20 * ms, changes: half}
	r := runPacer(m, newPacer(), true, 80*time.Second)
	if r.share < 0.75*0.9 {
		t.Errorf("took %.3f, the line gave 0.75", r.share)
	}
	if r.median >= frameTime {
		t.Errorf("others waited for %v half of the time", r.median)
	}
}

// Delays that grow for good, as when the route changes or clocks drift apart,
// must not be taken for a queue for ever.
func TestPacerLearnsALongerLine(t *testing.T) {
	m := lineModel{rate: 2e6, delay: 20 * ms}
	w := &virtual.World{}
	l := newLine(w, m, 3)
	p := newPacer()
	drift := func() time.Duration { // 60 ms more after 5 s
		if w.Now > 5*time.Second {
			return 60 * ms
		}
		return 0
	}
	var total, late int64
	w.Every(ms, func() {
		for p.ready(w.Now) {
			n, sent := chunkUnit, w.Now
			p.sent(sent, n)
			l.reliable(n, func() {
				w.At(w.Now+drift(), func() {
					at := w.Now
					if total += int64(n); w.Now > 12*time.Second {
						late += int64(n)
					}
					w.At(w.Now+m.delay, func() { p.acked(int64(n)); p.trained(n, sent, at) })
				})
			})
		}
	})
	w.Every(10*ms, func() {
		sent := w.Now
		l.datagram(probeBytes, func() {
			at := w.Now + drift()
			w.At(at+m.delay, func() { p.echoed(w.Now, sent, at) })
		})
	})
	w.Run(20*time.Second, func() bool { return false })
	if share := float64(late) / 8 / m.carries(); share < 0.85 {
		t.Errorf("took %.3f of the line after it had become longer", share)
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
	m := lineModel{rate: 20e6, delay: 10 * ms}
	p := newPacer()
	runPacer(m, p, true, 5*time.Second)
	if p.rate < 15e6 {
		t.Fatalf("rate %.0f on %v", p.rate, m)
	}
	p.rest()
	p.dropped(p.unacked)
	now := time.Minute
	p.sent(now, chunkUnit)
	if p.phase != starting || p.rate > 12e6 {
		t.Errorf("goes on at %.0f bytes a second after a minute, in phase %d", p.rate, p.phase)
	}
}
