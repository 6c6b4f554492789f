package chaos

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/session/notice"
)

// handedOn reports whether the others must go on without the game host: when it leaves,
// and when it was killed if they are more than half of those that began the game, without
// those that left it in good order; unless lines were silent at that moment.
func (f facts) handedOn() bool {
	at := f.at(0, KillHost, HostLeaves)
	for _, a := range f.acts {
		length := a.Length
		switch {
		case a.Machine >= firstSpectator:
			continue
		case slices.Contains(vanishing, a.Kind):
			length = f.plan.Silence + f.plan.Wait // until nobody waits for it any more
		case a.Kind == Leave && f.killed(0): // that may not have been heard
		case !slices.Contains(troubles, a.Kind):
			continue
		}
		if a.At <= at+handOver && at <= a.At+length+backAgain {
			return false
		}
	}
	if f.quit(0) {
		return true
	}
	here, began := 0, f.plan.Players
	for m := range f.plan.Players {
		switch {
		case f.stays(m):
			here++
		case m > 0 && f.quit(m) && f.heard(m):
			began--
		}
	}
	return 2*here > began
}

// handOver bounds the time to find another game host.
const handOver = 8 * time.Second

// deposed reports whether so many did not hear the game host that they may have gone on
// without it.
func (f facts) deposed() bool {
	deaf := 0
	for m := 1; m < f.plan.Players; m++ {
		if d := f.darkest(m); d > 0 && d+backAgain >= f.plan.Silence || f.gone(m) || f.killed(m) {
			deaf++
		}
	}
	return 2*deaf > f.plan.Players
}

// alone tells whether nobody is left for a machine to play with, and whether the
// others went on purpose.
func (f facts) alone(machine int) (alone, wanted bool) {
	wanted = true
	for m := range f.plan.Machines() {
		switch {
		case m == machine || !f.was(m) && !f.did(m, JoinGone): // it was let in, but not for long
		case f.quit(m) && f.heard(m):
		case f.killed(m), f.gone(m), f.quit(m):
			wanted = false
		default:
			return false, false
		}
	}
	return true, wanted
}

// noDonor reports whether all remaining machines have lost a console, or may count as
// wrong.
func (f facts) noDonor() bool {
	for m := range f.plan.Machines() {
		if f.stays(m) && !f.did(m, KillWorker) && !f.did(-1, Fault) {
			return false
		}
	}
	return true
}

// bothBroken reports whether a machine has lost a console while another was without
// one: nobody then need have all of them.
func (f facts) bothBroken() bool {
	var before []Act
	for _, a := range f.done(-1, KillWorker) {
		if slices.ContainsFunc(before, func(b Act) bool {
			return a.Machine != b.Machine && a.At < b.At+repairTime+f.darkest(a.Machine)+f.darkest(b.Machine)
		}) {
			return true
		}
		before = append(before, a)
	}
	return false
}

// lacking reports whether a machine may have no hash of a console at the end: it lost one, and
// fewer resyncs came than were asked for until then, so the end was near.
func (f facts) lacking(machine int) bool {
	asked, last := 0, 0
	if f.plan.Max && f.did(-1, Fault) {
		asked++ // its frame comes sooner than planned, and there is one at most
	}
	for _, a := range f.acts {
		if slices.Contains(repaired, a.Kind) && (a.Kind != Fault || !f.plan.Max) {
			asked++
			if a.Kind == KillWorker && a.Machine == machine {
				last = asked
			}
		}
	}
	r := f.left[machine].Report
	return r != nil && last > r.Resyncs
}

// full reports whether a machine could not write what the game left. A game host may stay for
// spectators when it is over.
func (f facts) full(machine int) bool {
	until, late := f.left[machine].Until, time.Second
	if f.quit(machine) {
		late += 4 * time.Second // it has saved, and waits until the others have heard that it goes
	} else if over := f.over(); over > 0 {
		until = min(until, over)
	}
	for m := range f.plan.Machines() {
		if dark := f.darkest(m); dark > 0 { // so long the game is over before the first can leave
			late = max(late, dark+f.plan.Silence)
		}
	}
	return slices.ContainsFunc(f.done(machine, DiskFull), func(a Act) bool { return until < a.At+a.Length+late })
}

// repairTime is the time that a machine may be without a console, while its line is good.
const repairTime = 5 * time.Second

// repairs counts the resyncs that were asked for.
func (f facts) repairs() int { return len(f.done(-1, repaired...)) }

