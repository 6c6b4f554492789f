package chaos

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/nettplay/nettplay/internal/link/impair"
)

// Core is the kind of a run's consoles.
type Core string

// The cores.
const (
	TestCore Core = "test core" // the project's own, see emucore/testcore
	DeSmuME  Core = "DeSmuME"   // as installed
	Model    Core = "model"     // in Go, for simulations; see package model
)

// Options bound what plans may ask for.
type Options struct {
	DeSmuME bool // it is installed
	Short   bool // games of a few seconds
	Model   bool // a simulation: more players, and nothing that takes processes
	Long    bool // also lines that are dark for 40 s, and a minute's patience
}

// Plan is one run.
type Plan struct {
	Seed    uint64
	Core    Core
	Radio   bool                // the consoles play over their radios; the test core only
	Players int                 // machine 0 is the game host's
	Frames  int64               // of the game
	Clocked bool                // the game host stamps all inputs
	Keep    bool                // consoles stay in the game when their players leave
	Max     bool                // as fast as the machines can, not at the console's rate
	Delay   int                 // input delay in frames
	Hash    int                 // frames between two comparisons
	Silence time.Duration       // after which a line counts as gone
	Wait    time.Duration       // for a player whose line is gone
	Late    []int               // late joiners: for each such machine, after the others, the player whose second one it is, -1 for a new player's
	Lines   []impair.Impairment // by machine; that of the game host is not used
	Presses [][]int64           // by machine: the local frames at which it presses A
	InFile  []bool              // by machine: its save is a file of its choice
	Verify  int                 // whose recording is played again, -1 for nobody's
	Events  []Event             // by rising At
}

// Event is something that goes wrong.
type Event struct {
	Kind    Kind
	At      time.Duration // after the game has begun everywhere
	Machine int           // that it befalls
	Length  time.Duration // of what lasts
	Frame   int64         // of a fault: when the machine goes wrong by itself
	Owner   int           // of a fault: the machine whose console it is
	Region  string        // of a fault: what of it
}

// frameTime is the duration of a frame at the console's rate.
const frameTime = time.Second * 1000 / 59826

// Presses come in bursts at the same time for all, as when players trade something,
// with calm between them in which saves are kept.
const (
	burstEvery  = 150 // frames
	burstFrames = 24
	firstBurst  = 45 // frames: a program is up by then
)

// NewPlan makes the plan of a seed.
func NewPlan(seed uint64, o Options) Plan {
	r := rand.New(rand.NewPCG(seed, 0x6e70))
	p := Plan{Seed: seed, Core: TestCore, Verify: -1}
	p.Players = []int{2, 2, 3, 3, 4}[r.IntN(5)]
	desmume, radio := r.IntN(6) == 0, r.IntN(4) == 0
	if o.Model {
		p.Core, p.Players, desmume, radio = Model, 2+min(r.IntN(5), r.IntN(5)), false, false
	}
	p.Frames = 300 + r.Int64N(400)
	if o.Short {
		p.Frames = 200 + r.Int64N(150)
	}
	if o.Model {
		p.Frames = 160 + r.Int64N(160)
	}
	p.Max = r.IntN(5) == 0
	p.Delay = r.IntN(9)
	p.Hash = []int{30, 30, 10, 60}[r.IntN(4)]
	p.Silence = 3*time.Second + time.Duration(r.IntN(3))*time.Second
	p.Wait = p.Silence + 6*time.Second + time.Duration(r.IntN(4))*time.Second
	if desmume && o.DeSmuME {
		p.Core, p.Players, p.Max = DeSmuME, 2, false
	}
	p.Radio = radio && p.Core == TestCore
	if p.Max {
		p.Frames *= p.faster()
	}
	for m := range p.Players {
		p.machine(r)
		if m == 0 && r.IntN(3) == 0 {
			p.Verify = r.IntN(p.Players)
		}
	}
	if o.Long && r.IntN(3) == 0 {
		p.Wait = time.Minute
	}
	p.plot(r, o)
	if n := len(p.Late); n > 0 {
		p.lengthen(r, int64(n)*lateFrames)
	}
	p.Keep = r.IntN(3) == 0
	p.Clocked = r.IntN(2) == 0
	return p
}

