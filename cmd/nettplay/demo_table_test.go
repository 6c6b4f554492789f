package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// The table of the demo must not call consoles equal that are not.
func TestDemoTable(t *testing.T) {
	report := func(hashes ...game.Hash) notice.Report {
		r := notice.Report{Delay: 4}
		for i, h := range hashes {
			r.Seats = append(r.Seats, game.SeatReport{Seat: ds.Seat(i), Owner: demoNames[i], Frames: 60, Hash: h})
		}
		return r
	}
	for name, tt := range map[string]struct {
		reports []notice.Report
		want    bool
		answers string
	}{
		"equal":          {[]notice.Report{report(1, 2), report(1, 2)}, true, "yes yes"},
		"differ":         {[]notice.Report{report(1, 2), report(1, 3)}, false, "yes NO"},
		"not hashed":     {[]notice.Report{report(1, 0), report(1, 0)}, false, "yes NO"},
		"seat missing":   {[]notice.Report{report(1, 2), report(1)}, false, "yes NO"},
		"player missing": {[]notice.Report{report(1), report(1)}, false, "yes"},
		"no game":        {[]notice.Report{report(), report()}, false, ""},
	} {
		var out bytes.Buffer
		if got := printDemoTable(&out, tt.reports); got != tt.want {
			t.Errorf("%s: equal is %v", name, got)
		}
		var answers []string
		for line := range strings.Lines(out.String()) {
			if f := strings.Fields(line); len(f) > 0 && f[0] != "seat" {
				answers = append(answers, f[len(f)-1])
			}
		}
		if s := strings.Join(answers, " "); s != tt.answers {
			t.Errorf("%s: %q, want %q", name, s, tt.answers)
		}
	}
}
