package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/corestore"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// takeRoomsCore takes the core of a room that did not let this player in for another core, for
// the next try: the very build, if it is here or the player gets it. It is false of other errors,
// and where that core cannot be had.
func (c *call) takeRoomsCore(ctx context.Context, m launch.Machine, err error) bool {
	core, found := m.RoomsCore(ctx, err)
	if found {
		c.console.say("%s", launch.RoomsCoreWords(core))
	} else if core, found = c.getRoomsCore(ctx, m, err); !found {
		return false
	}
	c.roomsCore = core
	return true
}

// getRoomsCore asks the player whether to get the core of such a room, where it is from a source of
// the player's settings.
func (c *call) getRoomsCore(ctx context.Context, m launch.Machine, refused error) (core emucore.Core, got bool) {
	f, ok := errors.AsType[*notice.Failure](refused)
	if !ok || f.Core == nil || !launch.KnowsSource(m.Settings.Core, *f.Core) || c.env.stdin == nil || m.Cores == nil {
		return core, false
	}
	c.console.say("%s Looking for that build at %s ...", sentence(f.Error()), f.Core.Source.Name)
	b, err := c.getBuild(ctx, m, f)
	switch {
	case errors.Is(err, errDeclined):
		return core, false
	case err != nil:
		c.console.say("%s", sentence(err.Error()))
		return core, false
	}
	c.console.say("%s is here now: joining again with it.", b.Label())
	return b.Core, true
}

// getBuild gets the very build that a room plays on, if the player says yes.
func (c *call) getBuild(ctx context.Context, m launch.Machine, f *notice.Failure) (b corestore.Build, err error) {
	client, err := corestore.NewClient(m.Settings.Core, m.Cores, version)
	if err != nil {
		return b, err
	}
	o, err := launch.RoomsOffer(ctx, client, *f.Core)
	if err != nil {
		return b, err
	}
	if o, err = client.Ask(ctx, o); err != nil {
		return b, err
	}
	if !c.console.ask(ctx, fmt.Sprintf("Get %s from %s (%s), and join again with it?", o.Label(), o.Host(), phrase.Megabytes(o.Size))) {
		return b, errDeclined
	}
	defer c.console.draw("")
	return client.Get(ctx, o, corestore.Want{SHA256: f.Core.SHA256}, c.console.getting)
}
