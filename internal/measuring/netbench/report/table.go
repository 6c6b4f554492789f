package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/measuring/netbench"
)

// column is one of the table's.
type column struct {
	head  string
	right bool
	cell  func(r *netbench.Row) string
}

// Share is the share of inputs that may be late with the input delay that a case needs: one in 2,000,
// which is one or two a minute.
const Share = 1.0 / 2000

// tighter is the number of frames by which the delay is shorter with which a case is compared too: with
// its own so little is late that a short game says nothing of it.
const tighter = 2

// subject is a table of some columns: all in one would be wider than a screen.
type subject struct {
	title   string
	columns []column
}

// name is the column that each table begins with, line what it means, in the first one.
var (
	name = column{"case", false, func(r *netbench.Row) string { return strings.TrimSpace("`" + r.Case.Name + "` " + r.Case.Sync) }}
	line = column{"line", false, func(r *netbench.Row) string { return r.Case.Words }}
)

// subjects are the tables.
var subjects = []subject{
	{"Delay and late inputs", []column{
		name, line,
		{"delay", true, delays},
		{"late %", true, three(func(_ *netbench.Row, s *netbench.Side) string { return percent(s.Lates.Share()) })},
		{"2 frames less", true, three(func(r *netbench.Row, s *netbench.Side) string { return percent(shorter(r, s)) })},
		{"needs", true, three(func(_ *netbench.Row, s *netbench.Side) string { return fmt.Sprint(s.Lates.Best(Share)) })},
		{"at the start %", true, func(r *netbench.Row) string { return percent(r.New.Start.Share()) }},
		{"late by ms", true, func(r *netbench.Row) string { return lateBy(&r.New.Lates) }},
		{"way ms", true, func(r *netbench.Row) string { return latency(&r.New.Way) }},
		{"ENet", true, func(r *netbench.Row) string { return latency(&r.Floor.Way) }},
		{"ideal", true, func(r *netbench.Row) string { return latency(&r.Ideal.Way) }},
		{"apart ms", true, func(r *netbench.Row) string { return latency(&r.New.Apart) }},
	}},
	{"Pictures and sound", []column{
		name,
		{"stalls/min", true, func(r *netbench.Row) string { return fmt.Sprintf("%.1f (%.0f ms)", r.New.Stalls, r.New.StallMS) }},
		{"held/min", true, func(r *netbench.Row) string { return fmt.Sprintf("%.1f", r.New.Held.PerMinute()) }},
		{"speed %", true, func(r *netbench.Row) string { return fmt.Sprintf("%.1f", 100*r.New.Speed) }},
		{"own gaps ms", true, func(r *netbench.Row) string { return gaps(&r.New.Own) }},
		{">25 >33 >50", true, func(r *netbench.Row) string { return overs(&r.New.Own) }},
		{"others' gaps ms", true, func(r *netbench.Row) string { return gaps(&r.New.Others) }},
		{">25 >33 >50", true, func(r *netbench.Row) string { return overs(&r.New.Others) }},
		{"ENet", true, func(r *netbench.Row) string { return overs(&r.Floor.Others) }},
		{"press, here ms", true, func(r *netbench.Row) string { return latency(&r.New.Press) }},
		{"there ms", true, func(r *netbench.Row) string { return latency(&r.New.Reach) }},
		{"sound gaps/min", true, heard(func(s *netbench.Sound) string { return fmt.Sprintf("%.1f", s.PerMinute()) })},
		{"sound ms", true, heard(func(s *netbench.Sound) string { return latency(&s.Latency) })},
	}},
	{"Cost", []column{
		name,
		{"datagrams/s", true, func(r *netbench.Row) string { return datagrams(r.New.Traffic) }},
		{"ENet", true, func(r *netbench.Row) string { return datagrams(r.Floor.Traffic) }},
		{"kB/s", true, func(r *netbench.Row) string { return kilobytes(r.New.Traffic) }},
		{"ENet", true, func(r *netbench.Row) string { return kilobytes(r.Floor.Traffic) }},
		{"processor %", true, func(r *netbench.Row) string { return fmt.Sprintf("%.1f", 100*r.New.Processor) }},
	}},
}

// rollbacks are the columns of games with rollback: what is felt, and what it costs.
var rollbacks = subject{"Rollback", []column{
	name,
	{"delay", true, delays},
	{"felt ms", true, func(r *netbench.Row) string { return latency(&r.New.Press) }},
	{"there ms", true, func(r *netbench.Row) string { return latency(&r.New.Reach) }},
	{"depth", true, rolled(func(b *netbench.Rollback) string { return fmt.Sprint(b.Depth) })},
	{"guessed %", true, rolled(func(b *netbench.Rollback) string { return percent(b.Guessed) })},
	{"again %", true, rolled(func(b *netbench.Rollback) string { return percent(b.Again) })},
	{"of the time %", true, rolled(func(b *netbench.Rollback) string { return percent(b.Time) })},
	{"late %", true, rolled(func(b *netbench.Rollback) string { return percent(b.Late) + " / " + percent(b.LateBack) })},
	{"frames/s", true, func(r *netbench.Row) string { return fmt.Sprintf("%.1f", r.New.Speed*ds.FrameRate) }},
	{"processor %", true, func(r *netbench.Row) string { return fmt.Sprintf("%.1f", 100*r.New.Processor) }},
}}