// machine plans one more machine.
func (p *Plan) machine(r *rand.Rand) {
	p.Lines = append(p.Lines, line(r))
	p.Presses = append(p.Presses, presses(r, 0, p.Frames))
	p.InFile = append(p.InFile, r.IntN(3) == 0)
}

// lateFrames makes a game longer for each late joiner: it is to be played with them, too.
const lateFrames = 420

func (p *Plan) lengthen(r *rand.Rand, frames int64) {
	if p.Core == Model {
		frames = frames * 2 / 3 // nobody has other things to do
	}
	if p.Max {
		frames *= p.faster()
	}
	for m := range p.Presses {
		p.Presses[m] = append(p.Presses[m], presses(r, p.Frames, p.Frames+frames)...)
	}
	p.Frames += frames
}

// faster is the factor by which a game without the console's rate has more frames.
func (p *Plan) faster() int64 {
	if p.Core == Model {
		return 2
	}
	return 4
}

// most returns the limit of machines that play.
func (p *Plan) most() int {
	if p.Core == Model {
		return 8
	}
	return 5
}

// later plans a machine that comes while the game runs, for a player's second stay or,
// with -1, for a new player.
func (p *Plan) later(r *rand.Rand, again int) (machine int) {
	p.Late = append(p.Late, again)
	p.machine(r)
	return p.Players + len(p.Late) - 1
}

// Machines counts the machines that play, those that come later included.
func (p *Plan) Machines() int { return p.Players + len(p.Late) }

// first is the machine that a machine's player was at in the beginning; -1 for nobody.
func (p *Plan) first(machine int) int {
	switch {
	case machine < p.Players:
		return machine
	case machine >= firstSpectator:
		return -1
	}
	return p.Late[machine-p.Players]
}

// player returns the name of the player at a machine.
func (p *Plan) player(machine int) string {
	if first := p.first(machine); first >= 0 {
		return Name(first)
	}
	return Name(machine)
}

// line draws the badness of a line.
func line(r *rand.Rand) impair.Impairment {
	ms := func(n int) time.Duration { return time.Duration(r.IntN(n+1)) * time.Millisecond }
	imp := impair.Impairment{Delay: ms(60), Loss: r.Float64() * 0.05, Duplicate: r.Float64() * 0.02, Reorder: r.Float64() * 0.03}
	imp.Jitter = min(ms(25), imp.Delay)
	switch r.IntN(5) {
	case 0:
		imp.Loss = 0.05 + r.Float64()*0.15
	case 1:
		imp.Bandwidth = (200 + r.IntN(400)) << 10
	}
	return imp
}

// presses are a player's for the bursts that begin in some frames.
func presses(r *rand.Rand, from, to int64) (list []int64) {
	for burst := int64(firstBurst); burst < to; burst += burstEvery {
		if burst < from {
			continue
		}
		at := burst
		for range r.IntN(4) {
			at += 2 + r.Int64N(burstFrames/4)
			list = append(list, at)
		}
	}
	return list
}

// length returns the least duration of a game in which nothing goes wrong.
func (p *Plan) length() time.Duration {
	if p.Max {
		return time.Duration(p.Frames) * frameTime / 8
	}
	return time.Duration(p.Frames) * frameTime
}

// late returns the time by which a frame may come later than the console's rate on lines that lose
// nothing: inputs go from one player by the game host to another, and the input delay covers only a
// part of that way.
func (p *Plan) late() time.Duration {
	var worst time.Duration
	for _, imp := range p.Lines[1:] {
		worst = max(worst, imp.Delay+imp.Jitter)
	}
	if p.has(Worse) {
		worst += worseDelay + worseJitter
	}
	return max(0, 2*worst-time.Duration(p.Delay)*frameTime)
}

