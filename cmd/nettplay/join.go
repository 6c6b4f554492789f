package main

import (
	"context"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/session"
)

func joinCommand() command {
	c := command{
		name: "join", args: "ADDRESS", summary: "join somebody's room",
		help: `ADDRESS is the game host's IP address or name, with :PORT if the room's is not
the usual one. The game host's game is looked for in your ROM folders; --rom
names the file, or another game, if the game host has that too.

Example: nettplay join 203.0.113.7 --rom "Mario Kart.nds"`,
	}
	c.run = func(ctx context.Context, env *environment, args []string) error {
		o := playFlags(env, c, joinRole)
		rest, err := parse(o.flags, args)
		if err != nil {
			return err
		}
		if len(rest) != 1 {
			return usagef("it takes one address, but got %s", listed(rest))
		}
		if err := o.check(); err != nil {
			return err
		}
		if window, err := o.inWindow(env); err != nil || window {
			if err == nil {
				err = o.joinWindow(ctx, rest[0])
			}
			return err
		}
		cfg, err := o.joinSession(ctx, env, rest[0])
		if err != nil {
			return o.abandon(err)
		}
		return o.play(ctx, env, cfg)
	}
	return c
}

// joinSession makes a session that joins a room.
func (o *options) joinSession(ctx context.Context, env *environment, addr string) (session.Config, error) {
	settings, err := o.load()
	if err != nil {
		return session.Config{}, err
	}
	cfg, err := o.base(ctx, env, settings)
	if err != nil {
		return session.Config{}, err
	}
	if o.rom != "" {
		if cfg.ROM, err = openROM(o.rom); err != nil {
			return session.Config{}, err
		}
	}
	if cfg.Others, err = o.beside(cfg.Firmware); err != nil {
		return session.Config{}, err
	}
	cfg.Join = &session.JoinRole{Addr: address(addr), Password: o.password, Wait: max(o.wait, time.Millisecond)}
	cfg.Link, err = link.Listen(link.Config{Port: o.port, Bind: settings.Net.Bind, Silence: settings.Net.Silence})
	if err != nil {
		return session.Config{}, &exitError{code: exitLost, err: err}
	}
	return cfg, nil
}
