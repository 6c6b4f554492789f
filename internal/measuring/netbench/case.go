package netbench

import (
	"fmt"
	"hash/fnv"
	"math"
	"path"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/impair"
)

// Case is a room to measure.
type Case struct {
	Name     string // short, for patterns
	Words    string // for people
	Machines int    // 2 to 4; each but the game host has a line to it
	Line     impair.Impairment
	// Bad is the line of the last machine, where it is another than Line; else nil.
	Bad   *impair.Impairment
	Delay int    // input delay in frames, where none is asked for
	Sync  string // the room's setting, "" for that of the options
	// Length is the measured length of a game of it; 0 for the usual time.
	Length time.Duration
}

// Frame is the duration of a frame.
var Frame = ds.FrameTime(1)

// Seed is that of the case's chances: the same in each run with the same base.
func (c *Case) Seed(base uint64) uint64 {
	h := fnv.New64a()
	h.Write([]byte(c.Name))
	return h.Sum64() ^ base
}

// line is that of a machine, from 1 on: the game host has none.
func (c *Case) line(machine int) impair.Impairment {
	if c.Bad != nil && machine == c.Machines-1 {
		return *c.Bad
	}
	return c.Line
}

// lineSeed is the seed of a machine's line.
func lineSeed(seed uint64, machine int) uint64 { return seed ^ uint64(machine)<<32 }

const ms = time.Millisecond

// delayFor is a delay with which a lost datagram's inputs still come in time with the next one:
// the longest way, a frame for the loss and one for what the machines' clocks differ.
func delayFor(imp impair.Impairment, machines int) int {
	way := imp.Delay + imp.Jitter
	if machines > 2 {
		way *= 2 // over the game host
	}
	return min(int(math.Ceil(float64(way)/float64(Frame)))+2, ds.MaxDelay)
}

// plain is a case with a delay, a jitter and single losses in percent.
func plain(machines, delay, jitter, loss int) Case {
	imp := impair.Impairment{
		Delay: time.Duration(delay) * ms, Jitter: time.Duration(jitter) * ms, Loss: float64(loss) / 100,
	}
	c := Case{
		Name:     fmt.Sprintf("%dj%dl%d", delay, jitter, loss),
		Words:    fmt.Sprintf("%d±%d ms, %d %%", delay, jitter, loss),
		Machines: machines, Line: imp, Delay: delayFor(imp, machines),
	}
	return c.of(machines)
}

// of is the case for a number of machines.
func (c Case) of(machines int) Case {
	if c.Machines = machines; machines > 2 {
		c.Name += fmt.Sprintf("x%d", machines)
		c.Words += fmt.Sprintf(", %d machines", machines)
	}
	return c
}

// Cases are all cases, in the table's order.
func Cases() []Case {
	var list []Case
	for _, delay := range []int{20, 50, 100, 150} {
		for _, jitter := range []int{0, 10, 30} {
			for _, loss := range []int{0, 2, 5} {
				list = append(list, plain(2, delay, jitter, loss))
			}
		}
	}
	list = append(list, troubles()...)
	return append(list, plain(3, 50, 10, 2), plain(4, 20, 0, 0), plain(4, 50, 10, 2), plain(4, 50, 10, 5), plain(4, 100, 10, 2), oneOfFour())
}

// Long is the case that is played for ten minutes.
func Long() Case {
	c := plain(2, 50, 10, 5)
	c.Name, c.Words, c.Length = "long", c.Words+", 10 minutes", 10*time.Minute
	return c
}

// troubles returns cases of lines that do more than delay, jitter and single losses.
func troubles() []Case {
	base := impair.Impairment{Delay: 50 * ms, Jitter: 10 * ms}
	with := func(name, words string, change func(*impair.Impairment), frames int) Case {
		imp := base
		change(&imp)
		return Case{Name: name, Words: "50±10 ms, " + words, Machines: 2, Line: imp, Delay: delayFor(base, 2) + frames}
	}
	return []Case{
		with("burst5", "bursts of 60 ms, 5 % of the time", func(i *impair.Impairment) { i.BurstShare = 0.05 }, 2),
		with("burst10", "bursts of 100 ms, 10 % of the time", func(i *impair.Impairment) { i.BurstShare, i.BurstMean = 0.1, 100*ms }, 3),
		with("reorder", "10 % overtaken by up to 25 ms", func(i *impair.Impairment) { i.Reorder = 0.1 }, 0),
		with("bloat100", "a queue of 100 ms that fills for 4 of 8 s", func(i *impair.Impairment) {
			i.Bandwidth, i.Queue, i.Traffic, i.TrafficEvery = 250_000, 25_000, 350_000, 8*time.Second
		}, 6),
		with("bloat300", "a queue of 300 ms that fills for 4 of 8 s", func(i *impair.Impairment) {
			i.Bandwidth, i.Queue, i.Traffic, i.TrafficEvery = 250_000, 75_000, 350_000, 8*time.Second
		}, 6),
	}
}

// oneOfFour has one machine with a line that loses in bursts, and three with good ones.
func oneOfFour() Case {
	c := Case{
		Name: "onebad", Words: "20 ms, of which one has bursts of 100 ms, 10 % of the time",
		Line: impair.Impairment{Delay: 20 * ms}, Bad: &impair.Impairment{Delay: 20 * ms, BurstShare: 0.1, BurstMean: 100 * ms},
	}
	c.Delay = delayFor(c.Line, 4) + 3
	return c.of(4)
}

// Match are the cases whose name is like one of the patterns of package path ("50*", "burst?");
// all without any.
func Match(all []Case, patterns []string) (list []Case, err error) {
	if len(patterns) == 0 {
		return all, nil
	}
	for _, c := range all {
		for _, p := range patterns {
			ok, err := path.Match(p, c.Name)
			if err != nil {
				return nil, fmt.Errorf("cases %q: %w", p, err)
			}
			if ok {
				list = append(list, c)
				break
			}
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no case is like %q", patterns)
	}
	return list, nil
}
