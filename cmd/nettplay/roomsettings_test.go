package main

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// A room gets its settings from the file, and flags go over them: for a room in a terminal,
// and for the form of the window.
func TestRoomSettings(t *testing.T) {
	type rules struct {
		late, keep               bool
		spectators, delay, seats int
	}
	for args, want := range map[string]rules{
		"x.nds":                {true, false, 9, 30, 2},
		"--no-late-join x.nds": {false, false, 9, 30, 2},
		"--spectators 0 --spectate-delay 0 x.nds": {true, false, 0, 0, 2},
		"--players 3 x.nds":                       {true, false, 9, 30, 3},
		"--players 2 --seats 6 x.nds":             {true, false, 9, 30, 6},
		"--keep-consoles x.nds":                   {true, true, 9, 30, 2},
	} {
		c := called(t, &environment{stdout: io.Discard, stderr: io.Discard}, hostCommand(), args)
		cfg := config.Defaults()
		cfg.Room.Spectators, cfg.Room.SpectateDelay = 9, 30*time.Second
		cfg.Net.Bind = "127.0.0.1"
		c.override(&cfg)
		s, err := launch.Machine{Settings: cfg}.Play(t.Context(), launch.Play{Host: &launch.Host{Players: max(2, c.room.players)}})
		must.Succeed(t, err)
		s.Config.Link.Close()
		role := s.Config.Host
		if got := (rules{!role.Settings.NoLateJoin, role.Settings.KeepConsoles, role.Settings.Spectators, role.Settings.SpectateDelay, role.Settings.Seats}); got != want {
			t.Errorf("%s: %+v, want %+v", args, got, want)
		}
		if got := (rules{cfg.Room.LateJoin, cfg.Room.KeepConsoles, cfg.Room.Spectators, int(cfg.Room.SpectateDelay.Seconds()), cfg.Room.Seats}); got != want {
			t.Errorf("%s in the window: %+v, want %+v", args, got, want)
		}
	}
}

// called is a call of a command with some arguments.
func called(t *testing.T, env *environment, c command, args string) *call {
	t.Helper()
	made := &call{env: env, command: c, console: newConsole(env, false)}
	made.define(c)
	var err error
	if made.args, err = parse(made.set, strings.Fields(args)); err != nil {
		t.Fatal(err)
	}
	return made
}
