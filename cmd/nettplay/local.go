package main

import (
	"context"
	"fmt"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/session"
)

func localCommand() command {
	c := command{
		name: "local", args: "ROM", summary: "play on this machine alone, with one console or more",
		help: `The consoles are in one room: with a core that has local wireless they find
each other. --input may be given once for each of them, in their order.

Example: nettplay local --consoles 2 --core melonds "Mario Kart.nds"`,
	}
	c.run = func(ctx context.Context, env *environment, args []string) error {
		o := playFlags(env, c, localRole)
		rest, err := parse(o.flags, args)
		if err != nil {
			return err
		}
		if len(rest) != 1 {
			return usagef("it takes one ROM, but got %s", listed(rest))
		}
		if err := o.check(); err != nil {
			return err
		}
		cfg, err := o.localSession(ctx, env, rest[0])
		if err != nil {
			return o.abandon(err)
		}
		return o.play(ctx, env, cfg)
	}
	return c
}

// localSession makes a session without others.
func (o *options) localSession(ctx context.Context, env *environment, path string) (session.Config, error) {
	o.players = o.consoles
	cfg, _, err := o.opening(ctx, env, path)
	if err != nil {
		return session.Config{}, err
	}
	cfg.Host.Password = ""
	cfg.Host.Settings.Delay = o.delay // nobody is far away
	cfg.Host.Settings.Seats = max(cfg.Host.Settings.Seats, host.MinSeats)
	if cfg.Others, err = o.others(cfg.Firmware); err != nil {
		return session.Config{}, err
	}
	o.console.local = true
	// Nobody else is in this network.
	cfg.Link = link.NewMemory(0, link.Impairment{}).Listen("here")
	return cfg, nil
}

// beside are the players beside the first at a machine that plays with others, named
// after that one.
func (o *options) beside(mine ds.Firmware) ([]session.Local, error) {
	list, err := o.others(mine)
	for i := range list {
		list[i].Firmware.Nickname = config.NumberedNickname(mine.Nickname, i+2)
	}
	return list, err
}

// others are the consoles beside the player's own. Their addresses follow from
// its, so that the same command gives the same game.
func (o *options) others(mine ds.Firmware) ([]session.Local, error) {
	var list []session.Local
	for i := 1; i < o.consoles; i++ {
		input, err := o.source(i)
		if err != nil {
			return nil, err
		}
		f := mine
		f.Nickname = fmt.Sprintf("Player %d", i+1)
		f.MAC[5] += byte(i)
		list = append(list, session.Local{Firmware: f, Input: input})
	}
	return list, nil
}

// warnOfWireless says before a game for several that their consoles cannot talk
// to each other.
func (o *options) warnOfWireless(core emucore.Core) {
	if core.Wireless {
		return
	}
	o.console.say("%s has no local wireless: the consoles do not find each other in games that\nplay over it. For those, install the core melonDS DS, from RetroArch's Online\nUpdater (Core Downloader, \"Nintendo - DS (melonDS DS)\"), and add --core melonds\nor set it in %s.", core.Name, configName(o))
}

func configName(o *options) string {
	path, err := o.path()
	if err != nil {
		path, _ = config.Path()
	}
	return path
}
