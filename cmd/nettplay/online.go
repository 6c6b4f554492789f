package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/online"
	"github.com/nettplay/nettplay/internal/roms"
	"github.com/nettplay/nettplay/internal/session"
	"github.com/nettplay/nettplay/internal/session/notice"
)

func onlineCommand() command {
	return command{
		name: "online", uses: onFind, takes: "no argument", summary: "list the rooms that are open to all, and friends",
		help: `Open rooms are those that their hosts list at a relay that you use too
(net.relays of the settings, or --relay). For each you see why you cannot join
it, or the ping to its host. Join one by its invitation. Friends are shown if
net.friends of the settings says so, on both machines.

Example: nettplay online --relay relay.example.org`,
		run: func(ctx context.Context, c *call) error { return c.online(ctx) },
	}
}

func matchCommand() command {
	return command{
		name: "match", uses: onHost, args: "ROM", takes: "one ROM", least: 1, most: 1,
		summary: "join the nearest open room of a game, or open one",
		help: `Of the open rooms at your relays it joins the one with the shortest ping that
plays this game on a core that you have, without a password, with enough free
seats. If that one does not let you in, it tries the next, three at most. If
there is none, it opens a room that everybody sees. It plays in the terminal.

Example: nettplay match "Mario Kart.nds"`,
		check: func(c *call) error {
			if c.room.moment != "" {
				return usagef("--continue is for \"nettplay host\"")
			}
			c.room.listed = true
			if err := c.set.Set("open", "true"); err != nil {
				return err
			}
			return checkHost(c)
		},
		run: func(ctx context.Context, c *call) error {
			c.play.headless = true // the window has a button for it
			return c.match(ctx)
		},
	}
}

// firstLook is the time that the relays have to tell of all that they know.
const firstLook = 5 * time.Second

// search looks for rooms with a core until show says that it is enough or ctx ends.
func (c *call) search(ctx context.Context, m launch.Machine, show func(online.View) (enough bool)) error {
	games, err := m.Library.List(ctx)
	if err != nil {
		return err
	}
	has := map[[32]byte]bool{}
	may := map[string]bool{}
	for _, g := range games {
		if g.Unread() { // in an archive: goes by its title until it is played
			may[roms.Title(g)] = true
			continue
		}
		has[g.SHA256] = true
	}
	for _, path := range c.args {
		if rom, err := openROM(path); err == nil {
			has[rom.SHA256] = true
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cfg := m.Online(append(launch.Cores(ctx, m.Settings.Core), m.Core))
	cfg.Browse, cfg.Have = true, func(rom [32]byte, title string) bool { return has[rom] || may[title] }
	cfg.Tell = func(v online.View) {
		if show(v) {
			cancel()
		}
	}
	s, err := online.New(cfg)
	if err != nil {
		return usageError(err)
	}
	return s.Run(ctx)
}

// allTold reports whether a view has what all relays know.
func allTold(v online.View) bool {
	return !slices.ContainsFunc(v.Relays, func(r online.Relay) bool { return !r.Told })
}

// look returns what is known after at most firstLook, or sooner if all relays have told.
func (c *call) look(ctx context.Context, m launch.Machine) (v online.View, err error) {
	ctx, cancel := context.WithTimeout(ctx, firstLook)
	defer cancel()
	err = c.search(ctx, m, func(now online.View) bool {
		v = now
		return allTold(v)
	})
	return v, err
}

func (c *call) online(ctx context.Context) error {
	settings, err := c.givenSettings(c.readSettings())
	if err != nil {
		return err
	}
	core, err := launch.FindCore(ctx, settings.Core)
	if err != nil {
		core = emucore.Core{} // rooms can be looked at all the same
	}
	m, err := c.machineWith(settings, core)
	if err != nil {
		return err
	}
	if c.follow {
		var written online.View
		return c.search(ctx, m, func(v online.View) bool {
			if now := withoutPings(v); allTold(v) && !reflect.DeepEqual(now, written) {
				written = now
				c.showOnline(v)
			}
			return false
		})
	}
	v, err := c.look(ctx, m)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(v.Relays, func(r online.Relay) bool { return r.Told }) {
		return &exitError{code: exitLost, err: silentRelays(v)}
	}
	return c.showOnline(v)
}

// withoutPings is a view without what changes all the time.
func withoutPings(v online.View) online.View {
	v.Relays, v.Rooms = nil, slices.Clone(v.Rooms)
	for i := range v.Rooms {
		v.Rooms[i].Ping = 0
	}
	slices.SortFunc(v.Rooms, func(a, b online.Room) int { return slices.Compare(a.Key[:], b.Key[:]) })
	return v
}

func silentRelays(v online.View) error {
	for _, r := range v.Relays {
		if r.Held {
			return fmt.Errorf("the relay %s does not tell of open rooms: it may be an older one", r.Name)
		}
	}
	return errors.New("no relay answers")
}

func (c *call) showOnline(v online.View) error {
	if c.asJSON {
		return json.NewEncoder(c.env.stdout).Encode(v)
	}
	return writeOnline(c.env.stdout, v)
}

// writeOnline writes what is known, for people: a table of rooms and one of friends, with each one's invitation
// below its row.
func writeOnline(w io.Writer, v online.View) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.StripEscape)
	if len(v.Rooms) == 0 {
		fmt.Fprintln(t, "No room is open.")
	}
	for _, r := range v.Rooms {
		fmt.Fprintf(t, "%s\t%s\t%d of %d free\t%s\t%s%s\n", r.Room, r.Game, r.Free, r.Seats, pingWords(r.Ping), roomWords(r), below(r.Invite))
	}
	t.Flush() // the tables have columns of their own
	for _, f := range v.Friends {
		fmt.Fprintf(t, "%s\t%s%s\n", f.Nickname, friendWords(f), below(f.Invite))
	}
	return t.Flush()
}

