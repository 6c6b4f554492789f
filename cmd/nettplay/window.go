package main

import (
	"context"
	"fmt"
	"os"
	"runtime"

	"github.com/nettplay/nettplay/internal/ui/app"
)

// SDL wants the main thread, which only an init can keep for the main goroutine.
// Commands without a window are better off on any.
func init() {
	if wantsWindow(os.Args[1:]) {
		runtime.LockOSThread()
	}
}

// wantsWindow tells whether a call of the program opens a window.
func wantsWindow(args []string) bool {
	if len(args) == 0 {
		return true
	}
	if args[0] != "host" && args[0] != "join" {
		return false
	}
	for _, arg := range args[1:] {
		switch arg {
		case "-headless", "--headless", "-h", "-help", "--help":
			return false
		}
	}
	return true
}

// windowed tells whether a window can be opened here: the player is at a desktop.
func windowed() bool {
	return os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != "" || os.Getenv("SDL_VIDEODRIVER") != ""
}

// openWindow is the program with its window. start is what it begins with, nil for
// the usual start.
func openWindow(ctx context.Context, settings string, start func(*app.Model)) error {
	places, err := app.FindPlaces(settings)
	if err != nil {
		return err
	}
	if err := app.Run(ctx, app.Options{Places: places, Version: version, Open: start}); err != nil {
		return &exitError{
			code: 1, err: err,
			hint: "Without a desktop, \"nettplay host --headless\" and \"nettplay join --headless\" play in a terminal.",
		}
	}
	return nil
}

// hostWindow is "nettplay host" with a window.
func (o *options) hostWindow(ctx context.Context, rom string) error {
	if err := o.forWindow(); err != nil {
		return err
	}
	path, err := openROM(rom)
	if err != nil {
		return err
	}
	delay := -1
	if given(o.flags)["delay"] {
		delay = o.delay
	}
	return openWindow(ctx, o.config, app.OpenGame(path.Path, o.password, o.players, delay))
}

// joinWindow is "nettplay join" with a window.
func (o *options) joinWindow(ctx context.Context, addr string) error {
	if err := o.forWindow(); err != nil {
		return err
	}
	return openWindow(ctx, o.config, app.JoinAddress(address(addr), o.password))
}

// forWindow refuses flags that only make sense without a window.
func (o *options) forWindow() error {
	set := given(o.flags)
	for _, name := range []string{"input", "report", "screenshot", "speed", "frames", "sram", "rtc", "core", "name", "port", "rom"} {
		if set[name] {
			return usagef("--%s goes with --headless only; in the window, that is in the settings", name)
		}
	}
	if !windowed() {
		return usageError{fmt.Errorf("there is no desktop to open a window on: --headless plays in the terminal")}
	}
	return nil
}
