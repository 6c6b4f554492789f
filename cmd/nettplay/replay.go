package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/report"
	"github.com/nettplay/nettplay/internal/ui/screen"
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

// show plays the recording and writes what is wanted of it.
func (o *replaying) show(ctx context.Context, cfg player.Config) error {
	if o.first > 0 && o.first >= o.log.Length() {
		return usagef("--from %s is behind the end of the recording, which has %s (%s)", o.replay.from, phrase.Count(o.log.Length(), "frame"), clockTime(o.log.Length()))
	}
	pictures, err := o.pictures(ctx)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	pictures.failed = stop
	cfg.Show, cfg.EndAtEnd, cfg.StopAtDifference = pictures.show, true, o.replay.verify
	if o.first > 0 { // they make places in the middle quick to reach
		cfg.Keyframes = replay.KeyframesIn(replay.KeyframeFolder(), o.log, cfg.Core.SHA256)
	}
	if cfg.TestTweak, err = testOptions(o.console.say); err != nil {
		return err
	}
	if o.play.frames > 0 {
		cfg.End = o.first + o.play.frames
	}
	if !o.replay.verify && o.out.video == "" {
		o.console.say("Playing without pictures; the window shows recordings, --video makes a film. Ctrl-C ends it.")
	}
	var p *player.Player
	cfg.Notify = o.console.seldom(func() string { return o.progress(p.Status()) })
	if p, err = player.New(cfg); err != nil {
		return coreError(err)
	}
	times, _ := o.times()
	p.Speed(times)
	if o.first > 0 {
		p.SeekTo(o.first)
	}
	began := time.Now()
	runErr := p.Run(ctx)
	writeErr := pictures.close(runErr == nil && p.Status().AtEnd)
	o.console.draw("")
	if runErr != nil {
		return coreError(fmt.Errorf("playing the recording: %w", runErr))
	}
	if writeErr != nil {
		return writeErr
	}
	if film := pictures.film; film != nil {
		o.console.say("Wrote %s.", strings.Join(film.Files(), " and "))
	}
	if o.out.screenshot != "" {
		if err := pictures.screenshot(o.out.screenshot); err != nil {
			return err
		}
		o.console.say("Wrote %s.", o.out.screenshot)
	}
	return o.conclude(p.Status(), time.Since(began))
}

// conclude says how the replay ended, with its exit code.
func (o *replaying) conclude(s player.Status, took time.Duration) error {
	if s.Difference != nil {
		e := &exitError{
			code: exitDesync, err: fmt.Errorf("the replay differs: %w", s.Difference),
			hint: "Verify it again. If it differs at the same frame, please report it: \"nettplay replay --report FILE\" packs all that is needed.",
		}
		if o.force {
			e.hint = "The recording was made with another core, so this may be no fault."
		}
		return e
	}
	if !s.AtEnd {
		o.console.say("Stopped after %s (%s).", phrase.Count(s.Frame, "frame"), clockTime(s.Frame))
		return nil
	}
	if !o.replay.verify {
		o.console.say("The replay is over after %s.", phrase.Count(s.Frame, "frame"))
		return nil
	}
	o.console.say("Verified: %s of %d consoles in %.1f s, %d hashes, all as recorded.",
		phrase.Count(s.Frame, "frame"), len(o.log.Seats), took.Seconds(), s.Proofs)
	if s.Proofs == 0 {
		o.console.say("(The recording is so short that there was nothing to compare.)")
	}
	return nil
}

// progress says how far a replay is.
func (o *replaying) progress(s player.Status) string {
	word := "Playing"
	switch {
	case s.Seeking:
		word = "Going to " + clockTime(s.Target)
	case o.replay.verify:
		word = "Verifying"
	case o.out.video != "":
		word = "Filming"
	}
	note := ""
	if s.Difference != nil {
		note = ", differs from the recording"
	}
	return fmt.Sprintf("%s: %s of %s (frame %d)%s", word, clockTime(s.Frame), clockTime(s.Length), s.Frame, note)
}

// packReport packs the recording and what else a bug report needs.
func (o *replaying) packReport(ctx context.Context) error {
	settings, err := o.readSettings()
	if err != nil {
		return err
	}
	report := report.Recording{Log: o.log, Settings: settings.Show(), Program: version}
	for _, c := range launch.Cores(ctx, settings.Core) {
		report.Cores = append(report.Cores, room.CoreID{Name: c.Name, Version: c.Version, SHA256: c.SHA256})
	}
	if err := report.Write(o.out.report); err != nil {
		return err
	}
	_, err = fmt.Fprintf(o.env.stdout, "%s has the recording (with the players' names, their consoles' settings and saves), your\nsettings without passwords, and versions. It has no game and no core.\n", o.out.report)
	return err
}

// times is the speed.
func (o *replaying) times() (float64, error) {
	if o.replay.verify || o.out.video != "" || o.play.speed == "max" {
		return player.NoLimit, nil
	}
	times, err := strconv.ParseFloat(o.play.speed, 64)
	if err != nil || !(times >= player.SlowestSpeed && times <= player.FastestSpeed) {
		return 0, usagef("--speed is %q, but must be 0.25 to 8, or max", o.play.speed)
	}
	return times, nil
}

// parseFrame reads a frame number, or a time of the game.
func parseFrame(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err == nil && n >= 0 {
		return n, nil
	}
	wrong := usagef("--from is %q, but must be a frame or a time, such as 7200, 90s or 1:02:30", text)
	var at time.Duration
	if parts := strings.Split(text, ":"); len(parts) == 2 || len(parts) == 3 {
		for _, p := range parts {
			n, err := strconv.ParseUint(p, 10, 16)
			if err != nil {
				return 0, wrong
			}
			at = at*60 + time.Duration(n)*time.Second
		}
	} else if at, err = time.ParseDuration(text); err != nil || at < 0 {
		return 0, wrong
	}
	return int64(at.Seconds() * ds.FrameRate), nil
}

// clockTime returns the duration of frames, as people read it.
func clockTime(frames int64) string {
	return screen.Minutes(ds.FrameTime(frames).Round(time.Second))
}
