package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/doctor"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/phrase"
)

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
				e.console.draw(fmt.Sprintf("Trying %s: %d %% ...", where, 100*done/all))
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
