package chaos

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/session/notice"
)

type judge struct {
	facts
	o     *Outcome
	found []string
}

func (j *judge) say(format string, args ...any) {
	j.found = append(j.found, fmt.Sprintf(format, args...))
}

// badWords are words that no run of the program says.
var badWords = []string{
	`(?m)^panic: `, `(?m)^fatal error: `, `(?m)^goroutine \d+ \[`, `WARNING: DATA RACE`, `(?m)^SIG[A-Z]+: `,
	`broke the rules`, `makes no sense`, `which this version does not know`, `was not prepared here`, `not done here`,
}

func (j *judge) words(name string, l *Left) {
	for _, bad := range badWords {
		if found := regexp.MustCompile(bad).FindString(l.Words); found != "" {
			j.say("%s's machine says %q", name, found)
		}
	}
}

// codes are the exit codes of results.
var codes = map[notice.Result]string{notice.ResultOK: "0", notice.ResultLost: "3", notice.ResultDesync: "4", notice.ResultCore: "5"}

// reported reports whether a machine left a report that fits to its exit code.
func (j *judge) reported(name string, l *Left) bool {
	switch {
	case l.Report == nil:
		j.say("%s's machine ended with %s and left no report", name, l.Exit)
	case codes[l.Report.Result] != l.Exit:
		j.say("%s's machine ended with %s, but reports %q", name, l.Exit, l.Report.Result)
	case l.Report.Result != notice.ResultOK && l.Report.Error == "":
		j.say("%s's machine ended with %q and does not say why", name, l.Report.Result)
	default:
		return true
	}
	return false
}

// ending judges how one machine ended.
func (j *judge) ending(m int) {
	l, name := &j.o.Machines[m], Name(m)
	if j.killed(m) {
		return
	}
	switch {
	case !j.reported(name, l):
	case l.Report.Result != notice.ResultOK && j.excused(m, l.Report.Result) == "":
		j.say("%s's machine ended with %q: %s", name, l.Report.Result, l.Report.Error)
	case l.Report.Result == notice.ResultOK && l.Report.Frames != j.plan.Frames && !j.early(m):
		j.say("%s's machine ended well after %d of %d frames", name, l.Report.Frames, j.plan.Frames)
	}
	if l.Replay != "" && !j.did(m, Fault) {
		j.say("%s's recording does not come out as it was: %s", name, l.Replay)
	}
}

// outside judges how a machine ended that came, and was not in the game.
func (j *judge) outside(m int) {
	l, name := &j.o.Machines[m], Name(m)
	if j.killed(m) || !j.reported(name, l) {
		return
	}
	if r := l.Report.Result; r != notice.ResultLost && r != notice.ResultOK || !j.missed(m) {
		j.say("%s came while the game ran and was not let in; its machine ended with %q: %s", name, r, l.Report.Error)
	}
}

// leftovers judges what a machine has left on the disk besides what it should. A
// killed one could not tidy up.
func (j *judge) leftovers(name string, l *Left, killed bool) {
	if len(l.Temp) > 0 && !killed {
		j.say("%s's machine left %v", name, l.Temp)
	}
}

// finished reports whether a machine came to the end of the game. One that leaves at its own
// console's last frame may still lack another's.
func (j *judge) finished(m int) bool {
	r := j.o.Machines[m].Report
	if j.plan.Sync == room.Clocked && m == 0 && j.quit(m) {
		return false // the others may have its last frames from another game host
	}
	return j.ended(m, notice.ResultOK) && !j.killed(m) && r.Frames == j.plan.Frames &&
		!(j.quit(m) && slices.ContainsFunc(r.Seats, func(s game.SeatReport) bool { return s.Hash == 0 }))
}

// alike compares the consoles of all that came to the end.
func (j *judge) alike() {
	all := 0
	for m := range j.o.Machines {
		if j.was(m) {
			all++
		}
	}
	first := -1
	for m := range j.o.Machines {
		if !j.was(m) || !j.finished(m) {
			continue
		}
		seats := j.o.Machines[m].Report.Seats
		if m < j.plan.Players && len(seats) != all {
			j.say("%s's machine reports %d consoles of %d", Name(m), len(seats), all)
		}
		own := false
		for _, s := range seats {
			if s.Hash == 0 && !j.mayLack(m, s.Owner) {
				j.say("%s's machine has no hash of %s's console", Name(m), s.Owner)
			}
			if j.plan.Keep && s.Frames != j.plan.Frames && !j.again(s.Owner) {
				j.say("%s's machine has %s's console as of frame %d, though consoles stay to the end", Name(m), s.Owner, s.Frames)
			}
			own = own || s.Frames == j.plan.Frames && s.Owner == j.plan.player(m)
		}
		if m >= j.plan.Players && !own && j.plan.first(m) < 0 {
			j.say("%s's machine is without its own console: %v", Name(m), seats)
		}
		if first < 0 {
			first = m
		} else if a := j.o.Machines[first].Report.Seats; !j.sameSeats(a, seats, j.lacking(first) || j.lacking(m)) {
			j.say("%s's and %s's machines ended with other consoles: %v and %v", Name(first), Name(m), a, seats)
		}
	}
}

// sameSeats reports whether two machines have the same consoles, as far as both had them:
// a late joiner never had those that left before. Lacking: one of them may be without a
// hash.
func (j *judge) sameSeats(list, others []game.SeatReport, lacking bool) bool {
	for _, a := range list {
		for _, b := range others {
			if a.Seat == b.Seat && !j.sameSeat(a, b, lacking) {
				return false
			}
		}
	}
	return true
}

// again reports whether a player comes again, whose first console need not stay.
func (j *judge) again(owner string) bool {
	return slices.ContainsFunc(j.plan.Late, func(first int) bool { return first >= 0 && j.plan.player(first) == owner })
}

// unplugged reports whether a player's console need not have come to the end of the game.
// One that left while machines were made alike again has no hash.
func (j *judge) unplugged(owner string) bool {
	if j.plan.Keep && !j.again(owner) {
		return false
	}
	for m := range j.o.Machines {
		if j.plan.player(m) == owner && (j.lost(m) || j.killed(m) || j.quit(m) || j.gone(m) || j.unmet(m)) {
			return true
		}
	}
	return false
}

// lost reports whether a machine did not come to the end, and knows it; excused judges whether it may.
func (j *judge) lost(m int) bool { return j.ended(m, notice.ResultLost) }

// mayLack reports whether a machine need have no hash of a player's console.
func (j *judge) mayLack(m int, owner string) bool { return j.unplugged(owner) || j.lacking(m) }

func (j *judge) sameSeat(a, b game.SeatReport, lacking bool) bool {
	if (lacking || j.unplugged(a.Owner)) && (a.Hash == 0 || b.Hash == 0) {
		a.Hash, b.Hash = 0, 0
	}
	return a == b
}
