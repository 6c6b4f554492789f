package chaos

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/nettplay/nettplay/internal/session"
)

// Judge says what of an outcome the program has not promised, a sentence for each;
// none when all is well.
func Judge(p Plan, o Outcome) []string {
	j := judge{plan: &p, o: &o, facts: facts{&p, o.Acts}}
	if o.Trouble != "" {
		return []string{"the suite itself failed: " + o.Trouble}
	}
	for _, h := range o.Hung {
		j.say("%s", h)
	}
	for _, l := range o.Leftover {
		j.say("%s is left", l)
	}
	for m := range o.Machines {
		j.words(m)
		j.ending(m)
		j.leftovers(m)
	}
	j.alike()
	for m := range o.Machines {
		j.saves(m)
	}
	j.trades()
	return j.found
}

type judge struct {
	plan  *Plan
	o     *Outcome
	facts facts
	found []string
}

func (j *judge) say(format string, args ...any) {
	j.found = append(j.found, fmt.Sprintf(format, args...))
}

// badWords are what no run of the program says.
var badWords = []string{
	`(?m)^panic: `, `(?m)^fatal error: `, `(?m)^goroutine \d+ \[`, `WARNING: DATA RACE`, `(?m)^SIG[A-Z]+: `,
	`broke the rules`, `makes no sense`, `which this version does not know`, `was not prepared here`, `not done here`,
}

func (j *judge) words(m int) {
	for _, bad := range badWords {
		if found := regexp.MustCompile(bad).FindString(j.o.Machines[m].Words); found != "" {
			j.say("%s's machine says %q", Name(m), found)
		}
	}
}

// ending judges how one machine ended.
func (j *judge) ending(m int) {
	l, name := &j.o.Machines[m], Name(m)
	if j.facts.killed(m) {
		return
	}
	codes := map[session.Result]string{session.ResultOK: "0", session.ResultLost: "3", session.ResultDesync: "4", session.ResultCore: "5"}
	switch {
	case l.Report == nil:
		j.say("%s's machine ended with %s and left no report", name, l.Exit)
	case codes[l.Report.Result] != l.Exit:
		j.say("%s's machine ended with %s, but reports %q", name, l.Exit, l.Report.Result)
	case l.Report.Result != session.ResultOK && j.facts.excused(m, l.Report.Result) == "":
		j.say("%s's machine ended with %q: %s", name, l.Report.Result, l.Report.Error)
	case l.Report.Result == session.ResultOK && l.Report.Frames != j.plan.Frames && !j.facts.early(m):
		j.say("%s's machine ended well after %d of %d frames", name, l.Report.Frames, j.plan.Frames)
	case l.Report.Result != session.ResultOK && l.Report.Error == "":
		j.say("%s's machine ended with %q and does not say why", name, l.Report.Result)
	}
	if l.Replay != "" && !j.facts.did(m, Fault) {
		j.say("%s's recording does not come out as it was: %s", name, l.Replay)
	}
}

// leftovers judges what a machine has left on the disk beside what it should. Who
// was killed could not tidy up.
func (j *judge) leftovers(m int) {
	l := &j.o.Machines[m]
	if len(l.Temp) > 0 && !j.facts.killed(m) {
		j.say("%s's machine left %v", Name(m), l.Temp)
	}
}

// finished tells whether a machine came to the end of the game.
func (j *judge) finished(m int) bool {
	r := j.o.Machines[m].Report
	return r != nil && !j.facts.killed(m) && r.Result == session.ResultOK && r.Frames == j.plan.Frames
}

// alike compares the consoles of all that came to the end.
func (j *judge) alike() {
	first := -1
	for m := range j.o.Machines {
		if !j.finished(m) {
			continue
		}
		seats := j.o.Machines[m].Report.Seats
		if len(seats) != j.plan.Players {
			j.say("%s's machine reports %d consoles of %d", Name(m), len(seats), j.plan.Players)
		}
		for _, s := range seats {
			if s.Hash == 0 && !j.unplugged(s.Owner) {
				j.say("%s's machine has no hash of %s's console", Name(m), s.Owner)
			}
		}
		if first < 0 {
			first = m
		} else if a := j.o.Machines[first].Report.Seats; !slices.EqualFunc(a, seats, j.sameSeat) {
			j.say("%s's and %s's machines ended with other consoles: %v and %v", Name(first), Name(m), a, seats)
		}
	}
}

// unplugged tells whether a player's console need not have come to the end of the game.
// One that left while machines were made alike again has no hash.
func (j *judge) unplugged(owner string) bool {
	for m := range j.o.Machines {
		if Name(m) == owner {
			return j.facts.killed(m) || j.facts.left(m) || j.facts.gone(m)
		}
	}
	return false
}

func (j *judge) sameSeat(a, b session.SeatReport) bool {
	if j.unplugged(a.Owner) && (a.Hash == 0 || b.Hash == 0) {
		a.Hash, b.Hash = 0, 0
	}
	return a == b
}