// plot decides what goes wrong.
func (p *Plan) plot(r *rand.Rand, o Options) {
	for n := 1 + r.IntN(4); n > 0; n-- {
		var fit []*kindOf
		sum := 0
		for i := range kinds {
			if k := &kinds[i]; (o.Long || !k.long) && k.fits(p) {
				fit, sum = append(fit, k), sum+k.weight
			}
		}
		pick := r.IntN(sum)
		for _, k := range fit {
			if pick -= k.weight; pick < 0 {
				e := k.event(r, p)
				e.Kind = k.kind
				p.Events = append(p.Events, e)
				break
			}
		}
	}
	p.sort()
	if r.IntN(3) == 0 {
		p.gather(r)
	}
}

func (p *Plan) sort() {
	slices.SortStableFunc(p.Events, func(a, b Event) int { return cmp.Compare(a.At, b.At) })
}

// gather has all happen at nearly the same time, in the same order: what goes wrong while
// something else is being mended is where most goes wrong. A fault has its frame.
func (p *Plan) gather(r *rand.Rand) {
	at := p.Events[r.IntN(len(p.Events))].At
	for i := range p.Events {
		if e := &p.Events[i]; e.Kind != Fault {
			e.At, at = at, at+time.Millisecond+time.Duration(r.Int64N(int64(1200*time.Millisecond)))
		}
	}
	p.sort()
}

// has reports whether something of these kinds is planned.
func (p *Plan) has(list ...Kind) bool { return p.count(list...) > 0 }

func (p *Plan) count(list ...Kind) (n int) {
	for _, e := range p.Events {
		if slices.Contains(list, e.Kind) {
			n++
		}
	}
	return n
}

// Spectators have machines, too, which are counted from here on.
const firstSpectator = 100

// Name returns the name of a machine: that of its player, if that one has not been here before.
func Name(machine int) string {
	if machine >= firstSpectator {
		return []string{"Uma", "Vic", "Wim"}[machine-firstSpectator]
	}
	return []string{"Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal"}[machine]
}

// String is the plan in words, a line for each thing.
func (p Plan) String() string {
	var b strings.Builder
	speed, radio := "at the console's rate", ""
	if p.Max {
		speed = "as fast as they can"
	}
	if p.Radio {
		radio = ", over their radios"
	}
	if p.Keep {
		radio += ", whose consoles stay"
	}
	if p.Clocked {
		radio += ", clocked"
	}
	fmt.Fprintf(&b, "seed %d: %d players on the %s%s, %d frames %s, input delay %d, compared every %d, silence %v, wait %v\n",
		p.Seed, p.Players, p.Core, radio, p.Frames, speed, p.Delay, p.Hash, p.Silence, p.Wait)
	for i, again := range p.Late {
		if again >= 0 {
			fmt.Fprintf(&b, "  %s is %s again\n", Name(p.Players+i), Name(again))
		}
	}
	for m, imp := range p.Lines[1:] {
		fmt.Fprintf(&b, "  %s's line: %v +- %v, %.1f %% lost, %.1f %% double, %.1f %% late", Name(m+1), imp.Delay, imp.Jitter, 100*imp.Loss, 100*imp.Duplicate, 100*imp.Reorder)
		if imp.Bandwidth > 0 {
			fmt.Fprintf(&b, ", %d KB/s", imp.Bandwidth>>10)
		}
		b.WriteByte('\n')
	}
	for _, e := range p.Events {
		fmt.Fprintf(&b, "  %v\n", e)
	}
	return b.String()
}

// String is the event in words.
func (e Event) String() string {
	words := strings.ReplaceAll(kindNamed(e.Kind).words, "NAME", Name(e.Machine))
	if e.Kind == Fault {
		return fmt.Sprintf("after frame %d: %s (%s of %s's console)", e.Frame, words, e.Region, Name(e.Owner))
	}
	if e.Length > 0 {
		words += fmt.Sprintf(" for %v", e.Length)
	}
	return fmt.Sprintf("after %v: %s", e.At.Round(10*time.Millisecond), words)
}
