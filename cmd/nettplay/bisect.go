package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/report"
)

func bisectCommand() command {
	return command{
		name: "bisect", uses: onBisect, args: "FILE [OTHER]", takes: "one or two files", least: 1, most: 2,
		summary: "find the first frame in which machines differed",
		help: `When machines disagree (a desync), they write desync reports (.zip); the game
says where. Give it one, or better the reports of both machines. It plays the
recordings in them again, frame by frame, to find the first frame that differs,
and tells a passing fault from a core that behaves differently. Recordings
(.nplog) will do, too. Exit code 4 says that something differs.

Example: nettplay bisect anna.zip ben.zip`,
		run: func(ctx context.Context, c *call) error {
			return (&replaying{call: c}).bisect(ctx)
		},
	}
}

// bisect opens the files and looks for the first frame that differs.
func (o *replaying) bisect(ctx context.Context) error {
	var sides []report.Side
	for _, path := range o.args {
		side, closer, err := openSide(path)
		if err != nil {
			return err
		}
		defer closer()
		sides = append(sides, side)
	}
	o.log = sides[0].Log
	o.describe()
	cfg, err := o.gather(ctx)
	if err != nil {
		return err
	}
	found, err := report.Bisect(ctx, sides, player.Config{Core: cfg.Core, ROMs: cfg.ROMs, Force: o.force}, func(text string) { o.console.draw(text + " ...") })
	o.console.draw("")
	if errors.Is(err, report.ErrOtherGame) {
		return usagef("%s and %s: %w", o.args[0], o.args[1], err)
	}
	if err != nil {
		return coreError(err)
	}
	for _, words := range found.Words {
		fmt.Fprintln(o.env.stdout, sentence(words))
	}
	switch {
	case !found.Differ:
		return nil
	case found.Frame > 0:
		return &exitError{code: exitDesync, err: fmt.Errorf("seat %v differs first in frame %d", found.Seat, found.Frame)}
	}
	return &exitError{code: exitDesync, err: errors.New("the machines differed, but the files do not tell at which frame first")}
}

// openSide opens a desync report or a recording.
func openSide(path string) (s report.Side, closer func(), err error) {
	done := func() {}
	switch b, err := report.Open(path); {
	case errors.Is(err, report.ErrNotABundle): // a recording
	case err != nil:
		return s, nil, usageError(err)
	case b.Log == "":
		b.Close()
		return s, nil, usagef("%s has no recording: that machine did not record the game; give the other machine's file", path)
	default:
		path, done = b.Log, func() { b.Close() }
		s.Verdict, s.Rerun = &b.Verdict, b.Rerun
	}
	if s.Log, err = openRecording(path); err != nil {
		done()
		return s, nil, err
	}
	s.Name = playerOn(s.Log)
	return s, func() {
		s.Log.Close()
		done()
	}, nil
}

// playerOn is the player of the machine that recorded.
func playerOn(l *replay.Log) string {
	for _, seat := range l.Seats {
		if seat.Plan.Machine == l.Machine {
			return seat.Plan.Nickname
		}
	}
	return fmt.Sprintf("machine %d", l.Machine)
}
