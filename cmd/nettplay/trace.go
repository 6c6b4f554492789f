package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/nettplay/nettplay/internal/air"
	"github.com/nettplay/nettplay/internal/disk"
	"github.com/nettplay/nettplay/internal/phrase"
)

func traceCommand() command {
	return command{
		name: "trace", uses: onTrace, args: "diff A B", takes: "diff and two files", least: 3, most: 3,
		summary: "compare what two machines' radios sent",
		help: `A and B are files that --trace has written, on two machines or in two games.
Exit code 4 says that they differ, and where first. One trace may only be longer
than the other, as after leaving a game early; it says that, too.

Example: nettplay trace diff anna.trace ben.trace`,
		run: func(_ context.Context, c *call) error {
			if c.args[0] != "diff" {
				return usagef("it takes diff and two files, but got %s", listed(c.args))
			}
			return traceDiff(c.env, c.args[1], c.args[2])
		},
	}
}

func traceDiff(env *environment, a, b string) error {
	packets, d, err := compareRadioTraces(a, b)
	switch {
	case err != nil:
		return usageError(err)
	case d == nil:
		fmt.Fprintf(env.stdout, "Both are the same: %s.\n", phrase.Count(packets, "packet"))
		return nil
	case d.A == "" || d.B == "":
		longer := a
		if d.A == "" {
			longer = b
		}
		return &exitError{code: exitDesync, err: fmt.Errorf("the first %s are the same; only %s goes on:\n  %s", phrase.Count(d.Same, "packet"), longer, d.A+d.B)}
	}
	return &exitError{code: exitDesync, err: fmt.Errorf("packet %d differs, all before are the same:\n  %s: %s\n  %s: %s", d.Same+1, a, d.A, b, d.B)}
}

// The packets of the consoles' radio in a file, a line each, and two such files compared: on all machines of a game they are the same.

// radioTrace writes a trace. It belongs to one goroutine.
type radioTrace struct {
	f *os.File
	w *bufio.Writer // keeps the first error
}

// createRadioTrace creates the file of a trace, or empties it.
func createRadioTrace(path string) (*radioTrace, error) {
	if err := disk.CheckRegular(path); err != nil {
		return nil, err
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	return &radioTrace{f: f, w: bufio.NewWriter(f)}, nil
}

// Take writes packets. Errors are those of Close.
func (t *radioTrace) Take(records []air.Record) {
	for _, r := range records {
		_, _ = fmt.Fprintln(t.w, r)
	}
}

// Close closes the file and returns what kept the trace from being whole.
func (t *radioTrace) Close() error {
	if err := errors.Join(t.w.Flush(), t.f.Close()); err != nil {
		return fmt.Errorf("writing the trace: %w", err)
	}
	return nil
}

// radioDifference is the first place where two traces are not the same.
type radioDifference struct {
	Same int64 // packets before it, alike in both
	// A and B are the packets there. One of them is "" where only the other trace goes on.
	A, B string
}

// maxTraceLine is the limit of a trace's line in bytes; a packet's is far shorter.
const maxTraceLine = 4096

// compareRadioTraces compares two files line by line, however large they are. It returns nil, and
// how many packets there are, when both are the same.
func compareRadioTraces(pathA, pathB string) (packets int64, d *radioDifference, err error) {
	var scan [2]*bufio.Scanner
	for i, path := range []string{pathA, pathB} {
		f, _, err := disk.Open(path)
		if err != nil {
			return 0, nil, err
		}
		defer f.Close()
		scan[i] = bufio.NewScanner(f)
		scan[i].Buffer(make([]byte, 0, maxTraceLine), maxTraceLine)
	}
	for ; ; packets++ {
		var lines [2]string
		var more [2]bool
		for i, path := range []string{pathA, pathB} {
			if more[i] = scan[i].Scan(); more[i] {
				lines[i] = scan[i].Text()
			}
			if err := scan[i].Err(); err != nil {
				return packets, nil, fmt.Errorf("%s, line %d: not a trace: %w", path, packets+1, err)
			}
		}
		switch {
		case !more[0] && !more[1]:
			return packets, nil, nil
		case more != [2]bool{true, true} || lines[0] != lines[1]:
			return packets, &radioDifference{Same: packets, A: lines[0], B: lines[1]}, nil
		}
	}
}