// below is an invitation on a line below its row, which is escaped so that it does not end the table.
func below(invite string) string {
	if invite == "" {
		return ""
	}
	return "\xff\n  " + invite + "\xff"
}

func pingWords(ping time.Duration) string {
	if ping == 0 {
		return "ping unknown"
	}
	return fmt.Sprintf("about %d ms", max(1, ping.Milliseconds()))
}

func roomWords(r online.Room) string {
	switch {
	case r.Mine:
		return "yours"
	case r.Why != "":
		return r.Why
	case r.Locked:
		return "asks for a password"
	case r.Playing:
		return "plays, you can join late"
	}
	return "in the lobby"
}

func friendWords(f online.Friend) string {
	switch {
	case f.State == online.Away:
		return "not there"
	case f.State == online.There || f.Game == "":
		return "there"
	case f.State == online.InLobby:
		return "in a room for " + f.Game
	}
	return "plays " + f.Game
}

// match joins the best open room, or opens one.
func (c *call) match(ctx context.Context) error {
	settings, err := c.playerSettings()
	if err != nil {
		return err
	}
	rom, err := openROM(c.args[0])
	if err != nil {
		return err
	}
	m, err := c.machine(ctx, settings)
	if err != nil {
		return err
	}
	v, err := c.look(ctx, m)
	if err != nil {
		return err
	}
	candidates := online.Candidates(v.Rooms, rom.SHA256, c.play.consoles)
	rooms := online.Matches(ctx, candidates, m.Settings.Net.Relays, m.Settings.Net.Bind)
	switch {
	case ctx.Err() != nil || len(rooms) > 0:
	case len(candidates) == 1:
		c.console.say("%s does not answer.", candidates[0].Room)
	case len(candidates) > 1:
		c.console.say("%d open rooms play this game, and none of them answers.", len(candidates))
	}
	entered, err := matchRooms(rooms, len(candidates) > 0, c.console.say, func(r online.Room) (bool, error) {
		return c.enter(ctx, rom, r)
	})
	if entered || err != nil || ctx.Err() != nil {
		return err
	}
	return c.playHere(ctx, c.host, session.Run)
}

// matchRooms tries rooms one after the other until one lets the player in, and says each step. Without an error and
// without having entered one the player may open one. There may have been some that did not answer.
func matchRooms(rooms []online.Room, some bool, say func(string, ...any), try func(online.Room) (entered bool, err error)) (entered bool, err error) {
	for _, r := range rooms {
		say("Joining %s.", r.Room)
		if entered, err = try(r); entered || err == nil || !launch.NextRoom(err) {
			return entered || err == nil, err
		}
		say("%s cannot be joined: %v.", r.Room, err)
	}
	if some {
		say("No other open room plays this game now: opening one.")
	} else {
		say("No open room plays this game now: opening one.")
	}
	return false, nil
}

// enter plays in an open room, unless it does not let the player in.
func (c *call) enter(ctx context.Context, rom *emucore.ROM, r online.Room) (entered bool, err error) {
	c.console.matching = true
	defer func() { c.console.matching = false }()
	err = c.playHere(ctx, func(settings config.Config, p *launch.Play) error {
		p.Join = &launch.Join{Address: r.Invite}
		p.LocalPlayers = launch.RoomNames(settings.Player, c.play.consoles)
		p.ROM = rom
		return nil
	}, func(ctx context.Context, cfg session.Config) (report notice.Report, err error) {
		report, entered, err = launch.Enter(ctx, cfg)
		return report, err
	})
	return entered, err
}
