package main

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/ui/app"
)

// What a room allows comes from the settings, and flags go over them, in a terminal and in
// the window.
func TestTermsOfARoom(t *testing.T) {
	type terms struct {
		late              bool
		spectators, delay int
	}
	for args, want := range map[string]terms{
		"x.nds":                {true, 9, 30},
		"--no-late-join x.nds": {false, 9, 30},
		"--spectators 0 --spectate-delay 0 x.nds": {true, 0, 0},
	} {
		o := playFlags(&environment{stdout: io.Discard, stderr: io.Discard}, hostCommand(), hostRole)
		if _, err := parse(o.flags, strings.Fields(args)); err != nil {
			t.Fatal(err)
		}
		cfg := config.Defaults()
		cfg.Room.Spectators, cfg.Room.SpectateDelay = 9, 30*time.Second
		form := app.HostForm{LateJoin: true, Spectators: 9, SpectateDelay: 30 * time.Second}
		o.form(&form)
		o.override(&cfg)
		role, err := o.room(cfg)
		if err != nil {
			t.Fatal(err)
		}
		if got := (terms{!role.Settings.NoLateJoin, role.Settings.Spectators, role.Settings.SpectateDelay}); got != want {
			t.Errorf("%s: %+v, want %+v", args, got, want)
		}
		if got := (terms{form.LateJoin, form.Spectators, int(form.SpectateDelay.Seconds())}); got != want {
			t.Errorf("%s in the window: %+v, want %+v", args, got, want)
		}
	}
}