// rolled is a cell with a figure of rollback, if the game had it.
func rolled(figure func(b *netbench.Rollback) string) func(r *netbench.Row) string {
	return func(r *netbench.Row) string {
		if r.New.Rollback == nil {
			return "–"
		}
		return figure(r.New.Rollback)
	}
}

// three is a cell with a figure of nettplay, bare ENet and the ideal.
func three(figure func(r *netbench.Row, s *netbench.Side) string) func(r *netbench.Row) string {
	return func(r *netbench.Row) string {
		return figure(r, &r.New) + " / " + figure(r, &r.Floor) + " / " + figure(r, &r.Ideal)
	}
}

// heard is a cell with a figure of the sound, if there is one.
func heard(figure func(s *netbench.Sound) string) func(r *netbench.Row) string {
	return func(r *netbench.Row) string {
		if r.New.Sound == nil {
			return "–"
		}
		return figure(r.New.Sound)
	}
}

// shorter is the share that would be late with a shorter delay than the case was played with.
func shorter(r *netbench.Row, s *netbench.Side) float64 {
	return s.Lates.ShareAt(max(played(r)-tighter, 0))
}

// played is the delay that was played with at last, in frames: the longest of all machines.
func played(r *netbench.Row) int {
	if len(r.New.Delays.Last) > 0 {
		return slices.Max(r.New.Delays.Last)
	}
	return r.Case.Delay
}

// Tables are the rows as tables in Markdown, one for each subject.
func Tables(rows []netbench.Row) string {
	var b strings.Builder
	list := subjects
	if slices.ContainsFunc(rows, func(r netbench.Row) bool { return r.New.Rollback != nil }) {
		list = append(slices.Clone(list), rollbacks)
	}
	for i, s := range list {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString("### " + s.title + "\n\n" + table(rows, s.columns))
	}
	return b.String() + failures(rows)
}

func table(rows []netbench.Row, columns []column) string {
	var b strings.Builder
	line := func(cell func(c column) string) {
		for _, c := range columns {
			b.WriteString("| " + cell(c) + " ")
		}
		b.WriteString("|\n")
	}
	line(func(c column) string { return c.head })
	line(func(c column) string {
		if c.right {
			return "--:"
		}
		return "---"
	})
	for i := range rows {
		if r := &rows[i]; r.Err == nil {
			line(func(c column) string { return c.cell(r) })
		}
	}
	return b.String()
}

// failures names the cases that could not be measured.
func failures(rows []netbench.Row) string {
	var b strings.Builder
	for _, r := range rows {
		if r.Err != nil {
			fmt.Fprintf(&b, "\n`%s` %s: not measured.\n", r.Case.Name, r.Case.Words)
		}
	}
	return b.String()
}

func percent(share float64) string { return fmt.Sprintf("%.2f", 100*share) }

// delays are the delay that was asked for, and what the program made of it.
func delays(r *netbench.Row) string {
	d := r.New.Delays
	if _, err := strconv.Atoi(r.Delay); err == nil || len(d.Last) == 0 {
		return r.Delay
	}
	return fmt.Sprintf("%s: %s; %d changes, %d in 10 s", r.Delay, strings.Trim(fmt.Sprint(d.Last), "[]"), d.Changes, d.Most10s)
}

func lateBy(l *netbench.Lates) string {
	if l.Late == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f / %.0f", netbench.Percentile(l.MS, 0.5), netbench.Percentile(l.MS, 0.99))
}

func gaps(g *netbench.Gaps) string { return fmt.Sprintf("%.1f / %.1f", g.P50, g.P99) }
func overs(g *netbench.Gaps) string {
	return fmt.Sprintf("%.0f %.0f %.0f", g.Over25, g.Over33, g.Over50)
}
func latency(l *netbench.Latency) string { return fmt.Sprintf("%.0f / %.0f", l.P50, l.P99) }
func datagrams(t netbench.Traffic) string {
	return fmt.Sprintf("%.0f + %.0f", t.UpDatagrams, t.DownDatagrams)
}

func kilobytes(t netbench.Traffic) string {
	return fmt.Sprintf("%.1f + %.1f", t.UpBytes/1e3, t.DownBytes/1e3)
}
