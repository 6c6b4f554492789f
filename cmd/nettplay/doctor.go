package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/doctor"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/phrase"
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

// gameExam tells what trials of games show.
type gameExam struct {
	*call
	trial doctor.GameTrial
	table bool // a line for each game
	tried int
	bad   []string // names of games that would not work
}

// examineGames looks at the games of --rom.
func (c *call) examineGames(ctx context.Context, settings config.Config) error {
	folders := make([]*doctor.Folder, len(c.play.roms))
	e := &gameExam{call: c, table: len(c.play.roms) > 1}
	for i, path := range c.play.roms {
		info, err := os.Stat(path)
		if err == nil && info.IsDir() {
			c.console.draw("Looking for games in " + phrase.Printable(path) + " ...")
			f, err := doctor.ScanFolder(ctx, path)
			c.console.draw("")
			if err != nil {
				return stopped(ctx, err)
			}
			folders[i], e.table = &f, true
			continue
		}
		rom, err := openROM(path)
		if err != nil {
			return err
		}
		folders[i] = &doctor.Folder{Games: []*emucore.ROM{rom}}
	}
	m, err := c.machine(ctx, settings)
	if err != nil {
		return stopped(ctx, err)
	}
	core, err := m.Opened(ctx, m.Core)
	if err != nil {
		return stopped(ctx, startError(err))
	}
	e.trial = doctor.GameTrial{Core: core, Options: launch.CoreOptions(settings.Core, core)}
	if e.table && !c.asJSON {
		fmt.Fprintf(c.env.stdout, "On %s %s; two consoles, %d seconds, twice.\n\n%s\n", core.Name, core.Version, doctor.TrialSeconds, doctor.TableHead())
	}
	for _, f := range folders {
		if err := e.folder(ctx, *f); err != nil {
			return stopped(ctx, err)
		}
	}
	return e.conclude()
}

// stopped is the error of what Ctrl-C ended.
func stopped(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return errors.New("stopped before it was over")
	}
	return err
}

func (e *gameExam) folder(ctx context.Context, f doctor.Folder) error {
	defer e.console.draw("")
	begin := func(number, of int, name string) {
		where := phrase.Shorten(phrase.Printable(name), 30)
		if of > 1 {
			where += fmt.Sprintf(" (%d of %d)", number, of)
		}
		e.trial.Tell = func(done, all int) {
			if e.env.columns > 0 { // else each line would stay
				e.console.draw(fmt.Sprintf("Trying %s: %d%% ...", where, 100*done/all))
			}
		}
		e.console.draw(fmt.Sprintf("Trying %s ...", where))
	}
	// The trial's own copy tells by what begin set for this game.
	trial := e.trial
	trial.Tell = func(done, all int) { e.trial.Tell(done, all) }
	err := f.Try(ctx, trial, begin, e.seen, e.noGame)
	if err != nil {
		return err
	}
	for _, s := range f.Left {
		e.console.draw("")
		e.console.say("Not looked at: %s (%s)", phrase.Printable(s.Path), phrase.Printable(s.Why))
	}
	return nil
}

func (e *gameExam) seen(s *doctor.Seen) {
	e.console.draw("")
	e.tried++
	if !s.Works() {
		e.bad = append(e.bad, phrase.Printable(s.Name()))
	}
	switch {
	case e.asJSON:
		_ = json.NewEncoder(e.env.stdout).Encode(s.Line())
	case e.table:
		fmt.Fprintln(e.env.stdout, s.Row())
	default:
		fmt.Fprint(e.env.stdout, doctor.GameReport(s.Findings(), e.verbose, e.env.columns))
	}
}

func (e *gameExam) noGame(n *emucore.NotROMError) {
	e.console.draw("")
	e.tried++
	e.bad = append(e.bad, phrase.Printable(n.Path))
	if e.asJSON {
		_ = json.NewEncoder(e.env.stdout).Encode(doctor.GameLine{Path: n.Path, Seen: "no game", Words: []string{phrase.Sentence(n.Why)}})
		return
	}
	fmt.Fprintln(e.env.stdout, doctor.BadRow(n.Path, n.Why))
}

func (e *gameExam) conclude() error {
	switch {
	case e.tried == 0:
		return &exitError{code: 1, err: errors.New("there is no game"), hint: "Give the path of a Nintendo DS game (.nds, .zip or .7z), or of a folder with some."}
	case e.table && len(e.bad) > 0:
		return fmt.Errorf("%d of %s would not work; --rom with one of them says why", len(e.bad), phrase.Count(e.tried, "game"))
	case len(e.bad) > 0:
		return errors.New("this game would not work")
	}
	return nil
}
