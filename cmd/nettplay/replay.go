package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/session"
)

// replaying are the flags of replay.
type replaying struct {
	flags      *flag.FlagSet
	list       bool
	verify     bool
	frames     int64
	from       string
	seat       int
	video      string
	screenshot string
	force      bool
	report     string
	speed      string
	core       string
	config     string
	roms       []string

	first    int64 // frame of --from
	settings config.Config
	log      *replay.Log
	own      []*emucore.ROM
}

func replayCommand() command {
	c := command{
		name: "replay", args: "RECORDING", summary: "play a recorded game again, or check it",
		help: `Games are recorded while they are played, into the folder that "nettplay replay
--list" shows. A recording is played with the core and the games that it was
made with. --verify proves that it still gives the very same consoles, and says
at which frame it does not (exit code 4).

Example: nettplay replay --from 12:30 --frames 600 --video clip.y4m game.nplog`,
	}
	c.run = func(ctx context.Context, env *environment, args []string) error {
		o := replayFlags(env, c)
		rest, err := parse(o.flags, args)
		if err != nil {
			return err
		}
		if err := o.check(rest); err != nil {
			return err
		}
		if err := o.load(); err != nil {
			return err
		}
		if o.list {
			dir, err := o.settings.Recording.Dir()
			if err != nil {
				return err
			}
			return listRecordings(env, dir)
		}
		return o.run(ctx, env, rest[0])
	}
	return c
}

func replayFlags(env *environment, c command) *replaying {
	o := &replaying{flags: flagSet(env, c)}
	f := o.flags
	f.BoolVar(&o.list, "list", false, "list the recordings")
	f.BoolVar(&o.verify, "verify", false, "play as fast as possible, and prove that every console is what it was")
	f.Int64Var(&o.frames, "frames", 0, "end after `N` frames (default: all)")
	f.StringVar(&o.from, "from", "", "begin at a `frame or time`, such as 7200, 90s or 1:02:30")
	f.IntVar(&o.seat, "seat", 0, "for pictures, video and sound: only the console of seat `N` (default: all, with the sound of who recorded)")
	f.StringVar(&o.video, "video", "", "write a video to `file`: .mp4 with its sound, where ffmpeg is installed, or .y4m with a .wav beside it")
	f.StringVar(&o.screenshot, "screenshot", "", "write a picture of the last frame to `file` (PNG)")
	f.BoolVar(&o.force, "force", false, "play with another core or build than that of the recording")
	f.StringVar(&o.report, "report", "", "pack recording, settings (without secrets) and versions into `file` (zip), for a bug report")
	f.StringVar(&o.speed, "speed", "1", "`times` the console's speed, 0.25 to 8, or max")
	f.StringVar(&o.core, "core", "", "the core, by `path or name` (default: the recording's, where it is installed)")
	f.StringVar(&o.config, "config", "", "the settings, a `file` other than the usual one")
	f.Func("rom", "a game of the recording, a `file`; may be given several times (default: found in your ROM folders)", func(path string) error {
		o.roms = append(o.roms, path)
		return nil
	})
	return o
}

// check refuses flags that make no sense before anything is done.
func (o *replaying) check(rest []string) (err error) {
	switch {
	case o.list && len(rest) > 0:
		return usagef("--list takes no argument, but got %s", listed(rest))
	case !o.list && len(rest) != 1:
		return usagef("it takes one recording, but got %s (\"nettplay replay --list\" shows them)", listed(rest))
	case o.frames < 0:
		return usagef("--frames is %d, but must not be negative", o.frames)
	case given(o.flags)["seat"] && (o.seat < 1 || o.seat > 16):
		return usagef("--seat is %d, but must be 1 to 16", o.seat)
	case o.verify && o.from != "":
		return usagef("--verify begins at the first frame, so --from does not go with it")
	case o.video != "" && !strings.HasSuffix(o.video, ".y4m") && !strings.HasSuffix(o.video, ".mp4"):
		return usagef("--video %s must end in .y4m or .mp4", o.video)
	}
	if o.from != "" {
		if o.first, err = parseFrame(o.from); err != nil {
			return err
		}
	}
	if _, err := o.times(); err != nil {
		return err
	}
	for _, out := range [][2]string{{"report", o.report}, {"screenshot", o.screenshot}, {"video", o.video}} {
		if err := checkOutput(out[0], out[1]); err != nil {
			return err
		}
	}
	return nil
}

