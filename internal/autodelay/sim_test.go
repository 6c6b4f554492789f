package autodelay

import (
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/impair"
)

// lines are ways between two machines.
var lines = []struct {
	name string
	imp  impair.Impairment
}{
	{"in the house", impair.Impairment{Delay: ms / 2}},
	{"20±6", impair.Impairment{Delay: 20 * ms, Jitter: 6 * ms}},
	{"50±10, 5% lost", impair.Impairment{Delay: 50 * ms, Jitter: 10 * ms, Loss: 0.05}},
	{"50±30, 5% lost", impair.Impairment{Delay: 50 * ms, Jitter: 30 * ms, Loss: 0.05}},
	{"30±15, 1% lost in bursts", impair.Impairment{Delay: 30 * ms, Jitter: 15 * ms, BurstShare: 0.01, BurstMean: 40 * ms}},
	{"80±45", impair.Impairment{Delay: 80 * ms, Jitter: 45 * ms}},
	{"120±15, 1% lost", impair.Impairment{Delay: 120 * ms, Jitter: 15 * ms, Loss: 0.01}},
	{"40±9 with an outage a minute", impair.Impairment{Delay: 40 * ms, Jitter: 9 * ms, BurstShare: 0.005, BurstMean: 300 * ms}},
}

const ms = time.Millisecond

// sender gives the need of each input in frames, with what arrived together.
type sender struct {
	line impair.Line
	dice *impair.Dice
	held int // inputs that wait for the next datagram that arrives
}

// frame sends the datagram of one more frame. Inputs is how many arrive with it, need what the
// oldest of them needs; 0 inputs: it is lost.
func (s *sender) frame(now time.Time, imp impair.Impairment) (need float64, inputs int) {
	s.held++
	fate := s.line.Send(now, 0, imp, s.dice)
	if fate.Copies == 0 {
		return 0, 0
	}
	inputs, s.held = s.held, 0
	return float64(fate.At[0].Sub(now))/float64(ds.FrameTime(1)) + float64(inputs-1), inputs
}

// played is what came of a game with a keeper.
type played struct {
	delay   int
	changes []time.Duration
	late    []float64 // needs of all arrivals after the first two minutes
	waits   int       // late arrivals in that time, with the delays that the keeper chose
	inputs  int
}

// play plays so long over a line, with the same way back, from a first delay.
func play(line impair.Impairment, p Preset, first int, long time.Duration, seed uint64, change func(at time.Duration, line *impair.Impairment)) played {
	send := [2]*sender{{dice: impair.NewDice(seed, 0)}, {dice: impair.NewDice(seed, 1)}}
	var arrivals [2]Arrivals
	start := time.Unix(1000, 0)
	k := NewKeeper(p, start)
	delay := [2]int{first, first}
	var out played
	for f := int64(0); ds.FrameTime(f) < long; f++ {
		at := ds.FrameTime(f)
		if change != nil {
			change(at, &line)
		}
		for i, s := range send {
			need, inputs := s.frame(start.Add(at), line)
			if inputs == 0 {
				continue
			}
			arrivals[i].Add(int(4*need)+1, inputs)
			if at > 2*time.Minute {
				out.inputs += inputs
				out.late = append(out.late, need)
				if need > float64(delay[i]) {
					out.waits++
				}
			}
		}
		if f%60 != 0 {
			continue
		}
		now := start.Add(at)
		seats := []Seat{{Seat: 0, Machine: 0, Delay: delay[0]}, {Seat: 1, Machine: 1, Delay: delay[1]}}
		for i := range arrivals {
			k.Report(now, 1-i, seats[i].Seat, arrivals[i].Sum(p, delay[i]))
		}
		for j, c := range k.Next(now, seats) {
			if delay[c.Seat] = c.Delay; j == 0 {
				out.changes = append(out.changes, at)
			}
		}
	}
	out.delay = max(delay[0], delay[1])
	return out
}

// best is the shortest delay at which no more than the preset's share waits.
func (o played) best(p Preset) int {
	allowed := o.inputs / p.policy().share
	late := slices.Clone(o.late)
	slices.Sort(late)
	late = slices.DeleteFunc(late, func(need float64) bool { return need > float64(p.Cap()) })
	for d := range p.Cap() {
		i, _ := slices.BinarySearch(late, float64(d))
		if len(late)-i <= allowed {
			return d
		}
	}
	return p.Cap()
}

// The delay comes within a frame of the best fixed one on every line, from whatever it began with,
// and never changes twice in 10 seconds once the line has been looked at.
func TestWithinAFrameOfTheBest(t *testing.T) {
	for _, l := range lines {
		for _, first := range []int{0, 4, 10} {
			for seed := range uint64(3) {
				o := play(l.imp, Party, first, 8*time.Minute, seed, nil)
				best := o.best(Party)
				t.Logf("%s from %d: delay %d, best %d, %d changes, %d of %d late", l.name, first, o.delay, best, len(o.changes), o.waits, o.inputs)
				if o.delay < best-1 || o.delay > best+1 {
					t.Errorf("%s from %d, seed %d: the delay is %d, the best fixed one %d", l.name, first, seed, o.delay, best)
				}
				for i := 1; i < len(o.changes); i++ {
					if gap := o.changes[i] - o.changes[i-1]; gap < 10*time.Second && o.changes[i] > 30*time.Second {
						t.Errorf("%s from %d, seed %d: changes at %v and %v", l.name, first, seed, o.changes[i-1], o.changes[i])
					}
				}
			}
		}
	}
}

// A line that becomes worse in the middle of a game is followed within seconds, and one that
// becomes better within two minutes.
func TestFollowsTheLine(t *testing.T) {
	var worse time.Duration
	o := play(lines[1].imp, Party, 4, 5*time.Minute, 1, func(at time.Duration, line *impair.Impairment) {
		line.Delay = 20 * ms
		if at > 2*time.Minute && at < 3*time.Minute {
			line.Delay = 100 * ms
		}
	})
	for _, at := range o.changes {
		if at > 2*time.Minute && at < 3*time.Minute {
			worse = at
		}
	}
	if worse == 0 || worse > 2*time.Minute+15*time.Second {
		t.Errorf("the last raise came at %v, the line became worse at 2m", worse)
	}
	if o.delay > 3 {
		t.Errorf("two minutes after the line has become better the delay is %d", o.delay)
	}
}
