package main

import (
	"context"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/diagnostics"
	"github.com/nettplay/nettplay/internal/disk"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/session"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/app"
)

func hostCommand() command {
	return command{
		name: "host", uses: onHost, args: "ROM", takes: "one ROM", least: 0, most: 1,
		summary: "open a room, and play when the players are there",
		help: `Send the invitation that nettplay prints to your friends: they paste it into
nettplay, or type "nettplay join INVITATION". On your own network an address is
enough. The game starts when --players players are ready.

While the game runs, type "keep NAME" and Enter: all machines keep this moment.
"nettplay host --continue FILE" goes on there another day, with the same
players, whoever of them hosts.

"remove NAME" and Enter removes somebody, who may come again; "ban NAME" keeps
them out of this room, whoever hosts it, until you type "unban NAME".

Example: nettplay host --players 2 --delay 4 "Mario Kart.nds"`,
		check: checkHost,
		run: func(ctx context.Context, c *call) error {
			return c.playOrShow(ctx, func(ctx context.Context) error { return c.playHere(ctx, c.host, session.Run) }, func() error {
				if c.room.moment != "" {
					return c.openWindow(ctx, app.ContinueMoment(c.room.moment, c.room.password, c.override))
				}
				rom, err := openROM(c.args[0])
				if err != nil {
					return err
				}
				return c.openWindow(ctx, app.OpenGame(rom.Path, c.room.password, c.play.consoles, c.override))
			})
		},
	}
}

func joinCommand() command {
	return command{
		name: "join", uses: onJoin, args: "INVITATION", takes: "one invitation or address", least: 1, most: 1,
		summary: "join a room",
		help: `INVITATION is what the game host sent you. On the game host's own network its
address is enough: an IP address or name, with :PORT if the room's is not the
usual one. nettplay looks for the game host's game in your ROM folders;
--rom names the file, or another game, if the game host has that too.

Example: nettplay join 192.168.1.5 --rom "Mario Kart.nds"`,
		check: checkPlay,
		run: func(ctx context.Context, c *call) error {
			return c.playOrShow(ctx, c.joinHere, func() error {
				return c.openWindow(ctx, app.JoinAddress(launch.Address(c.args[0]), c.room.password, c.play.consoles))
			})
		},
	}
}

func localCommand() command {
	return command{
		name: "local", uses: onLocal, args: "ROM", takes: "one ROM", least: 1, most: 1,
		summary: "play alone here, with one console or more",
		help: `The consoles are in one room: with a core that has local wireless they find
each other. --input may be given once for each of them, in their order.

Example: nettplay local --consoles 2 --core melonds "Mario Kart.nds"`,
		check: checkPlay,
		run:   func(ctx context.Context, c *call) error { return c.playHere(ctx, c.solo, session.Run) },
	}
}

// playOrShow plays or watches in the terminal or shows the window, by the flags.
func (c *call) playOrShow(ctx context.Context, play func(context.Context) error, show func() error) error {
	window, err := c.inWindow()
	switch {
	case err != nil:
		return err
	case window:
		return show()
	}
	return play(ctx)
}

// passwordTries is the limit of a player's tries to type a room's password.
const passwordTries = 3

// joinHere joins in the terminal, and asks for the room's password if that is what is missing.
func (c *call) joinHere(ctx context.Context) error {
	err := c.playHere(ctx, c.join, session.Run)
	for range passwordTries {
		if !notice.AsksPassword(err) || c.env.hide == nil || ctx.Err() != nil {
			break
		}
		c.console.say("%s", sentence(err.Error()))
		password := c.console.askPassword(ctx)
		if password == "" {
			break
		}
		c.room.password = password
		err = c.playHere(ctx, c.join, session.Run)
	}
	return err
}

// A runner runs a session.
type runner func(context.Context, session.Config) (notice.Report, error)

