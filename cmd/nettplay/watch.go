package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/spectate"
	"github.com/nettplay/nettplay/internal/ui/app"
)

func watchCommand() command {
	return command{
		name: "watch", uses: onWatch, args: "ADDRESS", takes: "one address", least: 1, most: 1,
		summary: "watch a room as a spectator, without playing",
		help: `ADDRESS is the game host's, as for join. You see every console of the game, some
seconds later (the game host says how many), and nobody ever waits for you. You
need the same version of the core, and the games of all players; nettplay looks
for them in your ROM folders. Your machine computes every console and compares
it with the players': exit code 4 says that they were not the same. Without a
window there are no pictures.

Example: nettplay watch 203.0.113.7`,
		run: func(ctx context.Context, c *call) error {
			return c.playOrShow(ctx, c.watchHere, func() error {
				return c.openWindow(ctx, app.WatchAddress(launch.Address(c.args[0]), c.room.password))
			})
		},
	}
}

// watchHere watches in the terminal. If the room plays on another core that is here too, it watches
// with that.
func (c *call) watchHere(ctx context.Context) error {
	for {
		m, cfg, err := c.watchSession(ctx)
		if err != nil {
			return c.abandon(err)
		}
		report, err := c.watch(ctx, cfg)
		if !c.takeRoomsCore(ctx, m, err) {
			return c.watched(report, err)
		}
	}
}

// watchSession is the session of a spectator.
func (c *call) watchSession(ctx context.Context) (m launch.Machine, cfg spectate.WatchConfig, err error) {
	settings, err := c.givenSettings(c.readSettings())
	if err != nil {
		return m, cfg, err
	}
	m, err = c.machine(ctx, settings)
	if err != nil {
		return m, cfg, err
	}
	tweak, err := testOptions(c.console.say)
	if err != nil {
		return m, cfg, err
	}
	roms, err := openROMs(c.play.roms)
	if err != nil {
		return m, cfg, err
	}
	cfg, err = m.Watch(ctx, launch.Watch{
		Address: launch.Address(c.args[0]), Password: c.room.password, Port: c.room.port, ROMs: roms, Frames: c.play.frames, Once: true,
	})
	if err != nil {
		return m, cfg, startError(err)
	}
	cfg.Notify, cfg.TestTweak = launch.Logged(c.log, c.console.notice), tweak
	return m, cfg, nil
}

// watch runs the spectator's session, and says how far it is.
func (c *call) watch(ctx context.Context, cfg spectate.WatchConfig) (notice.Report, error) {
	var p *player.Player
	cfg.Watched = func(playing *player.Player) { p = playing }
	cfg.Told = c.console.seldom(func() string { return watchLine(p.Status()) }) // on the same goroutine as Watched
	report, err := spectate.Watch(ctx, cfg)
	c.console.draw("")
	return report, err
}

// watched says how it ended.
func (c *call) watched(report notice.Report, err error) error {
	if report.Frames > 0 {
		c.console.say("You have seen %s (%s).", phrase.Count(report.Frames, "frame"), clockTime(report.Frames))
	}
	var failed error
	if c.out.report != "" {
		failed = writeReport(c.out.report, report)
	}
	return errors.Join(sessionError(err), failed)
}

// watchLine says where a spectator is in the game.
func watchLine(s player.Status) string {
	word := "Watching"
	switch behind := s.Length - s.Frame; {
	case s.Loading:
		word = "Building the consoles"
	case s.Live && behind > 120:
		word = fmt.Sprintf("Catching up (%s behind)", clockTime(behind))
	}
	return fmt.Sprintf("%s: %s (frame %d)", word, clockTime(s.Frame), s.Frame)
}
