package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/session"
)

func hostCommand() command {
	c := command{
		name: "host", args: "ROM", summary: "open a room, and play when the others are there",
		help: `The others type "nettplay join ADDRESS". The game starts when --players
players are there. Over the internet your router must forward the room's UDP
port to this machine.

Example: nettplay host --players 2 --delay 4 "Mario Kart.nds"`,
	}
	c.run = func(ctx context.Context, env *environment, args []string) error {
		o := playFlags(env, c, hostRole)
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
		if window, err := o.inWindow(env); err != nil || window {
			if err == nil {
				err = o.hostWindow(ctx, rest[0])
			}
			return err
		}
		cfg, err := o.hostSession(ctx, env, rest[0])
		if err != nil {
			return o.abandon(err)
		}
		if o.public {
			defer announced(&cfg)()
		}
		return o.play(ctx, env, cfg)
	}
	return c
}

// hostSession makes a session that opens a room.
func (o *options) hostSession(ctx context.Context, env *environment, path string) (session.Config, error) {
	cfg, settings, err := o.opening(ctx, env, path)
	if err != nil {
		return session.Config{}, err
	}
	if cfg.Others, err = o.beside(cfg.Firmware); err != nil {
		return session.Config{}, err
	}
	o.warnOfWireless(cfg.Core)
	o.public = settings.Room.Announce
	o.console.password = cfg.Host.Password != ""
	port := settings.Net.Port
	if given(o.flags)["port"] {
		port = o.port
	}
	cfg.Link, err = link.Listen(link.Config{Port: port, Bind: settings.Net.Bind, Silence: settings.Net.Silence})
	if errors.Is(err, link.ErrPortInUse) {
		return session.Config{}, &exitError{
			code: exitLost, err: fmt.Errorf("UDP port %d is in use: is another room open on this machine?", port),
			hint: "Choose another with --port; the others then join with that port.",
		}
	}
	if err != nil {
		return session.Config{}, &exitError{code: exitLost, err: err}
	}
	return cfg, nil
}

// opening is what a session begins with that opens a room, on a network or not: all but
// its link.
func (o *options) opening(ctx context.Context, env *environment, path string) (session.Config, config.Config, error) {
	settings, err := o.load()
	if err != nil {
		return session.Config{}, settings, err
	}
	rom, err := openROM(path)
	if err != nil {
		return session.Config{}, settings, err
	}
	cfg, err := o.base(ctx, env, settings)
	if err != nil {
		return session.Config{}, settings, err
	}
	cfg.ROM = rom
	cfg.Host, err = o.room(settings)
	return cfg, settings, err
}

// room is what the room is like.
func (o *options) room(cfg config.Config) (*session.HostRole, error) {
	rtc, err := o.clock(cfg)
	if err != nil {
		return nil, err
	}
	players := max(2, o.consoles)
	if o.players > 0 {
		players = o.players
	}
	name := cfg.Room.Name
	if name == "" {
		name = cfg.Player.Nickname + "'s room"
	}
	role := &session.HostRole{
		Password:  cfg.Room.Password,
		AutoStart: players,
		Wait:      max(o.wait, time.Millisecond),
		Settings: host.Settings{
			Room: name, Seats: max(cfg.Room.Seats, players), MinPlayers: players, Delay: cfg.Room.Delay, RTC: rtc,
			HashEvery: cfg.Room.HashEvery, Skew: cfg.Room.Skew, Frames: o.frames,
			Spectators: cfg.Room.Spectators, SpectateDelay: int(cfg.Room.SpectateDelay.Round(time.Second).Seconds()), NoLateJoin: !cfg.Room.LateJoin, KeepConsoles: cfg.Room.Keep,
		},
	}
	for key, value := range cfg.Core.Options {
		role.Settings.Options = append(role.Settings.Options, host.Option{Key: key, Value: value})
	}
	slices.SortFunc(role.Settings.Options, func(a, b host.Option) int {
		if a.Key < b.Key {
			return -1
		}
		return 1
	})
	return role, nil
}
