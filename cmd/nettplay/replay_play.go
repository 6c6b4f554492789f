package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/replay"
)

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