func (o *replaying) load() (err error) {
	base := options{config: o.config}
	if o.settings, err = base.read(); err != nil {
		return err
	}
	for _, path := range o.roms {
		rom, err := openROM(path)
		if err != nil {
			return err
		}
		o.own = append(o.own, rom)
	}
	return nil
}

func (o *replaying) run(ctx context.Context, env *environment, path string) (err error) {
	c := newConsole(env, false)
	if o.log, err = openRecording(path); err != nil {
		return err
	}
	defer o.log.Close()
	if o.seat > 0 && o.log.Frames(o.seat-1) == 0 {
		return usagef("--seat %d: the seats of this recording are %s", o.seat, o.seats())
	}
	o.describe(c)
	if o.report != "" {
		return o.packReport(ctx, env)
	}
	core, roms, err := o.gather(ctx)
	if err != nil {
		return err
	}
	return o.play(ctx, c, core, roms)
}

// gather finds the core and the games that the recording needs.
func (o *replaying) gather(ctx context.Context) (emucore.Core, map[[32]byte]*emucore.ROM, error) {
	core := o.findCore(ctx)
	folders, err := config.ExpandAll(o.settings.ROMs.Folders)
	if err != nil {
		return core, nil, err
	}
	roms, needs, err := session.ReplayNeeds(ctx, o.log, core, o.force, o.own, emucore.NewLibrary(folders))
	if err != nil {
		return core, nil, coreError(err)
	}
	if len(needs) > 0 {
		return core, nil, missing(needs)
	}
	return core, roms, nil
}

func openRecording(path string) (*replay.Log, error) {
	log, err := replay.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, usagef("there is no file %s (\"nettplay replay --list\" shows the recordings)", filepath.Clean(path))
	case err != nil:
		return nil, usageError{err}
	}
	return log, nil
}

// seats are the numbers and names of the seats.
func (o *replaying) seats() string {
	var list []string
	for _, s := range o.log.Seats {
		list = append(list, fmt.Sprintf("%d (%s)", s.Plan.Seat+1, s.Plan.Nickname))
	}
	return strings.Join(list, ", ")
}

// describe says what the recording is.
func (o *replaying) describe(c *console) {
	l := o.log
	c.say("%s with %s, %s, %s", l.Game(), strings.Join(l.Players(), ", "), l.Began.Local().Format("2 January 2006 15:04"), clockTime(l.Length()))
	switch {
	case l.Cut != "":
		c.say("The recording is not whole: %s. It is played up to there.", l.Cut)
	case !l.Ended:
		c.say("The game still runs, or nettplay was ended: what is recorded is played.")
	}
}

// findCore looks for the very core of the recording, or else for one of that name;
// its zero value is none.
func (o *replaying) findCore(ctx context.Context) emucore.Core {
	dirs, err := config.ExpandAll(o.settings.Core.Folders)
	if err != nil {
		return emucore.Core{}
	}
	if o.core != "" {
		core, err := emucore.FindCore(ctx, o.core, dirs)
		if err != nil {
			return emucore.Core{}
		}
		return core
	}
	want := o.log.Settings.Core
	found, _ := emucore.FindCores(ctx, dirs)
	best := emucore.Core{}
	for _, core := range found {
		switch {
		case core.SHA256 == want.SHA256:
			return core
		case core.Name == want.Name && best.Name == "":
			best = core
		}
	}
	if best.Name == "" {
		// It may be named by path in the settings, and be no DS core by its name.
		best, _ = emucore.FindCore(ctx, o.settings.Core.Name, dirs)
	}
	return best
}

// missing says all that is needed, and what to do.
func missing(needs []session.Need) error {
	var b strings.Builder
	b.WriteString("this recording cannot be played here. What is missing:")
	for _, n := range needs {
		fmt.Fprintf(&b, "\n  %s\n    %s", n.What, n.Hint)
	}
	return &exitError{
		code: exitCore, err: errors.New(b.String()),
		hint: "Games are named with --rom FILE, a core with --core; --force plays with another build of the core.",
	}
}
