package main

import (
	"strconv"
	"strings"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/ui/screen"
)

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
