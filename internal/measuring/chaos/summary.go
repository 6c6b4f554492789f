package chaos

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nettplay/nettplay/internal/session/notice"
)

// Summary is a run in one line: the seed, what happened and how each machine ended.
func Summary(p Plan, o Outcome) string {
	var parts []string
	for _, a := range o.Acts {
		word := string(a.Kind) + " " + Name(a.Machine)
		if !a.Did {
			word = "(" + word + ")"
		}
		parts = append(parts, word)
	}
	var ends []string
	for m, l := range o.Machines {
		ends = append(ends, Name(m)+" "+l.end())
	}
	for i, l := range o.Spectators {
		ends = append(ends, fmt.Sprintf("spectator %d %s", i+1, l.end()))
	}
	return fmt.Sprintf("seed %-6d %5.1fs  %s  %s -> %s", p.Seed, o.Took.Round(100*time.Millisecond).Seconds(), p.Core, strings.Join(parts, ", "), strings.Join(ends, ", "))
}

// end tells how a machine ended.
func (l *Left) end() string {
	switch {
	case l.Absent:
		return "did not come"
	case l.Report != nil:
		return fmt.Sprintf("%s %d", l.Report.Result, l.Report.Frames)
	}
	return l.Exit
}

// came is the entry in words.
func (l *Left) came() string {
	switch {
	case l.Absent:
		return "too late"
	case l.Entry < 0:
		return "not in the game"
	}
	return "in the game"
}

// Count adds what happened in a run to counts by name.
func Count(counts map[string]int, p Plan, o Outcome) {
	for _, a := range o.Acts {
		if a.Did {
			counts["event: "+string(a.Kind)]++
		}
	}
	f := factsOf(&p, &o)
	for m, l := range o.Machines {
		switch {
		case l.Absent:
		case f.killed(m):
			counts["machine: killed"]++
		case l.Report != nil:
			counts["machine: "+string(l.Report.Result)]++
		}
		if l.Report != nil && m == 0 {
			counts["resyncs"] += l.Report.Resyncs
		}
		counts["saves told of as kept"] += len(l.Told)
		if l.Checked {
			counts["recordings played again"]++
		}
	}
	for m := p.Players; m < len(o.Machines); m++ {
		counts["came later: "+o.Machines[m].came()]++
	}
	for _, l := range o.Spectators {
		if l.Report != nil {
			counts["spectator: "+string(l.Report.Result)]++
		} else {
			counts["spectator: killed"]++
		}
	}
	switch {
	case !f.hostGone():
	case slices.ContainsFunc(f.left[1:], func(l Left) bool { return l.Report != nil && l.Report.Result == notice.ResultOK }):
		counts["game host gone: the others went on"]++
	default:
		counts["game host gone: nobody went on"]++
	}
	counts[fmt.Sprintf("players: %d", p.Players)]++
	counts["core: "+string(p.Core)]++
}
