package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/nettplay/nettplay/internal/doctor"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/ui/pads"
	"github.com/nettplay/nettplay/internal/ui/sound"
)

func doctorCommand() command {
	return command{
		name: "doctor", uses: onDoctor, takes: "no argument", summary: "check this computer for what would spoil play",
		help: `It checks the core, its speed, whether it does the same twice, its sandbox,
sound, controllers and the way to friends, in about half a minute. The verdict
comes first, then a line for each check; -v adds details for somebody who helps
you. With --peer it also measures the connection to a friend who has a room
open, and advises an input delay. The exit code is 1 if something would spoil
play.

With --rom it checks a game instead: it plays two consoles of it for eight
seconds, twice, and one to four of them as fast as they go, which takes about
20 seconds. It says whether they do the same each time, whether they use the
radio, which save chip there is, how fast they are, and whether the game went
on. A folder gives a table with a line for each game in it.

Example: nettplay doctor --peer nettplay://join/...
Example: nettplay doctor --rom game.nds`,
		check: func(c *call) error {
			if len(c.play.roms) > 0 && c.peer != "" {
				return usagef("--peer is about a connection, --rom about a game: give one of them")
			}
			if c.asJSON && len(c.play.roms) == 0 {
				return usagef("--json is for --rom")
			}
			return nil
		},
		run: func(ctx context.Context, c *call) error { return c.examine(ctx) },
	}
}

func (c *call) examine(ctx context.Context) error {
	settings, err := c.readSettings()
	if err != nil {
		return err
	}
	if c.given("core") {
		settings.Core.Name = c.core
	}
	if len(c.play.roms) > 0 {
		return c.examineGames(ctx, settings)
	}
	start, done, err := doctor.Starter()
	if err != nil {
		return err
	}
	defer done()
	p := doctor.Usual(settings, launch.Fingerprint(), c.peer)
	p.Start, p.Sound, p.Pads = start, sound.Look, pads.Look
	c.console.draw("Checking this computer: about half a minute ...")
	found := doctor.Examine(ctx, p, func(f doctor.Finding) { c.console.draw("Looking on, after " + f.Subject + " ...") })
	c.console.draw("")
	fmt.Fprint(c.env.stdout, doctor.Report(found, c.verbose, c.env.columns))
	if bad := doctor.Spoilers(found); len(bad) > 0 {
		return fmt.Errorf("this would spoil play: %s", strings.Join(bad, ", "))
	}
	return nil
}