// playHere plays in the terminal and leaves behind what was asked for, also after a
// failure. If the room to join plays on another core that is here too, it joins again with that; and if our room fell
// apart, it joins the other part of it.
func (c *call) playHere(ctx context.Context, choose chooser, run runner) error {
	for {
		again, err := c.playOnce(ctx, choose, run)
		back, apart := notice.WayBack(err)
		switch {
		case apart && ctx.Err() == nil:
			choose = c.backTo(back)
		case !again:
			return err
		}
	}
}

// backTo chooses the other part of a room that fell apart.
func (c *call) backTo(invitation string) chooser {
	return func(settings config.Config, p *launch.Play) (err error) {
		p.Join = &launch.Join{Address: launch.Address(invitation), Password: c.room.password}
		p.LocalPlayers = launch.RoomNames(settings.Player, c.play.consoles)
		rom := ""
		if n := len(c.play.roms); n > 0 {
			rom = c.play.roms[n-1]
		} else if c.command.name == "host" && len(c.args) > 0 {
			rom = c.args[0]
		}
		if rom != "" {
			p.ROM, err = openROM(rom)
		}
		return err
	}
}

// playOnce plays one session. again tells that the room plays on c.roomsCore.
func (c *call) playOnce(ctx context.Context, choose chooser, run runner) (again bool, err error) {
	s, closers, err := c.prepare(ctx, choose)
	defer closers.close()
	if err != nil {
		return false, c.abandon(err)
	}
	listening, unlisten := context.WithCancel(ctx)
	defer unlisten()
	if c.env.stdin != nil {
		o := orders{control: s.Config.Control, letIn: closers.inviter.LetIn}
		go c.console.listen(listening, o)
	}
	report, err := run(ctx, s.Config)
	unlisten()
	if c.takeRoomsCore(ctx, closers.machine, err) {
		c.finishRecording(s.Recorder)
		return true, closers.closeTrace()
	}
	c.console.over(report, err, ctx.Err() != nil)
	c.finishRecording(s.Recorder)
	return false, c.leaveBehind(closers, report, err)
}

// A chooser puts what a command is about into a start.
type chooser func(settings config.Config, p *launch.Play) error

// host, join and solo are the choosers.

func (c *call) host(settings config.Config, p *launch.Play) (err error) {
	p.Host = &launch.Host{Players: max(room.MinSeats, c.play.consoles, c.room.players), Password: c.room.password}
	p.LocalPlayers = launch.RoomNames(settings.Player, c.play.consoles)
	p.Port = settings.Net.Port
	if c.given("port") {
		p.Port = c.room.port
	}
	if len(c.args) > 0 {
		p.ROM, err = openROM(c.args[0])
	}
	return err
}

func (c *call) join(settings config.Config, p *launch.Play) (err error) {
	p.Join = &launch.Join{Address: launch.Address(c.args[0]), Password: c.room.password}
	p.LocalPlayers = launch.RoomNames(settings.Player, c.play.consoles)
	p.Port = c.room.port
	if n := len(c.play.roms); n > 0 {
		p.ROM, err = openROM(c.play.roms[n-1])
	}
	return err
}

func (c *call) solo(_ config.Config, p *launch.Play) (err error) {
	p.Solo = &launch.Solo{Consoles: c.play.consoles, Delay: c.room.delay}
	p.ROM, err = openROM(c.args[0])
	return err
}

