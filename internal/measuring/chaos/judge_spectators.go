package chaos

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// spectators judges the spectators: they end well and have seen the game as it was, also when
// the game host went and others played on. No rule says that nobody waits for them: no
// machine in the game is excused because of them.
func (j *judge) spectators() {
	acts := j.done(-1, watching...)
	for i := range j.o.Spectators {
		a, l := acts[i], &j.o.Spectators[i]
		name := Name(a.Machine)
		j.words(name, l)
		j.leftovers(name, l, a.Kind == WatchGone)
		if a.Kind == WatchGone || !j.reported(name, l) {
			continue
		}
		switch r := l.Report; {
		case r.Result == notice.ResultOK && r.Frames < j.plan.Frames && (j.deposed() || j.withLoser(r)): // of the game host's side
		case r.Result == notice.ResultOK:
			j.seen(name, r)
		case r.Result == notice.ResultLost && (j.missedGame(a) || j.outstayed() || j.over() == 0):
		case r.Result == notice.ResultDesync && j.did(-1, Fault):
		default:
			j.say("%s, who watched, ended with %q: %s", name, r.Result, r.Error)
		}
	}
}

// withLoser reports whether a spectator may have watched one who was game host after the first, whom the others did not
// hear any more, and whose game ended so.
func (j *judge) withLoser(r *notice.Report) bool {
	for m := 1; m < j.plan.Players; m++ {
		if j.hostGone() && j.ended(m, notice.ResultLost) && r.Frames <= j.o.Machines[m].Report.Frames && j.darkest(m)+backAgain >= j.plan.Silence {
			return true
		}
	}
	return false
}

// missedGame reports whether a spectator may not have seen the game to its end: the game
// host was gone, nobody had to go on or not for long, it left or had just ended when the spectator
// came, or while that stood still.
func (j *judge) missedGame(a Act) bool {
	over := j.last()
	if j.hostGone() && (!j.handedOn() || over < j.at(0, KillHost, HostLeaves)+j.plan.Silence+seekHost) {
		return true
	}
	return j.excused(0, notice.ResultLost) != "" || j.atTheDoor(a.At) || min(over, j.first()) < a.At+findHost || a.Kind == WatchSlow && over < a.At+a.Length+2*slowFor
}

// first is the time at which a machine first ended at the game's end; the game host's stays a while for its spectators.
func (j *judge) first() time.Duration {
	first := j.last()
	for m := range j.o.Machines {
		if j.was(m) && j.finished(m) {
			first = min(first, j.o.Machines[m].Until)
		}
	}
	return first
}

// seekHost is the time that a spectator may need to find another game host, once the line to the one
// before counts as lost, and to see the game up to there again.
const seekHost = 15 * time.Second

// outstayed reports whether the game host has waited at the end for spectators, as long as
// it does.
func (j *judge) outstayed() bool {
	const lingers = 30 * time.Second
	var until []time.Duration
	for _, l := range j.o.Machines {
		until = append(until, l.Until)
	}
	slices.Sort(until)
	n := len(until)
	return until[n-1] >= until[n-2]+lingers-time.Second
}

// seen compares a spectator's report with those of machines that played to the end, of this game and not of
// one that others began later in the room.
func (j *judge) seen(name string, r *notice.Report) {
	for m := range j.o.Machines {
		if !j.was(m) || !j.finished(m) {
			continue
		}
		if r.Frames != j.plan.Frames {
			j.say("%s, who watched, has seen %d of %d frames", name, r.Frames, j.plan.Frames)
		}
		if theirs := j.hashed(m); len(r.Seats) == 0 || !j.sameSeats(theirs, r.Seats, false) {
			j.say("%s, who watched, has seen other consoles than %s has: %v and %v", name, Name(m), r.Seats, theirs)
		}
		for _, s := range j.hashed(m) {
			if s.Frames == j.plan.Frames && !slices.ContainsFunc(r.Seats, func(o game.SeatReport) bool { return o.Seat == s.Seat }) {
				j.say("%s, who watched, has not seen %s's console", name, s.Owner)
			}
		}
		return
	}
}

// hashed are a machine's seats without those that have left and have no hash, where spectators
// need not have seen these stop, and without the consoles that it lost.
func (j *judge) hashed(m int) []game.SeatReport {
	return slices.DeleteFunc(slices.Clone(j.o.Machines[m].Report.Seats), func(s game.SeatReport) bool {
		return s.Hash == 0 && j.mayLack(m, s.Owner)
	})
}
