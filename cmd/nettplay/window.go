package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/ui/app"
)

// SDL wants the main thread, so go-sdl2 keeps it for the main goroutine in an init of its own. A command without a window is
// better off on any: each time that it is woken, Go would have to wake that one thread, too, which costs as much as half of a
// game's frame.
func init() {
	if args := os.Args[1:]; !wantsWindow(args) && (len(args) == 0 || args[0] != "doctor") { // which asks SDL for sound and controllers
		runtime.UnlockOSThread()
	}
}

// wantsWindow reports whether a call of the program opens a window.
func wantsWindow(args []string) bool {
	if args = completed(args); len(args) == 1 && args[0] == "window" {
		return true
	}
	if !slices.Contains([]string{"window", "host", "join", "watch"}, args[0]) {
		return false
	}
	return !slices.ContainsFunc(args[1:], func(arg string) bool {
		return slices.Contains([]string{"-headless", "--headless", "-h", "-help", "--help"}, arg)
	})
}

// completed gives a call that names no command the one it means: an invitation alone, as a desktop
// opens a link, is for the window, and is joined where there is none or flags go with it; a file, as a desktop opens one, and all else is for the window, but
// for the flags that ask for help and for the version. Flags may stand before the command.
func completed(args []string) []string {
	if i := leading(args); i > 0 && i < len(args) && (invite.IsLink(args[i]) || isCommand(args[i])) {
		args = slices.Concat(args[i:i+1], args[:i], args[i+1:])
	}
	switch {
	case len(args) > 0 && (args[0] == "-version" || args[0] == "--version"):
		return append([]string{"version"}, args[1:]...)
	case len(args) == 0, strings.HasPrefix(args[0], "-") && !slices.Contains([]string{"-h", "-help", "--help"}, args[0]):
		return append([]string{"window"}, args...)
	case invite.IsLink(args[0]) && len(args) == 1 && windowed(): // which asks first: a web page may have it opened
		return []string{"window", args[0]}
	case invite.IsLink(args[0]):
		return append([]string{"join"}, args...)
	case app.Opens(args[0]):
		return append([]string{"window", localFile(args[0])}, args[1:]...)
	}
	return args
}

// leading returns how many of the first arguments are flags, with their values.
func leading(args []string) (n int) {
	for n < len(args) && len(args[n]) > 1 && args[n][0] == '-' && args[n] != "--" {
		name, _, valued := strings.Cut(strings.TrimLeft(args[n], "-"), "=")
		n++
		if !valued && takesValue(name) {
			n++
		}
	}
	return min(n, len(args))
}

// takesValue reports whether the argument behind a flag is its value, in any command that has it.
func takesValue(name string) bool {
	return slices.ContainsFunc(commands(), func(c command) bool {
		var o options
		o.define(c)
		f := o.set.Lookup(name)
		if f == nil {
			return false
		}
		b, ok := f.Value.(interface{ IsBoolFlag() bool })
		return !ok || !b.IsBoolFlag()
	})
}

func isCommand(name string) bool {
	return name == "help" || slices.ContainsFunc(commands(), func(c command) bool { return c.name == name })
}

// taken reports whether a window that is open already took what a desktop opens: a link or a file, alone.
func taken(args []string) bool {
	if len(args) != 1 || !windowed() {
		return false
	}
	what := args[0]
	if !invite.IsLink(what) {
		if !app.Opens(what) {
			return false
		}
		var err error
		if what, err = filepath.Abs(localFile(what)); err != nil {
			return false
		}
	}
	return app.OfferLinks(app.DoorPath(), what)
}

// localFile is the path of a file that a desktop names by a URL.
func localFile(arg string) string {
	if u, err := url.Parse(arg); err == nil && u.Scheme == "file" {
		if drive := strings.TrimPrefix(u.Path, "/"); filepath.VolumeName(drive) != "" { // of Windows
			return filepath.FromSlash(drive)
		}
		return u.Path
	}
	return arg
}

func windowCommand() command {
	return command{
		name: "window", uses: onWindow, args: "[FILE]", most: 1, takes: "at most one file or link",
		summary: "open the window: host, join, play alone, settings",
		help: `"nettplay" alone does the same. A recording (.nplog) is played, a kept moment
(.npmoment) goes on, and a game is picked. For an invitation that a web page or
a message opened, in the place of FILE, the window asks whether to join.

Example: nettplay --log debug`,
		check: func(c *call) error {
			if len(c.args) > 0 && !invite.IsLink(c.args[0]) && !app.Opens(c.args[0]) {
				return usagef("%s is no recording, kept moment or game", c.args[0])
			}
			return nil
		},
		run: func(ctx context.Context, c *call) error {
			switch {
			case len(c.args) == 0:
				return c.openWindow(ctx, nil)
			case invite.IsLink(c.args[0]):
				return c.openWindow(ctx, app.OpenLink(c.args[0]))
			}
			return c.openWindow(ctx, app.OpenFile(c.args[0]))
		},
	}
}

// windowed reports whether a window can be opened here: the player is at a desktop.
func windowed() bool {
	return runtime.GOOS == "windows" || os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != "" || os.Getenv("SDL_VIDEODRIVER") != ""
}

// openWindow runs the program with its window. start begins it, nil for the usual start.
func (c *call) openWindow(ctx context.Context, start func(*app.Shell)) error {
	places, err := app.FindPlaces(c.settings)
	if err != nil {
		return err
	}
	if err := app.Run(ctx, app.Options{Places: places, Version: version, Open: start, Log: c.log, Events: c.events, FullScreen: c.play.fullscreen}); err != nil {
		return &exitError{
			code: 1, err: err,
			hint: "Without a desktop, \"nettplay host --headless\" and \"nettplay join --headless\" play in a terminal.",
		}
	}
	return nil
}

// inWindow tells whether a window is to be opened. It says why not where the player may
// expect one, and refuses flags that a window would forget.
func (c *call) inWindow() (bool, error) {
	if c.play.headless {
		return false, nil
	}
	if i := slices.IndexFunc(c.rows, func(r row) bool { return r.place == inTerminal && c.given(r.name) }); i >= 0 {
		fmt.Fprintf(c.env.stderr, "With --%s the game plays in the terminal, without a window.\n", c.rows[i].name)
		return false, nil
	}
	if !windowed() {
		fmt.Fprintln(c.env.stderr, "There is no desktop here: the game plays in the terminal, without a window.")
		return false, nil
	}
	for _, r := range c.rows {
		if r.place == headless && c.given(r.name) {
			return false, usagef("--%s goes with --headless only; in the window, that is in the settings", r.name)
		}
	}
	if n := c.play.consoles; n > app.MaxLocalPlayers {
		return false, usagef("--consoles is %d, but the window has room for %d local players; --headless takes more", n, app.MaxLocalPlayers)
	}
	return true, nil
}