// prepare makes the session that the flags and the settings ask for.
func (c *call) prepare(ctx context.Context, choose chooser) (s launch.Session, end *closers, err error) {
	meetings := launch.NewMeetings()
	end = &closers{ends: []func(){meetings.Close}}
	settings, err := c.playerSettings()
	if err != nil {
		return s, end, err
	}
	p := launch.Play{
		SaveFile: c.out.sram, Record: launch.Record{File: c.out.record, Off: c.out.noRecord},
		Frames: c.play.frames, Wait: max(c.room.wait, time.Millisecond), Once: true, SetAside: c.play.setAside,
		Cheats:      launch.Cheats{Names: c.room.cheats, Files: c.room.cheatIn},
		WithoutSave: c.play.withoutSave || c.env.stdin == nil, // nobody is there to answer
	}
	if err := choose(settings, &p); err != nil {
		return s, end, err
	}
	if p.Input, err = c.scripts(); err != nil {
		return s, end, err
	}
	m, err := c.machine(ctx, settings)
	if err != nil {
		return s, end, err
	}
	if m, err = c.goesOn(ctx, m, &p); err != nil {
		return s, end, err
	}
	if settings.Net.HelpFriends {
		m.Helping = c.console.help(settings.Net)
		end.ends = append(end.ends, m.Helping.Close)
		m.Helping.Settled(ctx) // the room's invitation may name it, and this machine knows the relay for its own
	}
	end.machine = m
	tweak, err := testOptions(c.console.say)
	if err != nil {
		return s, end, err
	}
	broken, err := fault()
	if err != nil {
		return s, end, err
	}
	if path := c.out.trace; path != "" {
		if end.trace, err = createRadioTrace(path); err != nil {
			return s, end, usagef("--trace: %w", err)
		}
	}
	if s, err = m.Play(ctx, p); err != nil {
		return s, end, startError(err)
	}
	cfg := &s.Config
	cfg.Control = session.NewControl()
	cfg.Depth = launch.Depth(m.Places, cfg.Core, c.play.rollback)
	cfg.MaxSpeed, cfg.Serial, cfg.Notify, cfg.TestTweak, cfg.TestConsole = c.play.speed == "max", c.play.serial, launch.Logged(c.log, c.events.Notified(meetings.Notified(cfg.Control.Tell, c.console.notice))), tweak, broken
	if end.trace != nil {
		cfg.Trace = end.trace.Take
	}
	if c.out.frameTimes != "" {
		end.times = new(diagnostics.FrameRecorder)
		cfg.Meter = end.times
	}
	end.inviter = m.Invite(cfg, c.console.invited)
	cfg.Notify = end.inviter.Notified(cfg.Notify)
	end.ends = append(end.ends, end.inviter.Close)
	if p.Solo == nil && settings.Room.Announce {
		end.ends = append(end.ends, launch.Announce(cfg, announceTo()...))
	}
	appearing, err := m.Appear(cfg, c.console.online())
	if err != nil {
		cfg.Link.Close()
		return s, end, usageError(err)
	}
	end.ends = append(end.ends, appearing.Close)
	c.console.local = p.Solo != nil
	c.warn(s, p)
	return s, end, nil
}

// warn says before a game what it will lack.
func (c *call) warn(s launch.Session, p launch.Play) {
	if s.NotRecorded != nil {
		c.console.say("The game is not recorded: %v.", s.NotRecorded)
	}
	if p.Host == nil || s.Config.Core.Wireless {
		return
	}
	path, _ := c.settingsPath()
	c.console.say("%s has no local wireless: the consoles do not find each other in games that\nplay over it. For those, get the core melonDS DS: type \"nettplay cores get\",\nand add --core melonds or set it in %s.", s.Config.Core.Name, path)
}

// scripts is the input of all consoles here: of those without a script nothing is pressed.
func (c *call) scripts() (launch.Input, error) {
	var scripts []*inputdelay.Script
	for _, path := range c.play.inputs {
		f, _, err := disk.Open(path)
		if err != nil {
			return nil, usagef("--input: %w", err)
		}
		script, err := inputdelay.ParseScript(f)
		f.Close()
		if err != nil {
			return nil, usagef("%s: %w", path, err)
		}
		scripts = append(scripts, script)
	}
	return func(console int, frame int64) inputdelay.Input {
		if console < len(scripts) {
			return scripts[console].At(frame)
		}
		return inputdelay.Input{}
	}, nil
}
