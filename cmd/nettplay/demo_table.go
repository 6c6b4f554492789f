package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// errDiffer tells that some console is not the same on all machines.
var errDiffer = errors.New("the consoles are not equal on all machines")

func (d demoGame) reports() ([]notice.Report, error) {
	list := make([]notice.Report, d.Players)
	for i := range list {
		b, err := os.ReadFile(d.report(i))
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(b, &list[i]); err != nil {
			return nil, fmt.Errorf("reading the report %s: %w", d.report(i), err)
		}
	}
	return list, nil
}

// conclude prints the table and fails unless all consoles are equal.
func (d demoGame) conclude(reports []notice.Report) error {
	equal := printDemoTable(d.Stdout, reports)
	fmt.Fprintln(d.Stdout)
	for i := range reports {
		fmt.Fprintf(d.Stdout, "%s saw: %s\n", demoNames[i], d.picture(i))
	}
	if !equal {
		return errDiffer
	}
	fmt.Fprintln(d.Stdout, "Every console is bit-identical on all machines.")
	return nil
}

// printDemoTable compares the consoles of all machines, a row a seat.
func printDemoTable(w io.Writer, reports []notice.Report) (equal bool) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "\nseat\towner\tframes\tdelay\tstalls\tbytes sent")
	for i := range reports {
		fmt.Fprintf(t, "\thash on %c", 'A'+i)
	}
	fmt.Fprint(t, "\tequal?\n")
	equal = true
	for row, s := range reports[0].Seats {
		var owner notice.Report
		if i := slices.Index(demoNames[:], s.Owner); i >= 0 && i < len(reports) {
			owner = reports[i] // seats go to who comes first
		}
		fmt.Fprintf(t, "%v\t%s\t%d\t%d\t%d\t%d", s.Seat, s.Owner, s.Frames, owner.Delay, owner.Stalls.Count, owner.BytesSent)
		same := s.Hash != 0
		for _, r := range reports {
			there := game.SeatReport{}
			if row < len(r.Seats) {
				there = r.Seats[row]
			}
			same = same && there.Hash == s.Hash && there.Frames == s.Frames
			fmt.Fprintf(t, "\t%v", there.Hash)
		}
		answer := "yes"
		if !same {
			answer, equal = "NO", false
		}
		fmt.Fprintf(t, "\t%s\n", answer)
	}
	t.Flush()
	return equal && len(reports[0].Seats) == len(reports)
}
