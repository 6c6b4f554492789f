package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/nettplay/nettplay/internal/air"
)

func traceCommand() command {
	return command{
		name: "trace", uses: onTrace, args: "diff A B", takes: "diff and two files", least: 3, most: 3,
		summary: "compare what two machines' radios sent",
		help: `A and B are files that --trace has written, on two machines or in two games.
Exit code 4 tells that they differ; the first difference is named. When one has
only more than the other, as after a game that was left early, that is said too.

Example: nettplay trace diff anna.trace ben.trace`,
		run: func(_ context.Context, c *call) error {
			if c.args[0] != "diff" {
				return usagef("it takes diff and two files, but got %s", listed(c.args))
			}
			return traceDiff(c.env, c.args[1], c.args[2])
		},
	}
}

// traceLimit is how long a line of a trace may be; a record's is far shorter.
const traceLimit = 4096

// traceDiff compares two files line by line, however large they are.
func traceDiff(env *environment, a, b string) error {
	var scan [2]*bufio.Scanner
	for i, path := range []string{a, b} {
		f, err := os.Open(path)
		if err != nil {
			return usageError{err}
		}
		defer f.Close()
		scan[i] = bufio.NewScanner(f)
		scan[i].Buffer(make([]byte, 0, traceLimit), traceLimit)
	}
	for n := int64(1); ; n++ {
		more := [2]bool{scan[0].Scan(), scan[1].Scan()}
		for i, path := range []string{a, b} {
			if err := scan[i].Err(); err != nil {
				return usageError{fmt.Errorf("%s, line %d: not a trace: %w", path, n, err)}
			}
		}
		switch {
		case !more[0] && !more[1]:
			fmt.Fprintf(env.stdout, "Both are the same: %s.\n", count(n-1, "packet"))
			return nil
		case more[0] != more[1]:
			longer, line := a, scan[0].Text()
			if more[1] {
				longer, line = b, scan[1].Text()
			}
			return &exitError{code: exitDesync, err: fmt.Errorf("the first %s are the same; only %s goes on:\n  %s", count(n-1, "packet"), longer, line)}
		case scan[0].Text() != scan[1].Text():
			return &exitError{code: exitDesync, err: fmt.Errorf("packet %d differs, all before are the same:\n  %s: %s\n  %s: %s", n, a, scan[0].Text(), b, scan[1].Text())}
		}
	}
}

// tracer writes the packets of the radio to a file, on the session's goroutine.
type tracer struct {
	f   *os.File
	w   *bufio.Writer
	err error
}

// openTrace creates the file of a trace; without a path there is none.
func openTrace(path string) (*tracer, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, usageError{fmt.Errorf("--trace: %w", err)}
	}
	return &tracer{f: f, w: bufio.NewWriter(f)}, nil
}

func (t *tracer) take(records []air.Record) {
	var b strings.Builder
	for _, r := range records {
		b.WriteString(r.String())
		b.WriteByte('\n')
	}
	if _, err := io.WriteString(t.w, b.String()); err != nil && t.err == nil {
		t.err = err
	}
}

// close tells what kept the trace from being whole.
func (t *tracer) close() error {
	if err := errors.Join(t.err, t.w.Flush(), t.f.Close()); err != nil {
		return fmt.Errorf("writing the trace: %w", err)
	}
	return nil
}
