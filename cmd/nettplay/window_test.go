package main

import (
	"fmt"
	"io"
	"strings"
	"testing"
)

func TestWantsWindow(t *testing.T) {
	for call, want := range map[string]bool{
		"": true, "host game.nds": true, "watch 10.0.0.1": true, "watch 10.0.0.1 --headless": false, "join 10.0.0.1 --password x": true, "host --headless game.nds": false,
		"join -headless 10.0.0.1": false, "host --help": false, "cores": false, "demo": false,
		"--log debug": true, "window --log debug": true, "--help": false,
		"game.nplog": true, "file:///home/a/b.NPLOG": true, "x.npmoment": true, "x.nds": true, "notes.txt": false,
		"--log debug window": true, "--fullscreen window": true, "--log=debug host game.nds": true, "--log debug host --headless game.nds": false,
		"--log debug cores": false, "--config a.toml config show": false, "--log debug nettplay://join/1abc": true, "--headless join 10.0.0.1": false,
		"--log debug game.nds": true, "--log window": true,
		"nettplay://join/1abc": true, "nettplay://join/1abc --headless": false, "https://relay.example.org/join#1abc": true, "window --help": false,
	} { // a link is opened by the desktop
		if got := wantsWindow(strings.Fields(call)); got != want {
			t.Errorf("nettplay %s: a window: %v, want %v", call, got, want)
		}
	}
}

// Flags before a command are that command's, with their values. A link alone, as a desktop opens one, is for the window,
// which asks; with flags, or where there is no window, it is joined.
func TestFlagsBeforeCommand(t *testing.T) {
	t.Setenv("DISPLAY", ":0")
	for call, want := range map[string]string{
		"--log debug window":                        "window --log debug",
		"--fullscreen window a.nds":                 "window --fullscreen a.nds",
		"-v --password window host a.nds --delay 3": "host -v --password window a.nds --delay 3",
		"--open host a.nds":                         "host --open a.nds",
		"--frames=9 --name Ann join 10.0.0.1":       "join --frames=9 --name Ann 10.0.0.1",
		"--log debug nettplay://join/1abc":          "join nettplay://join/1abc --log debug",
		"--log debug":                               "window --log debug",
		"--log":                                     "window --log",
		"--log debug a.nds":                         "window --log debug a.nds",
		"--log debug help":                          "help --log debug",
		"--bogus window":                            "window --bogus",
		"host window":                               "host window",
		"--version":                                 "version",
		"nettplay://join/1abc":                      "window nettplay://join/1abc",
		"https://relay.example.org/join#1abc":       "window https://relay.example.org/join#1abc",
		"nettplay://join/1abc --headless":           "join nettplay://join/1abc --headless",
		"join nettplay://join/1abc":                 "join nettplay://join/1abc",
	} {
		if got := strings.Join(completed(strings.Fields(call)), " "); got != want {
			t.Errorf("nettplay %s: taken as %q, want %q", call, got, want)
		}
	}
}

// Flags for the terminal, and a machine without a desktop, play in the terminal, and the
// player is told. The window refuses flags that it would forget.
func TestInWindow(t *testing.T) {
	for _, tt := range []struct {
		args, display string
		window        bool
		words         string
	}{
		{"x.nds", ":0", true, ""},
		{"--players 3 --password x x.nds", ":0", true, ""},
		{"--headless x.nds", ":0", false, ""},
		{"--report r.json --port 1234 x.nds", ":0", false, "With --report the game plays in the terminal"},
		{"--port 1234 x.nds", ":0", false, "--port goes with --headless only"},
		{"--consoles 4 x.nds", ":0", true, ""},
		{"--consoles 5 x.nds", ":0", false, "room for 4 local players"},
		{"--port 1234 x.nds", "", false, "no desktop here"},
	} {
		for _, name := range []string{"WAYLAND_DISPLAY", "SDL_VIDEODRIVER"} {
			t.Setenv(name, "")
		}
		t.Setenv("DISPLAY", tt.display)
		var out strings.Builder
		env := &environment{stdout: io.Discard, stderr: &out}
		c := called(t, env, hostCommand(), tt.args)
		window, err := c.inWindow()
		if err != nil {
			fmt.Fprint(&out, err)
		}
		if window != tt.window || !strings.Contains(out.String(), tt.words) || tt.words == "" && out.Len() > 0 {
			t.Errorf("%+v: a window: %v, %q", tt, window, &out)
		}
	}
}
