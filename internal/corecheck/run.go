package corecheck

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"strings"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/ds"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// Config says what to check.
type Config struct {
	Core emucore.Core
	// Tell hears how many of all steps are done, on the caller's goroutine; nil: nobody does.
	Tell func(done, all int)
	// TestOptions are options of the console of a seat in one of the runs, which count from 1,
	// for the test core; nil in the product.
	TestOptions func(run int, seat ds.Seat) map[string]string
	// Tweak changes what a console is started with, for tests; nil in the product.
	Tweak func(*emucore.Config)
}

// The runs: two from the start, two from the state that the first one left, and two of consoles that stop at each frame's end.
const (
	firstRun = 1 + iota
	secondRun
	thirdRun
	fourthRun
	straightRun // with stops between all frames
	backRun     // and ways back in time
	furtherRun  // and more of the same number, each of another program, for the fingerprint alone
)

// A plan describes the play.
type plan struct {
	rom   romstest.ROM
	radio bool
	// The frames: a state is taken at split, the end is at end, and hashes are compared every so
	// many.
	split, end, every int64
	options           []ds.Option // a room's choices
	further           []plan      // played once each
	// turns is the number of frames of runs that go back in time, and returning are the options with which they are tried.
	turns     int64
	returning [][]ds.Option
	chip      int // bytes of backup memory that the program's cartridge has; 0: none
}

// steps is the number of runs.
func (p *plan) steps() int { return fourthRun + 2*len(p.returning) + len(p.further) }

var (
	alone    = plan{rom: romstest.ROM{Name: "pad.nds", Data: romstest.Pad}, split: 60, end: 120, every: 20, turns: 60}
	together = plan{rom: romstest.ROM{Name: "multiplay.nds", Data: romstest.Multiplay}, radio: true, split: 240, end: 300, every: 20, turns: 120}
)

// Run checks a core. An error says that nothing was found out: ctx ended, or this machine could
// not do it. It takes some seconds, and leaves nothing behind.
func Run(ctx context.Context, cfg Config) (Verdict, error) {
	p := alone
	if cfg.Core.Wireless {
		p = together
	}
	p.further = further(cfg.Core)
	p.returning = append([][]ds.Option{nil}, others(cfg.Core)...)
	return cfg.run(ctx, p)
}

// further are the programs that only the fingerprint needs: a save, three dimensions, and the other
// ways in which a room may have the console's CPUs emulated.
func further(core emucore.Core) []plan {
	list := []plan{
		{rom: romstest.ROM{Name: "save.nds", Data: romstest.Save}, end: 60, every: 20, chip: 8 << 10},
		{rom: romstest.ROM{Name: "draw3d.nds", Data: romstest.Draw3D}, end: 60, every: 20},
	}
	for _, options := range others(core) {
		list = append(list, plan{rom: alone.rom, end: alone.end, every: 20, options: options})
	}
	return list
}

// others are the ways in which a room may have the console's CPUs emulated, without the one that is usual.
func others(core emucore.Core) (list [][]ds.Option) {
	jit, _ := emucore.ProfileFor(core.Name).JIT()
	for _, v := range jit.Values[min(1, len(jit.Values)):] {
		list = append(list, []ds.Option{{Key: jit.Key, Value: v}})
	}
	return list
}

func (cfg Config) run(ctx context.Context, p plan) (Verdict, error) {
	dir, err := os.MkdirTemp("", "nettplay-check-")
	if err != nil {
		return Verdict{}, fmt.Errorf("check the core: %w", err)
	}
	defer os.RemoveAll(dir)
	c := &check{Config: cfg, plan: p, dir: dir}
	c.verdict.Core = cfg.Core.SHA256
	if c.file, err = open(dir, p.rom); err != nil {
		return Verdict{}, fmt.Errorf("check the core: %w", err)
	}
	err = c.all(ctx)
	c.verdict.Unlike = strings.Join(c.unlike, " ")
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return Verdict{}, fmt.Errorf("check the core: %w", err)
	}
	return c.verdict, nil
}

// open writes a program into a folder and opens it.
func open(dir string, rom romstest.ROM) (*emucore.ROM, error) {
	paths, err := romstest.WriteFiles(dir, rom)
	if err != nil {
		return nil, err
	}
	return emucore.OpenROM(paths[0])
}

// check is one that runs.
type check struct {
	Config
	plan
	dir     string // for programs
	file    *emucore.ROM
	verdict Verdict
	options []emucore.DeclaredOption // of the core
	unlike  []string                 // sentences: what is otherwise than in tested builds
}

