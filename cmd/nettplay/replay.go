package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/replay"
)

// replaying is one call of replay or bisect.
type replaying struct {
	*call
	first int64 // frame of --from
	log   *replay.Log
}

func replayCommand() command {
	return command{
		name: "replay", uses: onReplay, args: "RECORDING", most: 1,
		takes:   "one recording (\"nettplay replay --list\" shows them)",
		summary: "play a recorded game again, or check it",
		help: `nettplay records games into the folder that "nettplay replay --list" shows. It
plays a recording with the core and the games that made it. --verify checks that
every console is still the same, and says at which frame it is not (exit code
4).

Example: nettplay replay --from 12:30 --frames 600 --video clip.y4m game.nplog`,
		preset: func(o *options) { o.play.speed = "1" },
		run: func(ctx context.Context, c *call) error {
			o := &replaying{call: c}
			if err := o.check(); err != nil {
				return err
			}
			if c.replay.list {
				return c.listRecordings()
			}
			return o.run(ctx)
		},
	}
}

// check refuses flags that make no sense before anything is done.
func (o *replaying) check() (err error) {
	video := o.out.video
	switch {
	case o.replay.list && len(o.args) > 0:
		return usagef("--list takes no argument, but got %s", listed(o.args))
	case !o.replay.list && len(o.args) != 1:
		return usagef("it takes %s, but got none", o.command.takes)
	case o.replay.verify && o.replay.from != "":
		return usagef("--verify begins at the first frame, so --from does not go with it")
	case video != "" && !strings.HasSuffix(video, ".y4m") && !strings.HasSuffix(video, ".mp4"):
		return usagef("--video %s must end in .y4m or .mp4", video)
	}
	if o.replay.from != "" {
		if o.first, err = parseFrame(o.replay.from); err != nil {
			return err
		}
	}
	_, err = o.times()
	return err
}

func (o *replaying) run(ctx context.Context) (err error) {
	if o.log, err = openRecording(o.args[0]); err != nil {
		return err
	}
	defer o.log.Close()
	if seat := o.replay.seat; seat > 0 && o.log.Frames(ds.Seat(seat-1)) == 0 {
		return usagef("--seat %d: the seats of this recording are %s", seat, o.seats())
	}
	o.describe()
	if o.out.report != "" {
		return o.packReport(ctx)
	}
	cfg, err := o.gather(ctx)
	if err != nil {
		return err
	}
	return o.show(ctx, cfg)
}

// gather finds the core and the games that the recording needs.
func (o *replaying) gather(ctx context.Context) (cfg player.Config, err error) {
	settings, err := o.readSettings()
	if err != nil {
		return cfg, err
	}
	roms, err := openROMs(o.call.play.roms)
	if err != nil {
		return cfg, err
	}
	m, err := o.machineWith(settings, emucore.Core{})
	if err != nil {
		return cfg, err
	}
	cfg, needs, err := m.Replay(ctx, launch.Replay{Log: o.log, Core: o.core, ROMs: roms, Force: o.force})
	if err != nil {
		return cfg, coreError(err)
	}
	if len(needs) > 0 {
		return cfg, missing(needs)
	}
	if words := player.OtherBuild(o.log.Settings.Core, cfg.Core); words != "" {
		o.console.say("%s", words)
	}
	return cfg, nil
}

func openRecording(path string) (*replay.Log, error) {
	log, err := replay.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, usagef("there is no file %s (\"nettplay replay --list\" shows the recordings)", filepath.Clean(path))
	case err != nil:
		return nil, usageError(err)
	}
	return log, nil
}

// seats are the numbers and names of the seats.
func (o *replaying) seats() string {
	var list []string
	for _, s := range o.log.Seats {
		list = append(list, fmt.Sprintf("%v (%s)", s.Plan.Seat, s.Plan.Nickname))
	}
	return strings.Join(list, ", ")
}

// describe says which game the recording is of.
func (o *replaying) describe() {
	l := o.log
	o.console.say("%s with %s, %s, %s", l.Game(), strings.Join(l.Players(), ", "), l.Began.Local().Format("2 January 2006 15:04"), clockTime(l.Length()))
	switch {
	case l.Cut != "":
		o.console.say("The recording is not whole: %s. It plays up to there.", l.Cut)
	case !l.Ended:
		o.console.say("The recording has no end: the game still runs, or nettplay was killed. It plays as far as it goes.")
	}
}

// missing says all that is needed, and what to do.
func missing(needs []player.Need) error {
	var b strings.Builder
	b.WriteString("this recording cannot be played here. It needs:")
	for _, n := range needs {
		fmt.Fprintf(&b, "\n  %s\n    %s", n.What, n.Hint)
	}
	return &exitError{
		code: exitCore, err: errors.New(b.String()),
		hint: "Name a game with --rom FILE, and a core with --core; --force plays with another build of the core.",
	}
}
