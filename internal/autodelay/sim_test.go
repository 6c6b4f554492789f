package autodelay

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// line is a way between two machines: what a datagram takes, and what is lost.
type line struct {
	name        string
	way, jitter float64 // ms; the jitter is the standard deviation of a normal distribution, cut at 3
	loss        float64
	burst       float64 // chance that the loss goes on with the next datagram
	outage      float64 // chance of 300 ms without anything, for each frame
}

var lines = []line{
	{name: "in the house", way: 0.5},
	{name: "20±2", way: 20, jitter: 2},
	{name: "50±10, 5% lost", way: 50, jitter: 10.0 / 3, loss: 0.05},
	{name: "50±10 normal, 5% lost", way: 50, jitter: 10, loss: 0.05},
	{name: "30±5, 1% lost in bursts", way: 30, jitter: 5, loss: 0.01, burst: 0.5},
	{name: "80±15", way: 80, jitter: 15},
	{name: "120±5, 1% lost", way: 120, jitter: 5, loss: 0.01},
	{name: "40±3 with an outage a minute", way: 40, jitter: 3, outage: 1.0 / 3600},
}

const frame = 1000.0 / 59.8261

// sender gives the need of each input in frames, with what arrived together.
type sender struct {
	rng  *rand.Rand
	line line
	lost bool
	dark int // frames of an outage that are left
	held int // inputs that wait for the next datagram that arrives
}

// frame sends the datagram of one more frame. Inputs is how many arrive with it, need what the
// oldest of them needs; 0 inputs: it is lost.
func (s *sender) frame() (need float64, inputs int) {
	s.held++
	chance := s.line.loss
	if s.lost {
		chance = max(chance, s.line.burst)
	}
	if s.lost = s.rng.Float64() < chance; s.rng.Float64() < s.line.outage {
		s.dark = 18
	}
	if s.dark > 0 {
		s.dark--
		return 0, 0
	}
	if s.lost {
		return 0, 0
	}
	late := min(max(s.rng.NormFloat64(), -3), 3) * s.line.jitter
	inputs, s.held = s.held, 0
	return (s.line.way+late)/frame + float64(inputs-1), inputs
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
func play(l line, p Preset, first int, long time.Duration, seed uint64, change func(at time.Duration, s *sender)) played {
	rng := rand.New(rand.NewPCG(seed, 7))
	send := [2]*sender{{rng: rng, line: l}, {rng: rng, line: l}}
	var arrivals [2]Arrivals
	start := time.Unix(1000, 0)
	k := NewKeeper(p, start)
	delay := [2]int{first, first}
	var out played
	for f := range int(long.Seconds() * 59.8261) {
		at := time.Duration(float64(f) * frame * float64(time.Millisecond))
		for i, s := range send {
			if change != nil {
				change(at, s)
			}
			need, inputs := s.frame()
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
				o := play(l, Party, first, 10*time.Minute, seed, nil)
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
	o := play(lines[1], Party, 4, 5*time.Minute, 1, func(at time.Duration, s *sender) {
		s.line.way = 20
		if at > 2*time.Minute && at < 3*time.Minute {
			s.line.way = 100
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
