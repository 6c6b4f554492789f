package netbench

import (
	"fmt"
	"strings"
)

// column is one of the table's.
type column struct {
	head  string
	right bool
	cell  func(r *Row) string
}

// columns are those of the main table.
var columns = []column{
	{"case", false, func(r *Row) string { return "`" + r.Case.Name + "` " + r.Case.Words }},
	{"delay", true, func(r *Row) string { return delays(r) }},
	{"late inputs %", true, func(r *Row) string { return percent(r.New.Lates.Share()) }},
	{"ENet", true, func(r *Row) string { return percent(r.Floor.Lates.Share()) }},
	{"ideal", true, func(r *Row) string { return percent(r.Ideal.Lates.Share()) }},
	{"late by, p50/p99 ms", true, func(r *Row) string { return lateBy(&r.New.Lates) }},
	{"ENet", true, func(r *Row) string { return lateBy(&r.Floor.Lates) }},
	{"stalls/min", true, func(r *Row) string { return fmt.Sprintf("%.1f (%.0f ms)", r.New.Stalls, r.New.StallMS) }},
	{"speed %", true, func(r *Row) string { return fmt.Sprintf("%.1f", 100*r.New.Speed) }},
	{"own gaps, p50/p99 ms", true, func(r *Row) string { return gaps(&r.New.Own) }},
	{">25 >33 >50 /min", true, func(r *Row) string { return overs(&r.New.Own) }},
	{"others' gaps, p50/p99 ms", true, func(r *Row) string { return gaps(&r.New.Others) }},
	{">25 >33 >50 /min", true, func(r *Row) string { return overs(&r.New.Others) }},
	{"ENet", true, func(r *Row) string { return overs(&r.Floor.Others) }},
	{"press shown here, p50/p99 ms", true, func(r *Row) string { return latency(&r.New.Press) }},
	{"there", true, func(r *Row) string { return latency(&r.New.Reach) }},
	{"datagrams/s up, down", true, func(r *Row) string { return datagrams(r.New.Traffic) }},
	{"ENet", true, func(r *Row) string { return datagrams(r.Floor.Traffic) }},
	{"kB/s up, down", true, func(r *Row) string { return kilobytes(r.New.Traffic) }},
	{"ENet", true, func(r *Row) string { return kilobytes(r.Floor.Traffic) }},
	{"processor %", true, func(r *Row) string { return fmt.Sprintf("%.1f", 100*r.New.Processor) }},
	{"sound gaps/min", true, func(r *Row) string {
		if r.New.Sound == nil {
			return "–"
		}
		return fmt.Sprintf("%.1f (%.0f ms)", r.New.Sound.Gaps, r.New.Sound.Latency)
	}},
}

// Table is the rows as a table in Markdown.
func Table(rows []Row) string { return table(rows, columns) }

func table(rows []Row, columns []column) string {
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
	for _, r := range rows {
		if r.Err != nil {
			fmt.Fprintf(&b, "\n`%s` %s: not measured.\n", r.Case.Name, r.Case.Words)
		}
	}
	return b.String()
}

func percent(share float64) string { return fmt.Sprintf("%.2f", 100*share) }

func delays(r *Row) string {
	if d := r.New.Delays; d.Changes > 0 {
		return fmt.Sprintf("%s: %d, %d changes", r.Delay, d.Last, d.Changes)
	} else if r.Delay != fmt.Sprint(d.Last) && d.Last > 0 {
		return fmt.Sprintf("%s: %d", r.Delay, d.Last)
	}
	return r.Delay
}

func lateBy(l *Lates) string {
	if l.Late == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f / %.0f", Percentile(l.MS, 0.5), Percentile(l.MS, 0.99))
}

func gaps(g *Gaps) string       { return fmt.Sprintf("%.1f / %.1f", g.P50, g.P99) }
func overs(g *Gaps) string      { return fmt.Sprintf("%.0f %.0f %.0f", g.Over25, g.Over33, g.Over50) }
func latency(l *Latency) string { return fmt.Sprintf("%.0f / %.0f", l.P50, l.P99) }
func datagrams(t Traffic) string {
	return fmt.Sprintf("%.0f, %.0f", t.UpDatagrams, t.DownDatagrams)
}

func kilobytes(t Traffic) string { return fmt.Sprintf("%.1f, %.1f", t.UpBytes/1e3, t.DownBytes/1e3) }
