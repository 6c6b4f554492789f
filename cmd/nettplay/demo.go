package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
)

func demoCommand() command {
	return command{
		name: "demo", uses: onDemo, takes: "no argument",
		summary: "play a short test game, and show that all agree",
		help: `One process hosts, the others join it over the network (on this computer), all
press random keys, and at the end every console of every process is compared.
It needs no ROM: it plays a test program that is built in.

Example: nettplay demo --players 3 --out /tmp/demo`,
		preset: func(o *options) {
			o.play.frames, o.room.delay, o.room.players, o.out.folder = 600, 4, 2, "demo-out"
		},
		run: runDemo,
	}
}

func runDemo(ctx context.Context, c *call) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	err = playDemo(ctx, demoGame{
		Program: self, Env: []string{announceVariable + "=127.0.0.1:9"}, // nobody is to join this room
		Frames: c.play.frames, Delay: c.room.delay, Players: c.room.players, Out: c.out.folder, Core: c.core, Speed: c.play.speed,
		Stdout: c.env.stdout, Stderr: c.env.stderr,
	})
	exit, failed := errors.AsType[*exec.ExitError](err)
	switch {
	case failed && exit.ExitCode() > 0: // that of the process that failed first
		return &exitError{code: exit.ExitCode(), err: err, hint: "Its own words stand above"}
	case errors.Is(err, errDiffer):
		return &exitError{code: exitDesync, err: err, hint: "Please report it, with the files in " + c.out.folder}
	}
	return err
}
