package chaos

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/session"
)

// facts are what really happened in a run, in the terms of what that excuses.
type facts struct {
	plan *Plan
	acts []Act
}

// did tells whether one of these was done to a machine, -1 for any.
func (f facts) did(machine int, list ...Kind) bool {
	return slices.ContainsFunc(f.acts, func(a Act) bool {
		return a.Did && (machine < 0 || a.Machine == machine) && slices.Contains(list, a.Kind)
	})
}

// killed tells whether we have killed a machine, left whether its player has left
// on purpose.
func (f facts) killed(machine int) bool { return f.did(machine, KillPeer, KillHost) }
func (f facts) left(machine int) bool   { return f.did(machine, Leave, HostLeaves) }

// heard tells whether the others could hear a player say goodbye. Who leaves while the
// line is dark just falls silent, for them.
func (f facts) heard(machine int) bool {
	for _, leave := range f.acts {
		if leave.Machine != machine || leave.Kind != Leave && leave.Kind != HostLeaves {
			continue
		}
		for _, a := range f.acts {
			if a.Did && a.Machine == machine && a.Length > 0 && a.Kind != Garbage && a.At <= leave.At && leave.At <= a.At+a.Length+f.plan.Silence+f.plan.Wait {
				return false
			}
		}
	}
	return true
}

// gone tells whether a machine has lost the others for good.
func (f facts) gone(machine int) bool {
	return f.did(machine, Cut) || f.darkest(machine) > f.plan.Wait-backAgain
}

// darkest is for how long a line was dark at most. Between two times so close to each
// other that nobody need be back it was dark, too.
func (f facts) darkest(machine int) (longest time.Duration) {
	from, to := time.Duration(0), time.Duration(-1)
	for _, a := range f.acts { // by rising time
		if !a.Did || a.Machine != machine || !slices.Contains([]Kind{Dark, DarkLong, Dark40, OneWay, Freeze, Moved}, a.Kind) {
			continue
		}
		if to < 0 || a.At > to+backAgain {
			from = a.At
		}
		to = max(to, a.At+a.Length)
		longest = max(longest, to-from)
	}
	return longest
}

// hostGone tells whether the room has lost its game host.
func (f facts) hostGone() bool { return f.killed(0) || f.left(0) }

// alone tells whether nobody is left for a machine to play with, and whether the
// others went on purpose.
func (f facts) alone(machine int) (alone, wanted bool) {
	wanted = true
	for m := range f.plan.Players {
		switch {
		case m == machine:
		case f.left(m) && f.heard(m):
		case f.killed(m), f.gone(m), f.left(m):
			wanted = false
		default:
			return false, false
		}
	}
	return true, wanted
}

// bothBroken tells whether a machine has lost a console while another was without
// one: nobody then need have all of them.
func (f facts) bothBroken() bool {
	var before []Act
	for _, a := range f.acts { // by rising time
		if !a.Did || a.Kind != KillWorker {
			continue
		}
		for _, b := range before {
			if a.Machine != b.Machine && a.At < b.At+repairTime+f.darkest(a.Machine)+f.darkest(b.Machine) {
				return true
			}
		}
		before = append(before, a)
	}
	return false
}

// repairTime is how long a machine may be without a console, while its line is good.
const repairTime = 5 * time.Second

// repairs is how many resyncs were asked for.
func (f facts) repairs() (n int) {
	for _, a := range f.acts {
		if a.Did && kindNamed(a.Kind).repair {
			n++
		}
	}
	return n
}

// excused tells whether a machine may end with a result other than ok, and why.
func (f facts) excused(machine int, r session.Result) (why string) {
	alone, wanted := f.alone(machine)
	switch {
	case r == session.ResultLost && f.hostGone() && machine != 0:
		return "the game host is gone"
	case r == session.ResultLost && f.gone(machine):
		return "its line was cut"
	case r == session.ResultLost && alone && !wanted:
		return "the others are gone"
	case r == session.ResultLost && f.repairs() > 0 && f.did(-1, ends...):
		return "who was to give consoles to the others is gone"
	case r == session.ResultCore && f.did(machine, KillWorker) && (alone || f.did(-1, ends...) || f.repairs() > maxRepairs):
		return "it lost a console, and nobody is there to take one from"
	case r != session.ResultDesync && f.bothBroken():
		return "two machines had lost consoles at the same time"
	case r == session.ResultDesync && f.repairs() > maxRepairs:
		return "the machines were made alike too often"
	}
	return ""
}

// early tells whether a machine may end well before the end of the game.
func (f facts) early(machine int) bool {
	alone, wanted := f.alone(machine)
	return f.left(machine) || alone && wanted
}
