package main

import (
	"io"
	"strings"
	"testing"
)

func TestWantsWindow(t *testing.T) {
	for call, want := range map[string]bool{
		"": true, "host game.nds": true, "join 10.0.0.1 --password x": true, "host --headless game.nds": false,
		"join -headless 10.0.0.1": false, "host --help": false, "cores": false, "demo": false,
	} {
		if got := wantsWindow(strings.Fields(call)); got != want {
			t.Errorf("nettplay %s: a window: %v, want %v", call, got, want)
		}
	}
}

// TestWindowRefusesFlags: what only a game in the terminal does must not be
// silently forgotten by the window, nor a missing desktop by the player.
func TestWindowRefusesFlags(t *testing.T) {
	for _, name := range []string{"DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"} {
		t.Setenv(name, "")
	}
	for args, want := range map[string]string{
		"--report r.json x.nds": "--report goes with --headless only",
		"--input i.txt x.nds":   "--input goes with --headless only",
		"x.nds":                 "no desktop",
	} {
		o := playFlags(&environment{stdout: io.Discard, stderr: io.Discard}, hostCommand(), hostRole)
		rest, err := parse(o.flags, strings.Fields(args))
		if err != nil {
			t.Fatal(err)
		}
		for name, open := range map[string]error{"host": o.hostWindow(t.Context(), rest[0]), "join": o.joinWindow(t.Context(), rest[0])} {
			if open == nil || !strings.Contains(open.Error(), want) {
				t.Errorf("nettplay %s %s: error %v, want one with %q", name, args, open, want)
			}
		}
	}
}
