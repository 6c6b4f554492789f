package report

import (
	"fmt"
	"math"

	"github.com/nettplay/nettplay/internal/measuring/netbench"
)

// Compared is the table of two builds: the other one's figures, ours, and ours as a ratio of
// theirs.
func Compared(rows []netbench.Row) string {
	list := []column{name, {"delay", true, delays}}
	for _, f := range []struct {
		head   string
		timed  bool // not known of a build without --frame-times
		format string
		figure func(r *netbench.Row, s *netbench.Side) float64
	}{
		{"late %", true, "%.2f", func(_ *netbench.Row, s *netbench.Side) float64 { return 100 * s.Lates.Share() }},
		{"late %, 2 frames less", true, "%.2f", func(r *netbench.Row, s *netbench.Side) float64 { return 100 * shorter(r, s) }},
		{"needs", true, "%.0f", func(_ *netbench.Row, s *netbench.Side) float64 { return float64(s.Lates.Best(Share)) }},
		{"stalls/min", false, "%.1f", func(_ *netbench.Row, s *netbench.Side) float64 { return s.Stalls }},
		{"stalled ms/min", false, "%.0f", func(_ *netbench.Row, s *netbench.Side) float64 { return s.StallMS }},
		{"held/min", true, "%.1f", func(_ *netbench.Row, s *netbench.Side) float64 { return s.Held.PerMinute() }},
		{"speed %", true, "%.1f", func(_ *netbench.Row, s *netbench.Side) float64 { return 100 * s.Speed }},
		{"own gaps p99 ms", true, "%.1f", func(_ *netbench.Row, s *netbench.Side) float64 { return s.Own.P99 }},
		{"own gaps >25/min", true, "%.0f", func(_ *netbench.Row, s *netbench.Side) float64 { return s.Own.Over25 }},
		{"others' gaps p99 ms", true, "%.1f", func(_ *netbench.Row, s *netbench.Side) float64 { return s.Others.P99 }},
		{"others' gaps >25/min", true, "%.0f", func(_ *netbench.Row, s *netbench.Side) float64 { return s.Others.Over25 }},
		{"press here p50 ms", true, "%.0f", func(_ *netbench.Row, s *netbench.Side) float64 { return s.Press.P50 }},
		{"there p50 ms", true, "%.0f", func(_ *netbench.Row, s *netbench.Side) float64 { return s.Reach.P50 }},
		{"there p99 ms", true, "%.0f", func(_ *netbench.Row, s *netbench.Side) float64 { return s.Reach.P99 }},
		{"datagrams/s", false, "%.0f", func(_ *netbench.Row, s *netbench.Side) float64 {
			return s.Traffic.UpDatagrams + s.Traffic.DownDatagrams
		}},
		{"kB/s", false, "%.1f", func(_ *netbench.Row, s *netbench.Side) float64 {
			return (s.Traffic.UpBytes + s.Traffic.DownBytes) / 1e3
		}},
		{"processor %", false, "%.1f", func(_ *netbench.Row, s *netbench.Side) float64 { return 100 * s.Processor }},
	} {
		list = append(list, column{f.head, true, func(r *netbench.Row) string {
			if f.timed && (r.Old.Lates.Inputs == 0 || r.New.Lates.Inputs == 0) {
				return "–"
			}
			was, is := f.figure(r, r.Old), f.figure(r, &r.New)
			return fmt.Sprintf(f.format+" → "+f.format+"%s", was, is, ratio(was, is))
		}})
	}
	return table(rows, list) + failures(rows)
}

// ratio is a ratio in words; nothing where both are about nothing.
func ratio(was, is float64) string {
	if math.Abs(was) < 1e-3 || math.IsNaN(is/was) {
		return ""
	}
	return fmt.Sprintf(" (×%.2f)", is/was)
}
