package chaos

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/session"
)

// seers judges those who watched: they end well and have seen the game as it was, unless
// the game host went, whom they do not follow. That nobody waits for them needs no rule:
// no machine in the game is excused because of them.
func (j *judge) seers() {
	var acts []Act
	for _, a := range j.o.Acts {
		if a.Did && slices.Contains(watching, a.Kind) {
			acts = append(acts, a)
		}
	}
	for i := range j.o.Seers {
		a, l := acts[i], &j.o.Seers[i]
		name := Name(a.Machine)
		j.words(name, l)
		j.leftovers(name, l, a.Kind == WatchGone)
		if a.Kind == WatchGone || !j.reported(name, l) {
			continue
		}
		switch r := l.Report; {
		case r.Result == session.ResultOK:
			j.seen(name, r)
		case r.Result == session.ResultLost && (j.missedGame(a) || j.outstayed()):
		case r.Result == session.ResultDesync && j.facts.did(-1, Fault):
		default:
			j.say("%s, who watched, ended with %q: %s", name, r.Result, r.Error)
		}
	}
}

// missedGame tells whether a spectator may not have seen the game to its end: the game
// host was gone, it had just ended when the spectator came, or while that stood still.
func (j *judge) missedGame(a Act) bool {
	over := j.facts.ended()
	return j.facts.hostGone() || j.facts.excused(0, session.ResultLost) != "" || over < a.At+findHost || a.Kind == WatchSlow && over < a.At+a.Length+2*slowFor
}

// outstayed tells whether the game host has waited at the end for those who watch, as long
// as it does.
func (j *judge) outstayed() bool {
	const lingers = 30 * time.Second
	over := time.Duration(0)
	for _, l := range j.o.Machines[1:] {
		over = max(over, l.Until)
	}
	return j.o.Machines[0].Until >= over+lingers-time.Second
}

// seen compares what a spectator saw with what those have who played to the end.
func (j *judge) seen(name string, r *session.Report) {
	for m := range j.o.Machines {
		if !j.finished(m) {
			continue
		}
		if r.Frames != j.plan.Frames {
			j.say("%s, who watched, has seen %d of %d frames", name, r.Frames, j.plan.Frames)
		}
		if theirs := j.hashed(j.o.Machines[m].Report.Seats); len(r.Seats) == 0 || !j.sameSeats(theirs, r.Seats) {
			j.say("%s, who watched, has seen other consoles than %s has: %v and %v", name, Name(m), r.Seats, theirs)
		}
		return
	}
}

// hashed are the seats without those that have left and have no hash: where these stopped
// who watches need not have seen.
func (j *judge) hashed(list []session.SeatReport) []session.SeatReport {
	return slices.DeleteFunc(slices.Clone(list), func(s session.SeatReport) bool { return s.Hash == 0 && j.unplugged(s.Owner) })
}
