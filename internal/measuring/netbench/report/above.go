package report

import (
	"fmt"
	"strings"

	"github.com/nettplay/nettplay/internal/measuring/netbench"
)

// margin is by how much more nettplay may have than bare ENet before a case is named.
const margin = 1.10

// Above names the cases in which more inputs are late than with bare ENet, by over a tenth and by over one
// in 2,000, with the case's delay or two frames less, or in which a longer delay is needed, and says
// what it is made of.
func Above(rows []netbench.Row) string {
	var b strings.Builder
	for i := range rows {
		r := &rows[i]
		if r.Err != nil || r.New.Lates.Inputs == 0 || r.Floor.Lates.Inputs == 0 {
			continue
		}
		if what := more(r); len(what) > 0 {
			fmt.Fprintf(&b, "* `%s`: %s. %s.\n", r.Case.Name, strings.Join(what, "; "), strings.Join(why(r), "; "))
		}
	}
	if b.Len() == 0 {
		return "None.\n"
	}
	return b.String()
}

// more is of what a case has more than bare ENet.
func more(r *netbench.Row) (list []string) {
	if ours, floor := r.New.Lates.Share(), r.Floor.Lates.Share(); exceeds(ours, floor) {
		list = append(list, fmt.Sprintf("%s %% are late, %s with ENet", percent(ours), percent(floor)))
	}
	if ours, floor := shorter(r, &r.New), shorter(r, &r.Floor); exceeds(ours, floor) {
		list = append(list, fmt.Sprintf("with 2 frames less %s %% are late, %s with ENet", percent(ours), percent(floor)))
	}
	if ours, floor := r.New.Lates.Best(Share), r.Floor.Lates.Best(Share); ours > floor {
		list = append(list, fmt.Sprintf("needs %d frames (%.2f), ENet %d (%.2f)", ours, exact(&r.New), floor, exact(&r.Floor)))
	}
	return list
}

func exceeds(ours, floor float64) bool { return ours > margin*floor && ours > floor+Share }

// exact is the delay that a case needs, in frames and parts of one.
func exact(s *netbench.Side) float64 {
	return netbench.Percentile(s.Lates.Needs, 1-Share) / netbench.FrameMS
}

// why says how much of it is the ways', and how much comes from machines that are apart.
func why(r *netbench.Row) []string {
	limit := float64(max(played(r)-tighter, 0)) * netbench.FrameMS
	late := func(l *netbench.Latency) string {
		return percent(float64(l.Longer(limit)) / float64(max(len(l.MS), 1)))
	}
	list := []string{
		fmt.Sprintf("By the ways alone %s %% were late with 2 frames less, %s with ENet", late(&r.New.Way), late(&r.Floor.Way)),
		fmt.Sprintf("machines are %.1f ms apart, 1 %% of the time %.0f", r.New.Apart.P50, r.New.Apart.P99),
	}
	if r.New.Stalls > 0 {
		list = append(list, fmt.Sprintf("they stand %.1f times a minute", r.New.Stalls))
	}
	return list
}
