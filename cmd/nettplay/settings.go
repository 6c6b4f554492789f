package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/launch"
)

// settingsPath is the settings file.
func (c *call) settingsPath() (string, error) {
	if c.settings != "" {
		return c.settings, nil
	}
	return config.Path()
}

// readSettings reads the settings, or takes the defaults where there is no file. Of a file with mistakes
// all else counts, and the player is told what does not.
func (c *call) readSettings() (config.Config, error) {
	path, err := c.settingsPath()
	if err != nil {
		return config.Config{}, err
	}
	cfg, err := config.Load(path)
	c.console.speak(cfg.Video.Language)
	mistakes, read := errors.AsType[*config.Error](err)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case read && !c.mistakesTold:
		c.mistakesTold = true
		c.console.say("%v\n%s", mistakes, settingsAdvice(len(mistakes.Problems)))
	case err != nil && !read:
		return cfg, usageError(err)
	}
	return cfg, nil
}

// settingsAdvice says what mistakes in the settings' file mean.
func settingsAdvice(mistakes int) string {
	if mistakes == 1 {
		return "This line of the settings does not count; all others do."
	}
	return "These lines of the settings do not count; all others do."
}

// givenSettings are the settings under the flags, if those could be read.
func (c *call) givenSettings(cfg config.Config, err error) (config.Config, error) {
	if err != nil {
		return cfg, err
	}
	if c.room.rtc != "" {
		if cfg.Room.RTC, err = config.ParseRTC(c.room.rtc); err != nil {
			return cfg, usagef("--rtc: %w", err)
		}
	}
	c.override(&cfg)
	if err := cfg.Validate(); err != nil {
		return cfg, usageError(err)
	}
	return cfg, nil
}

// playerSettings are the settings of somebody who plays: their console has an address.
// The first start writes the settings file, and says where it is.
func (c *call) playerSettings() (config.Config, error) {
	cfg, err := c.readSettings()
	if err != nil {
		return cfg, err
	}
	path, err := c.settingsPath()
	if err != nil {
		return cfg, err
	}
	_, err = os.Stat(path)
	first := errors.Is(err, fs.ErrNotExist)
	switch err := launch.KeepAddress(path, &cfg); {
	case err != nil:
		c.console.say("%s Your console has another one this time, and some games refuse their saves then.", sentence(err.Error()))
	case first:
		c.console.say("Your settings are in %s: nickname, ROM folders and more.", path)
	}
	return c.givenSettings(cfg, nil)
}

// override puts the flags that were given over the settings.
func (c *call) override(cfg *config.Config) {
	for name, put := range map[string]func(){
		"name":           func() { cfg.Player.Nickname = c.name },
		"core":           func() { cfg.Core.Name = c.core },
		"delay":          func() { cfg.Room.Delay = c.room.delay },
		"no-late-join":   func() { cfg.Room.LateJoin = !c.room.noLateJoin },
		"keep-consoles":  func() { cfg.Room.KeepConsoles = c.room.keeps },
		"sync":           func() { cfg.Room.Sync = c.room.sync },
		"own-delay":      func() { cfg.Net.OwnDelay = c.play.ownDelay },
		"spectators":     func() { cfg.Room.Spectators = c.room.spectators },
		"open":           func() { cfg.Room.Open = c.room.listed },
		"relay":          func() { cfg.Net.Relays = c.room.relays },
		"help-friends":   func() { cfg.Net.HelpFriends = c.room.helps },
		"spectate-delay": func() { cfg.Room.SpectateDelay = time.Duration(c.room.spectateDelay) * time.Second },
	} {
		if c.given(name) {
			put()
		}
	}
	switch { // of both, the rule counts, and the number is for a start without a ping
	case c.given("auto-delay"):
		cfg.Room.AutoDelay = c.room.autoDelay
	case c.given("delay"):
		cfg.Room.AutoDelay = config.AutoDelays()[0]
	}
	if n := max(c.room.players, c.room.seats); n > 0 { // a number on the command line is meant
		cfg.Room.Seats = max(n, room.MinSeats)
	}
}

// machine is this machine under some settings.
func (c *call) machine(ctx context.Context, settings config.Config) (launch.Machine, error) {
	if c.roomsCore.Path != "" {
		return c.machineWith(settings, c.roomsCore)
	}
	core, err := launch.FindCore(ctx, settings.Core)
	if err != nil {
		return launch.Machine{}, coreError(err)
	}
	return c.machineWith(settings, core)
}

// machineWith is a machine with a core, which may be none.
func (c *call) machineWith(settings config.Config, core emucore.Core) (launch.Machine, error) {
	m, err := launch.NewMachine(settings, core, version, "nettplay "+c.command.name)
	m.Checking, m.AnyCore = c.console.checking, c.play.anyCore
	return m, err
}
