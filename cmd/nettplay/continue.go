package main

import (
	"context"
	"errors"

	"github.com/nettplay/nettplay/internal/launch"
)

// checkHost refuses flags of host that do not go together, and a host without a game.
func checkHost(c *call) error {
	switch {
	case len(c.args) == 0 && c.room.moment == "":
		return usagef("it takes one ROM, but got none")
	case c.room.moment == "" && len(c.room.open) > 0:
		return usagef("--open-seat is for --continue: any other room has no player's place")
	}
	return checkPlay(c)
}

// goesOn puts the kept moment of the flags, if there is one, into a start. The machine has its
// core then.
func (c *call) goesOn(ctx context.Context, m launch.Machine, p *launch.Play) (launch.Machine, error) {
	if p.Host == nil || c.room.moment == "" {
		return m, nil
	}
	goesOn, err := m.Continue(ctx, c.room.moment, p.ROM, c.room.open)
	stranger, unknown := errors.AsType[*launch.StrangerError](err)
	switch {
	case unknown:
		return m, usageError(errors.New(stranger.Error() + ": take the nickname you had with --name, or the place of somebody who does not come with --open-seat"))
	case err != nil:
		return m, coreError(err)
	}
	m.Core, p.ROM, p.LocalPlayers = goesOn.Core, goesOn.ROM, goesOn.LocalPlayers
	p.Host.Players, p.Host.Continue = goesOn.Players, goesOn
	return m, nil
}
