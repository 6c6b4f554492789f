package report

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/impair"

	"github.com/nettplay/nettplay/internal/measuring/netbench"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// rows are a case with figures, the same with a longer delay, and one that failed.
func rows(t *testing.T) []netbench.Row {
	t.Helper()
	c := netbench.Case{Name: "50j10l5", Words: "50±10 ms", Machines: 2, Line: impair.Impairment{Delay: 50 * time.Millisecond, Jitter: 10 * time.Millisecond, Loss: 0.05}, Delay: 4}
	side := func(delay int, seed uint64) netbench.Side {
		return netbench.Side{Figures: netbench.Measure(netbench.Ideal(c, delay, seed, 1500), netbench.DefaultSpan)}
	}
	old := side(4, 5)
	tight := netbench.Row{Case: c, Delay: "4", New: side(4, 1), Floor: side(4, 2), Ideal: side(4, 3), Old: &old}
	tight.New.Sound = &netbench.Sound{Count: 3, Minutes: 2, Latency: netbench.Latency{P50: 64, P99: 80}}
	tight.New.Rollback = &netbench.Rollback{Depth: 8, Guessed: 0.5, Again: 0.361, Time: 0.0322}
	loose := netbench.Row{Case: c, Delay: "9", New: side(9, 1), Floor: side(9, 2), Ideal: side(9, 3), Old: &old}
	failed := netbench.Row{Case: netbench.Case{Name: "lost", Words: "nothing"}, Delay: "4", Old: &netbench.Side{}, Err: errors.New("/home/somebody has no room"), Error: "x"}
	return []netbench.Row{tight, loose, failed}
}

// The page has a line for each case with as many cells as the head; a case that failed is named
// without what only concerns this machine.
func TestReport(t *testing.T) {
	dir := t.TempDir()
	r := Report{Rows: rows(t), Setting: "here", Swept: true, Compares: true}
	must.Succeed(t, r.Write(dir))
	b := must.Read(t, filepath.Join(dir, "netbench.md"))
	page := string(b)
	for _, want := range []string{"Measured here: here.", "`lost` nothing: not measured", "`50j10l5`: the best delay is 9.", "| 1.5 | 64 / 80 |", "| 8 | 50.00 | 36.10 | 3.22 |", "| – | – | – | – |", "(×"} {
		if !strings.Contains(page, want) {
			t.Errorf("without %q:\n%s", want, page)
		}
	}
	if strings.Contains(page, "somebody") || strings.Contains(page, "NaN") || strings.Contains(page, "Inf") {
		t.Errorf("%s", page)
	}
	for _, s := range subjects {
		if len(s.columns) > 13 {
			t.Errorf("%s: %d columns are wider than a screen", s.title, len(s.columns))
		}
		for line := range strings.Lines(table(r.Rows, s.columns)) {
			if strings.Count(line, "|") != len(s.columns)+1 {
				t.Errorf("%d cells: %s", strings.Count(line, "|")-1, line)
			}
		}
	}
	for _, name := range []string{"netbench-late.svg", "netbench-ways.svg", "netbench-gaps.svg"} {
		if !strings.Contains(page, "images/"+name) {
			t.Errorf("%s is not on the page", name)
		}
		file, err := os.Open(filepath.Join(dir, "images", name))
		must.Succeed(t, err)
		d := xml.NewDecoder(file)
		for err == nil {
			_, err = d.Token()
		}
		file.Close()
		if !errors.Is(err, io.EOF) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Cases are named in which more is late than with bare ENet, with what it is made of; not those that are level
// or below, nor differences of an input or two.
func TestAboveTheFloor(t *testing.T) {
	side := func(late int, need float64) netbench.Side {
		s := netbench.Side{Figures: netbench.Figures{Lates: netbench.Lates{Inputs: 4000, Late: late}}}
		for range 4000 {
			s.Lates.Needs = append(s.Lates.Needs, need*netbench.FrameMS)
			s.Way.MS = append(s.Way.MS, need*netbench.FrameMS)
		}
		return s
	}
	row := func(name string, ours, floor netbench.Side) netbench.Row {
		return netbench.Row{Case: netbench.Case{Name: name, Delay: 9}, New: ours, Floor: floor}
	}
	got := Above([]netbench.Row{
		row("level", side(100, 4.5), side(100, 4.5)), row("below", side(0, 3.5), side(50, 5.5)),
		row("chance", side(2, 4.5), side(0, 4.5)), row("tenth", side(109, 4.5), side(100, 4.5)),
		row("late", side(120, 4.5), side(100, 4.5)), row("needs", side(0, 5.2), side(0, 4.9)), row("unmeasured", side(9, 9), netbench.Side{}),
	})
	if strings.Count(got, "\n") != 2 || !strings.Contains(got, "* `late`: 3.00 % are late, 2.50 with ENet.") ||
		!strings.Contains(got, "* `needs`: needs 6 frames (5.20), ENet 5 (4.90).") {
		t.Errorf("%s", got)
	}
	if got := Above(nil); got != "None.\n" {
		t.Errorf("%q", got)
	}
}

// Where nothing could be measured there is a page all the same.
func TestReportOfNothing(t *testing.T) {
	dir := t.TempDir()
	r := Report{Rows: rows(t)[2:], Swept: true, Compares: true}
	must.Succeed(t, r.Write(dir))
	if b, err := os.ReadFile(filepath.Join(dir, "netbench.md")); err != nil || !strings.Contains(string(b), "none of the delays") {
		t.Errorf("%v\n%s", err, b)
	}
}

// A build that does not tell its times is compared in the rest.
func TestComparedWithoutTimes(t *testing.T) {
	list := rows(t)[:1]
	list[0].Old = &netbench.Side{Stalls: 4, Traffic: netbench.Traffic{UpBytes: 1000}}
	list[0].New.Stalls, list[0].New.Traffic.UpBytes = 2, 1500
	got := Compared(list)
	for _, want := range []string{"4.0 → 2.0 (×0.50)", "1.0 → 1.5 (×1.50)", "| – |"} {
		if !strings.Contains(got, want) {
			t.Errorf("without %q:\n%s", want, got)
		}
	}
}

// Drawn are the shares above each value, thinned out, down to what the axis has.
func TestAbove(t *testing.T) {
	var list []float64
	for i := range 30_000 {
		list = append(list, float64(i))
	}
	points := above(list)
	if len(points) < 100 || len(points) > 500 || points[0].Y != 100 || points[0].X != 0 {
		t.Fatalf("%d points from %v on", len(points), points[0])
	}
	for i, p := range points {
		if p.Y < 0.01 || i > 0 && (p.Y >= points[i-1].Y || p.X <= points[i-1].X) {
			t.Errorf("point %d is %v after %v", i, p, points[max(i-1, 0)])
		}
	}
}
