package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/session"
	"github.com/nettplay/nettplay/internal/ui/app"
)

// seeing are the flags of watch.
type seeing struct {
	options
	roms []string
}

func watchCommand() command {
	c := command{
		name: "watch", args: "ADDRESS", summary: "watch somebody's room, without playing",
		help: `ADDRESS is the game host's, as for join. You see every console of the game, some
seconds later (the game host says how many), and nobody ever waits for you. You
need the same build of the core, and the games of all players, which are looked
for in your ROM folders. Every console is computed on your machine, and compared
with the players': exit code 4 says that it was not the same. Without a window
there are no pictures.

Example: nettplay watch 203.0.113.7`,
	}
	c.run = func(ctx context.Context, env *environment, args []string) error {
		o := watchFlags(env, c)
		rest, err := parse(o.flags, args)
		if err != nil {
			return err
		}
		if len(rest) != 1 {
			return usagef("it takes one address, but got %s", listed(rest))
		}
		if err := o.checkWatch(); err != nil {
			return err
		}
		if window, err := o.inWindow(env); err != nil || window {
			if err == nil {
				err = openWindow(ctx, o.config, app.WatchAddress(address(rest[0]), o.password))
			}
			return err
		}
		cfg, err := o.watchSession(ctx, env, rest[0])
		if err != nil {
			return o.abandon(err)
		}
		return o.watch(ctx, cfg)
	}
	return c
}

func watchFlags(env *environment, c command) *seeing {
	o := &seeing{options: options{flags: flagSet(env, c), consoles: 1}}
	f := o.flags
	f.StringVar(&o.config, "config", "", "the settings, a `file` other than the usual one")
	f.StringVar(&o.core, "core", "", "the core, by `path or name` (see \"nettplay cores\")")
	f.StringVar(&o.name, "name", "", "your `nickname`, up to 10 characters")
	f.StringVar(&o.password, "password", "", "the room's `password`")
	f.IntVar(&o.port, "port", 0, "UDP `port` to send from (default: any)")
	f.Int64Var(&o.frames, "frames", 0, "end after `N` frames of the game (default: all)")
	f.StringVar(&o.report, "report", "", "write a report as JSON to `file`, whatever happens")
	f.Func("rom", "a game that is played, a `file`; may be given several times (default: found in your ROM folders)", func(path string) error {
		o.roms = append(o.roms, path)
		return nil
	})
	f.BoolVar(&o.headless, "headless", false, "watch without a window, and without pictures")
	f.BoolVar(&o.verbose, "v", false, "say more")
	return o
}

func (o *seeing) checkWatch() error {
	switch {
	case o.port < 0 || o.port > 65535:
		return usagef("--port is %d, but must be 0 to 65535", o.port)
	case o.frames < 0:
		return usagef("--frames is %d, but must not be negative", o.frames)
	}
	return checkOutput("report", o.report)
}

// watchSession is what there is to watch with.
func (o *seeing) watchSession(ctx context.Context, env *environment, addr string) (cfg session.WatchConfig, err error) {
	settings, err := o.read()
	if err != nil {
		return cfg, err
	}
	o.override(&settings)
	if err := settings.Validate(); err != nil {
		return cfg, usageError{err}
	}
	core, err := findCore(ctx, settings.Core)
	if err != nil {
		return cfg, err
	}
	folders, err := config.ExpandAll(settings.ROMs.Folders)
	if err != nil {
		return cfg, err
	}
	o.console = newConsole(env, o.verbose)
	cfg = session.WatchConfig{
		Addr: address(addr), Nickname: settings.Player.Nickname, Password: o.password, Version: version, Core: core,
		Library: emucore.NewLibrary(folders), Frames: o.frames, Once: true, Notify: o.console.notice,
	}
	if cfg.TestTweak, err = testOptions(o.console.say); err != nil {
		return cfg, err
	}
	for _, path := range o.roms {
		rom, err := openROM(path)
		if err != nil {
			return cfg, err
		}
		cfg.ROMs = append(cfg.ROMs, rom)
	}
	cfg.Link, err = link.Listen(link.Config{Port: o.port, Bind: settings.Net.Bind, Silence: settings.Net.Silence})
	if err != nil {
		return cfg, &exitError{code: exitLost, err: err}
	}
	return cfg, nil
}

// watch watches, and says how far it is.
func (o *seeing) watch(ctx context.Context, cfg session.WatchConfig) error {
	var player *session.Player
	var drawn time.Time
	cfg.Watched = func(p *session.Player) { player = p }
	cfg.Told = func() { // on the same goroutine as Watched
		if time.Since(drawn) >= 100*time.Millisecond {
			drawn = time.Now()
			o.console.draw(watchLine(player.Status()))
		}
	}
	report, err := session.Watch(ctx, cfg)
	o.console.draw("")
	if report.Frames > 0 {
		o.console.say("You have seen %s (%s).", count(report.Frames, "frame"), clockTime(report.Frames))
	}
	var failed error
	if o.report != "" {
		failed = writeReport(o.report, report)
	}
	if err != nil {
		return errors.Join(asExit(err), failed)
	}
	return failed
}

// watchLine is how somebody's watching stands.
func watchLine(s session.PlayerStatus) string {
	word := "Watching"
	switch behind := s.Length - s.Frame; {
	case s.Loading:
		word = "Building the consoles"
	case s.Live && behind > 120:
		word = fmt.Sprintf("Catching up (%s behind)", clockTime(behind))
	}
	return fmt.Sprintf("%s: %s (frame %d)", word, clockTime(s.Frame), s.Frame)
}
