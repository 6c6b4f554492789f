package main

import (
	"context"
	"fmt"

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
