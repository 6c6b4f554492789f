package chaos

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// facts are a run's real events, in the terms of what they excuse.
type facts struct {
	plan *Plan
	acts []Act  // that were done, by rising time
	left []Left // by machine
}

func factsOf(p *Plan, o *Outcome) facts {
	return facts{p, slices.DeleteFunc(slices.Clone(o.Acts), func(a Act) bool { return !a.Did }), o.Machines}
}

// was reports whether a machine was in the game at any time.
func (f facts) was(machine int) bool {
	return machine < f.plan.Players || machine < len(f.left) && !f.left[machine].Absent && f.left[machine].Entry >= 0
}

// done are the acts of these kinds that were done to a machine, -1 for any.
func (f facts) done(machine int, list ...Kind) (acts []Act) {
	for _, a := range f.acts {
		if (machine < 0 || a.Machine == machine) && slices.Contains(list, a.Kind) {
			acts = append(acts, a)
		}
	}
	return acts
}

func (f facts) did(machine int, list ...Kind) bool { return len(f.done(machine, list...)) > 0 }

// ended reports whether a machine reports a result. A killed one reports nothing.
func (f facts) ended(machine int, r notice.Result) bool {
	report := f.left[machine].Report
	return report != nil && report.Result == r
}

// killed reports whether we have killed a machine, quit whether its player has left
// on purpose.
func (f facts) killed(machine int) bool { return f.did(machine, KillPeer, KillHost, JoinGone) }
func (f facts) quit(machine int) bool   { return f.did(machine, Leave, HostLeaves) }

// at returns the time at which something was done first; -1: never.
func (f facts) at(machine int, list ...Kind) time.Duration {
	for _, a := range f.done(machine, list...) {
		return a.At
	}
	return -1
}

// goodbye is the time that it may take on a bad line until others hear one.
const goodbye = time.Second

// heard reports whether the others could hear a player say goodbye. A player that leaves
// while the line is dark just falls silent, for them.
func (f facts) heard(machine int) bool {
	for _, leave := range f.done(machine, Leave, HostLeaves) {
		for _, a := range f.done(machine, troubles...) {
			if a.At <= leave.At+goodbye && leave.At <= a.At+a.Length+f.plan.Silence+f.plan.Wait {
				return false
			}
		}
	}
	return true
}

// gone reports whether a machine has lost the others for good.
func (f facts) gone(machine int) bool {
	return f.did(machine, Cut) || f.darkest(machine) > f.plan.Wait-backAgain
}

// darkest returns the longest time that a line was dark. Between two times so close to each other that
// nobody need be back it was dark, too.
func (f facts) darkest(machine int) (longest time.Duration) {
	from, to := time.Duration(0), time.Duration(-1)
	for _, a := range f.done(machine, troubles...) {
		if to < 0 || a.At > to+backAgain {
			from = a.At
		}
		to = max(to, a.At+a.Length)
		longest = max(longest, to-from)
	}
	return longest
}

// troubles are the kinds that make a line silent for a while.
var troubles = []Kind{Dark, DarkLong, Dark40, OneWay, Freeze, Moved}

// vanishing are the ends of a machine of which others learn only when nobody waits for it any more.
var vanishing = []Kind{Cut, KillPeer, JoinGone}

// hostGone reports whether the room has lost its game host.
func (f facts) hostGone() bool { return f.killed(0) || f.quit(0) }

// stays reports whether a machine is there to the end, as far as we know.
func (f facts) stays(machine int) bool {
	return f.was(machine) && !f.killed(machine) && !f.quit(machine) && !f.gone(machine)
}

// mostGoneOn is the limit of frames that a clocked game goes on while nothing is heard of a machine:
// game.maxLag, and a little.
const mostGoneOn = 400

// unheard bounds the frames of a clocked game in which nothing is heard of a machine.
func (f facts) unheard(machine int) int64 {
	switch {
	case f.plan.Sync != room.Clocked:
		return 0
	case f.gone(machine), f.killed(machine):
		return mostGoneOn
	}
	return min(int64(f.darkest(machine)/frameTime), mostGoneOn)
}

// silent bounds the frames of a clocked game in which any machine is not heard.
func (f facts) silent() (frames int64) {
	for m := range f.plan.Machines() {
		if f.was(m) {
			frames = max(frames, f.unheard(m))
		}
	}
	return frames
}

// goneOn bounds the frames that a clocked game goes on until a machine that is wrong can be compared
// with the others, whose hashes come later than in lockstep. Three that are heard need not wait for the
// rest, if two of them are half of all.
func (f facts) goneOn(machine int) (frames int64) {
	frames = f.silent()
	heard, all := 0, 0
	for m := range f.plan.Machines() {
		if !f.was(m) {
			continue
		}
		if all++; f.unheard(m) == 0 {
			heard++
		}
	}
	const patience = 60 // frames, as in package desync
	if f.unheard(machine) == 0 && heard >= 3 && 2*(heard-1) >= all {
		return min(frames, patience)
	}
	return frames
}
