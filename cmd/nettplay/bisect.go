package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/nettplay/nettplay/internal/bugreport"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/session"
)

func bisectCommand() command {
	c := command{
		name: "bisect", args: "FILE [OTHER]", summary: "find the first frame in which machines differed",
		help: `When machines are not alike, those concerned keep a file (.zip) for a bug
report; the game says where. Give it, better with that of the other machine: the
recordings in them are compared and played again here, frame by frame, to find
the first one that differs, and whether it was a passing fault or a core that
computes otherwise. Recordings (.nplog) will do, too. Exit code 4 tells that
something differs.

Example: nettplay bisect anna.zip ben.zip`,
	}
	c.run = func(ctx context.Context, env *environment, args []string) error {
		o := &replaying{flags: flagSet(env, c)}
		o.defineBisect()
		rest, err := parse(o.flags, args)
		if err != nil {
			return err
		}
		if len(rest) < 1 || len(rest) > 2 {
			return usagef("it takes one or two files, but got %s", listed(rest))
		}
		if err := o.load(); err != nil {
			return err
		}
		return o.bisect(ctx, env, rest)
	}
	return c
}

// defineBisect defines the flags that say with what a recording is played.
func (o *replaying) defineBisect() {
	f := o.flags
	f.BoolVar(&o.force, "force", false, "play with another core or build than that of the recording")
	f.StringVar(&o.core, "core", "", "the core, by `path or name` (default: the recording's, where it is installed)")
	f.StringVar(&o.config, "config", "", "the settings, a `file` other than the usual one")
	f.Func("rom", "a game of the recording, a `file`; may be given several times (default: found in your ROM folders)", func(path string) error {
		o.roms = append(o.roms, path)
		return nil
	})
}

// bisect opens the files and looks for the first frame that differs.
func (o *replaying) bisect(ctx context.Context, env *environment, paths []string) error {
	c := newConsole(env, false)
	var sides []session.Side
	for _, path := range paths {
		side, closer, err := openSide(path)
		if err != nil {
			return err
		}
		defer closer()
		sides = append(sides, side)
	}
	o.log = sides[0].Log
	o.describe(c)
	core, roms, err := o.gather(ctx)
	if err != nil {
		return err
	}
	found, err := session.Bisect(ctx, sides, session.ReplayConfig{Core: core, ROMs: roms, Force: o.force}, func(text string) { c.draw(text + " ...") })
	c.draw("")
	if errors.Is(err, session.ErrOtherGame) {
		return usageError{fmt.Errorf("%s and %s: %w", paths[0], paths[1], err)}
	}
	if err != nil {
		return coreError(err)
	}
	for _, words := range found.Words {
		fmt.Fprintln(env.stdout, sentence(words))
	}
	switch {
	case !found.Differ:
		return nil
	case found.Frame > 0:
		return &exitError{code: exitDesync, err: fmt.Errorf("seat %d differs first in frame %d", found.Seat+1, found.Frame)}
	}
	return &exitError{code: exitDesync, err: errors.New("the machines differed; which frame was the first can be told only so far")}
}

// openSide opens a bug report or a recording.
func openSide(path string) (s session.Side, closer func(), err error) {
	b, err := bugreport.Open(path)
	if errors.Is(err, bugreport.ErrNotABundle) {
		b = nil
	} else if err != nil {
		return s, nil, usageError{err}
	}
	closer = func() {}
	if b != nil {
		if b.Log == "" {
			b.Close()
			return s, nil, usagef("%s has no recording: the game was not recorded there", path)
		}
		path, closer = b.Log, func() { b.Close() }
		s.Verdict, s.Rerun = &b.Verdict, b.Rerun
	}
	if s.Log, err = openRecording(path); err != nil {
		closer()
		return s, nil, err
	}
	closeFile := closer
	closer = func() {
		s.Log.Close()
		closeFile()
	}
	s.Name = playerOn(s.Log)
	return s, closer, nil
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

// faultVariable names a fault on purpose, for tests; see [session.ParseFault].
const faultVariable = "NETTPLAY_FAULT"

// fault is the fault that a text asks for, nil for none.
func fault(text string) (*session.Fault, error) {
	if text == "" {
		return nil, nil
	}
	f, err := session.ParseFault(text)
	if err != nil {
		return nil, usageError{fmt.Errorf("%s: %w", faultVariable, err)}
	}
	return f, nil
}
