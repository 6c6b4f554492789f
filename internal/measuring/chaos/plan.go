package chaos

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/testing/impair"
)

// Core is the kind of a run's consoles.
type Core string

// The cores.
const (
	TestCore Core = "test core" // the project's own, see internal/testing/testcore
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
	Radio   bool                // the consoles play over their radios; the test core, and models that go back
	Players int                 // machine 0 is the game host's
	Frames  int64               // of the game
	Sync    room.Sync           // how the machines keep together
	Keep    bool                // consoles stay in the game when their players leave
	Max     bool                // as fast as the machines can, not at the console's rate
	Delay   int                 // input delay in frames, at first
	Auto    autodelay.Preset    // by which it changes
	Hash    int                 // frames between two comparisons
	Silence time.Duration       // after which a connection counts as gone
	Wait    time.Duration       // for a player whose connection is gone
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

// ownDelay is what a machine's players want for their own presses; it counts in rollback.
func (p *Plan) ownDelay(machine int) autodelay.Choice {
	return autodelay.Choice((p.Seed/6 + uint64(machine)) % uint64(autodelay.MaxChoice+1))
}

// delays are the shortest and the longest input delay that a machine's presses can have.
func (p *Plan) delays(machine int) (least, most int) {
	least, most = p.Delay, p.Delay
	if p.Sync == room.Rollback {
		if own, chosen := p.ownDelay(machine).Frames(); chosen {
			least, most = min(least, own), max(most, own)
		}
		if machine >= p.Players { // as the others', until then
			least, most = 0, max(most, autodelay.MaxChosen)
		}
	}
	if p.Auto != autodelay.Off {
		least, most = 0, max(most, p.Auto.Cap())
	}
	return least, most
}

// machine plans one more machine.
func (p *Plan) machine(r *rand.Rand) {
	p.Lines = append(p.Lines, line(r))
	p.Presses = append(p.Presses, presses(r, 0, p.Frames))
	p.InFile = append(p.InFile, r.IntN(3) == 0)
}

// faster is the factor by which a game without the console's rate has more frames.
func (p *Plan) faster() int64 {
	if p.Core == Model {
		return 2
	}
	return 4
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

// length returns the least duration of a game in which nothing goes wrong.
func (p *Plan) length() time.Duration {
	if p.Max {
		return time.Duration(p.Frames) * frameTime / 8
	}
	return time.Duration(p.Frames) * frameTime
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