// all tries one part after the other; what fails ends it. An error is not the core's.
func (c *check) all(ctx context.Context) error {
	first, d, err := c.twice(ctx, firstRun, nil, Repeat, "the start")
	if d != nil {
		c.verdict.set(d.part, Failed, "The same game twice is not the same with this core: "+d.words+". In a room, the computers of the players would drift apart.")
	}
	var loaded run
	if err == nil && !c.verdict.Failed() {
		loaded, err = c.states(ctx, first.state)
	}
	if err == nil && !c.verdict.Failed() {
		c.hears(first)
	}
	if err == nil && !c.verdict.Failed() {
		err = c.goesBack(ctx)
	}
	if err == nil && c.verdict.Results[State] == Passed {
		err = c.fingerprint(ctx, first, loaded)
	}
	return err
}

// fingerprint plays the further programs and sums up all that the core did.
func (c *check) fingerprint(ctx context.Context, first, loaded run) error {
	sum := sha256.New()
	fmt.Fprintf(sum, "nettplay core fingerprint %s\n%x\n%x\n", recipe, first.sum, loaded.sum)
	noteOptions(sum, emucore.ProfileFor(c.Core.Name), c.options)
	main := c.plan
	defer func() { c.plan = main }()
	for i, p := range main.further {
		if c.Tell != nil {
			c.Tell(main.steps()-len(main.further)+i, main.steps())
		}
		var err error
		if c.file, err = open(c.dir, p.rom); err != nil {
			return err
		}
		c.plan = p
		r, err := c.playOnce(ctx, furtherRun, nil)
		switch {
		case err == nil:
			fmt.Fprintf(sum, "%s %x\n", p.rom.Name, r.sum)
		case ctx.Err() != nil || !ofCore(err):
			return err
		default: // a choice that no room needs to make; else a program that no game is
			fmt.Fprintf(sum, "%s failed\n", p.rom.Name)
		}
	}
	c.verdict.Fingerprint = [32]byte(sum.Sum(nil))
	return nil
}

// twice plays the same two times, in the run of a number and the next. d is where they differ. The verdict
// has it when they do not, or when a run failed.
func (c *check) twice(ctx context.Context, number int, from *moment, part Part, after string) (first run, d *difference, err error) {
	first, ok, err := c.play(ctx, number, from, part)
	if !ok {
		return first, nil, err
	}
	second, ok, err := c.play(ctx, number+1, from, part)
	if !ok {
		return first, nil, err
	}
	if d = first.differs(&second, after); d == nil {
		c.verdict.set(part, Passed, "")
	}
	return first, d, nil
}

// states tries what consoles do that have loaded a state.
func (c *check) states(ctx context.Context, from *moment) (loaded run, err error) {
	if from == nil {
		c.verdict.set(State, Lacking, "The core cannot save states: a game that came apart cannot be repaired, and nobody can join late.")
		return loaded, nil
	}
	loaded, d, err := c.twice(ctx, thirdRun, from, State, "the state was loaded")
	if d != nil {
		c.verdict.set(State, Failed, "Consoles that loaded the same state do not go on alike with this core: "+d.words+". After a repair, or when somebody joins late, the computers of the players would drift apart.")
	}
	return loaded, err
}

// hears judges the radio by a run.
func (c *check) hears(r run) {
	switch {
	case !c.radio:
	case r.heard():
		c.verdict.set(Radio, Passed, "")
	default:
		c.verdict.set(Radio, Lacking, "The consoles did not hear each other by radio: games that play over it may not find each other.")
	}
}

// play is one run. ok is false when it ended the check: with a verdict, if the error is nil.
func (c *check) play(ctx context.Context, number int, from *moment, part Part) (r run, ok bool, err error) {
	if c.Tell != nil {
		c.Tell(number-1, c.steps())
	}
	r, err = c.playOnce(ctx, number, from)
	switch {
	case err == nil:
		return r, true, nil
	case ctx.Err() != nil || !ofCore(err):
		return run{}, false, err
	}
	if is[*stateError](err) {
		part = State
	}
	when := "when two consoles played with it"
	if part == State {
		when = "when a state was saved or loaded"
	}
	c.verdict.set(part, Failed, fmt.Sprintf("%s %s: %v.", did(err), when, err))
	return run{}, false, nil
}

// did says what a core did.
func did(err error) string {
	switch {
	case is[*emucore.CrashError](err):
		return "The core crashed"
	case is[*emucore.HangError](err):
		return "The core gave no answer"
	}
	return "The core failed"
}