// excused tells whether a machine may end with a result other than ok, and why.
func (f facts) excused(machine int, r notice.Result) (why string) {
	alone, wanted := f.alone(machine)
	switch {
	case r == notice.ResultLost && machine != 0 && f.hostGone() && !f.handedOn():
		return "the game host is gone, and too few are left"
	case r == notice.ResultLost && f.unmet(machine):
		return "it was about to come in, and nobody but the game host knew it"
	case r == notice.ResultDesync && f.foundLate():
		return "a fault was found too near the end to be mended"
	case r == notice.ResultLost && f.deposed():
		return "most did not hear the game host"
	case r == notice.ResultLost && f.gone(machine):
		return "its line was cut"
	case r == notice.ResultLost && alone && !wanted:
		return "the others are gone"
	case r == notice.ResultLost && f.repairs() > 0 && (f.did(-1, ends...) || f.did(-1, KillWorker)) && f.noDonor():
		return "the donor of the consoles is gone"
	case r == notice.ResultCore && f.did(machine, KillWorker) && (alone || (f.did(-1, ends...) || f.did(-1, Fault)) && f.noDonor() || f.repairs() > maxRepairs):
		return "it lost a console, and nobody is there to take one from"
	case r != notice.ResultDesync && f.bothBroken():
		return "two machines had lost consoles at the same time"
	case r == notice.ResultDesync && f.repairs() > maxRepairs:
		return "the machines were made alike too often"
	}
	return ""
}

// foundLate reports whether a machine has computed something wrong so late that nothing
// could be decided about it before the end of the game.
func (f facts) foundLate() bool {
	margin := int64(60)
	if f.plan.Max {
		margin *= 4 // more frames pass while a bad line brings a hash
	}
	return slices.ContainsFunc(f.done(-1, Fault), func(a Act) bool {
		return a.Frame+2*int64(f.plan.Hash)+margin+f.goneOn(a.Machine) > f.plan.Frames || f.hostGone()
	})
}

// early reports whether a machine may end well before the end of the game.
// When all others left, the last one may have heard of it, on a bad line, too.
func (f facts) early(machine int) bool {
	left := true
	for m := range f.plan.Machines() {
		left = left && (m == machine || !f.was(m) || f.quit(m))
	}
	return f.quit(machine) || left || f.unmet(machine)
}

// unmet reports whether a machine was about to come in, and the others had given it a seat, when the game host was killed, or
// something else went on for too long: the next game host need not have heard of it, or could not be heard by it.
func (f facts) unmet(machine int) bool {
	r := f.left[machine].Report
	return machine >= f.plan.Players && r != nil && r.Frames == 0 && f.missed(machine)
}

// atTheDoor reports whether somebody came just when the game host left, or its game was over: its room is closed there, and open
// elsewhere some moments later.
func (f facts) atTheDoor(came time.Duration) bool {
	closed := f.left[0].Until
	if f.quit(0) {
		closed = f.at(0, HostLeaves)
	}
	return (f.quit(0) || f.stayed(0)) && came+time.Second >= closed && came <= closed+handOver
}

// stayed reports whether a machine ended well, and not since its player left.
func (f facts) stayed(machine int) bool {
	return f.ended(machine, notice.ResultOK) && !f.killed(machine) && !f.quit(machine)
}

// last returns the time at which the last of those left that stayed; 0 for none.
func (f facts) last() (at time.Duration) {
	for m, l := range f.left {
		if f.stayed(m) {
			at = max(at, l.Until)
		}
	}
	return at
}

// over returns the time at which the first of those left that came to its end: the game host may stay a
// while for spectators. 0 for none.
func (f facts) over() (at time.Duration) {
	for m, l := range f.left {
		if f.stayed(m) && l.Report.Frames == f.plan.Frames && (at == 0 || l.Until < at) {
			at = l.Until
		}
	}
	return at
}

// letIn is the time that a late joiner may take to be in the game, when nothing else happens.
const letIn = 12 * time.Second

// missed reports whether a late joiner need not have come in: while something else goes
// on, nobody is let in; and only machines in the game follow a game host that dies.
func (f facts) missed(machine int) bool {
	came, patience := f.at(machine, Join, JoinGone, Again), letIn
	for _, a := range f.acts {
		if a.Kind != Garbage && a.Machine < firstSpectator && a.Machine != machine {
			patience += a.Length + 6*time.Second
			if slices.Contains(repaired, a.Kind) {
				patience += 6 * time.Second // the log has all consoles' states then, which must come, too
			}
		}
		if slices.Contains(vanishing, a.Kind) {
			patience += f.plan.Silence + f.plan.Wait
		}
	}
	// On a machine with too much to do a game takes longer, and so does coming in.
	over := f.over()
	if !f.plan.Max {
		over = min(over, f.plan.length()+patience-letIn)
	}
	return f.killed(0) || f.quit(0) && !f.handedOn() || f.atTheDoor(came) || over < came+patience
}
