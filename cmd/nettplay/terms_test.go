package main

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/config"
)

// What a room allows comes from the settings, and flags go over them: of the room in a
// terminal, and of the settings that the window's form is made of.
func TestTermsOfARoom(t *testing.T) {
	type terms struct {
		late, keep               bool
		spectators, delay, seats int
	}
	for args, want := range map[string]terms{
		"x.nds":                {true, false, 9, 30, 2},
		"--no-late-join x.nds": {false, false, 9, 30, 2},
		"--spectators 0 --spectate-delay 0 x.nds": {true, false, 0, 0, 2},
		"--players 3 x.nds":                       {true, false, 9, 30, 3},
		"--players 2 --seats 6 x.nds":             {true, false, 9, 30, 6},
		"--keep-consoles x.nds":                   {true, true, 9, 30, 2},
	} {
		o := playFlags(&environment{stdout: io.Discard, stderr: io.Discard}, hostCommand(), hostRole)
		if _, err := parse(o.flags, strings.Fields(args)); err != nil {
			t.Fatal(err)
		}
		cfg := config.Defaults()
		cfg.Room.Spectators, cfg.Room.SpectateDelay = 9, 30*time.Second
		o.override(&cfg)
		role, err := o.room(cfg)
		if err != nil {
			t.Fatal(err)
		}
		if got := (terms{!role.Settings.NoLateJoin, role.Settings.KeepConsoles, role.Settings.Spectators, role.Settings.SpectateDelay, role.Settings.Seats}); got != want {
			t.Errorf("%s: %+v, want %+v", args, got, want)
		}
		if got := (terms{cfg.Room.LateJoin, cfg.Room.Keep, cfg.Room.Spectators, int(cfg.Room.SpectateDelay.Seconds()), cfg.Room.Seats}); got != want {
			t.Errorf("%s in the window: %+v, want %+v", args, got, want)
		}
	}
}
