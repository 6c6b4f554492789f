package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/session"
	"golang.org/x/sys/unix"
)

// role is what a player's machine does.
type role int

const (
	hostRole role = iota
	joinRole
	localRole
)

// options are the flags that host, join and local share.
type options struct {
	flags      *flag.FlagSet
	config     string
	core       string
	name       string
	password   string
	port       int
	delay      int
	players    int
	spectators int
	seats      int
	noLateJoin bool
	keep       bool
	behind     int
	consoles   int
	headless   bool
	public     bool // the room is announced on the local network
	speed      string
	frames     int64
	inputs     []string // by console
	trace      string
	serial     bool
	wait       time.Duration
	report     string
	screenshot string
	sram       string
	rtc        string
	rom        string
	verbose    bool
	record     recordFlags
	recorder   *replay.Recorder // made by base; nil for none
	wrote      string           // the settings file, if this is the first run
	console    *console         // made by base
	tracer     *tracer          // made by base, with --trace
}

// playFlags defines the flags of a role.
func playFlags(env *environment, c command, r role) *options {
	o := &options{flags: flagSet(env, c), consoles: 1}
	f := o.flags
	f.StringVar(&o.config, "config", "", "the settings, a `file` other than the usual one")
	f.StringVar(&o.core, "core", "", "the core, by `path or name` (see \"nettplay cores\")")
	f.StringVar(&o.name, "name", "", "your `nickname`, up to 10 characters")
	if r != localRole {
		f.IntVar(&o.consoles, "consoles", 1, "`N` players at this machine, 1 to 16, each with a console; --input is then given once for each")
	}
	switch r {
	case hostRole:
		f.StringVar(&o.password, "password", "", "the room's `password`")
		f.IntVar(&o.port, "port", 0, fmt.Sprintf("UDP `port` of the room (default %d)", config.DefaultPort))
		f.IntVar(&o.delay, "delay", -1, "input delay of `N` frames, 0 to 30 (default: as in the settings, or 4)")
		f.IntVar(&o.players, "players", 0, "start when `N` players are ready (default 2)")
		f.IntVar(&o.seats, "seats", 0, "seats of the room, `N` of 2 to 16: for who comes while the game runs")
		f.IntVar(&o.spectators, "spectators", 0, "how many may watch, `N` of 0 to 16 (default: as in the settings, or 4; see \"nettplay help watch\")")
		f.BoolVar(&o.noLateJoin, "no-late-join", false, "let nobody come into a game that runs")
		f.BoolVar(&o.keep, "keep-consoles", false, "the console of who leaves a running game stays in it, with nothing pressed")
		f.IntVar(&o.behind, "spectate-delay", 0, "how many `seconds` later they see the game, 0 to 600 (default: as in the settings, or 2)")
	case localRole:
		f.IntVar(&o.consoles, "consoles", 1, "play with `N` consoles, 1 to 16")
		f.IntVar(&o.delay, "delay", 0, "input delay of `N` frames, 0 to 30")
	default:
		f.StringVar(&o.password, "password", "", "the room's `password`")
		f.IntVar(&o.port, "port", 0, "UDP `port` to send from (default: any)")
		f.StringVar(&o.rom, "rom", "", "the game that you play, a `file` (default: the game host's, found in your ROM folders)")
	}
	if r != joinRole {
		f.StringVar(&o.rtc, "rtc", "", "what the consoles' clocks show at the start: \"now\" or a `time` like \"2009-10-24 18:30\"")
	}
	if r != localRole {
		f.DurationVar(&o.wait, "wait", time.Minute, "how long to wait when a line breaks in the game, a `time` like 90s")
	}
	f.BoolVar(&o.headless, "headless", false, "play without a window, with --input or with no input")
	f.StringVar(&o.speed, "speed", "real", "`real|max`, at the console's rate or as fast as possible")
	f.Int64Var(&o.frames, "frames", 0, "end after `N` frames (default: never)")
	f.Func("input", "a `file` of inputs to play, with lines of the form FRAME[-FRAME] [A+B+UP...] [touch X,Y] [lid] [mic]", func(path string) error {
		o.inputs = append(o.inputs, path)
		return nil
	})
	f.StringVar(&o.report, "report", "", "write a report as JSON to `file`, whatever happens")
	f.StringVar(&o.screenshot, "screenshot", "", "write a picture of all consoles at the end to `file` (PNG)")
	f.StringVar(&o.sram, "sram", "", "keep your save in this `file`, and start from it (default: in the data folder; see \"nettplay saves\")")
	f.StringVar(&o.trace, "trace", "", "write every packet of the consoles' radio to `file` (see \"nettplay help trace\")")
	f.BoolVar(&o.serial, "serial", false, "run one console at a time between two uses of the radio, for debugging")
	o.record.define(f)
	f.BoolVar(&o.verbose, "v", false, "say more")
	return o
}

// check refuses flags that make no sense before anything is done.
func (o *options) check() error {
	given := given(o.flags)
	switch {
	case o.speed != "real" && o.speed != "max":
		return usagef("--speed is %q, but must be real or max", o.speed)
	case given["delay"] && (o.delay < 0 || o.delay > ds.MaxDelay):
		return usagef("--delay is %d, but must be 0 to %d", o.delay, ds.MaxDelay)
	case given["players"] && (o.players < 2 || o.players > 16):
		return usagef("--players is %d, but must be 2 to 16", o.players)
	case given["seats"] && (o.seats < max(2, o.players, o.consoles) || o.seats > 16):
		return usagef("--seats is %d, but must be %d to 16", o.seats, max(2, o.players, o.consoles))
	case given["players"] && o.players < o.consoles:
		return usagef("--players is %d, but %s are here", o.players, count(int64(o.consoles), "console"))
	case o.consoles < 1 || o.consoles > 16:
		return usagef("--consoles is %d, but must be 1 to 16", o.consoles)
	case len(o.inputs) > o.consoles:
		return usagef("--input is given %d times, for %s", len(o.inputs), count(int64(o.consoles), "console"))
	case o.spectators < 0 || o.spectators > host.MaxSpectators:
		return usagef("--spectators is %d, but must be 0 to %d", o.spectators, host.MaxSpectators)
	case o.behind < 0 || o.behind > host.MaxSpectateDelay:
		return usagef("--spectate-delay is %d, but must be 0 to %d", o.behind, host.MaxSpectateDelay)
	case o.wait < 0:
		return usagef("--wait is %v, but must not be negative", o.wait)
	case o.port < 0 || o.port > 65535:
		return usagef("--port is %d, but must be 0 to 65535", o.port)
	case o.frames < 0:
		return usagef("--frames is %d, but must not be negative", o.frames)
	}
	for _, out := range [][2]string{{"report", o.report}, {"screenshot", o.screenshot}, {"sram", o.sram}, {"trace", o.trace}} {
		if err := checkOutput(out[0], out[1]); err != nil {
			return err
		}
	}
	return o.record.check()
}

// checkOutput refuses a file that could not be written at the end, when a whole
// game would be lost with it.
func checkOutput(flag, path string) error {
	if path == "" {
		return nil
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return usagef("--%s %s is a folder, but must be a file", flag, path)
	case err == nil && !info.Mode().IsRegular() && unix.Access(path, unix.W_OK) == nil:
		return nil // a pipe or /dev/stdout: it is written to, not replaced
	}
	dir := filepath.Dir(path)
	if unix.Access(dir, unix.W_OK|unix.X_OK) != nil {
		return usagef("--%s %s: the folder %s is not there, or cannot be written to", flag, path, dir)
	}
	return nil
}

// path is the settings file.
func (o *options) path() (string, error) {
	if o.config != "" {
		return o.config, nil
	}
	return config.Path()
}

// read reads the settings, or takes the defaults where there is no file.
func (o *options) read() (config.Config, error) {
	path, err := o.path()
	if err != nil {
		return config.Config{}, err
	}
	cfg, err := config.Load(path)
	if errors.Is(err, fs.ErrNotExist) {
		return config.Defaults(), nil
	}
	if err != nil {
		return cfg, usageError{err}
	}
	return cfg, nil
}

// load is read with the flags over it, and gives the player's console its
// address, which is kept in the file: games tie their saves to it.
func (o *options) load() (config.Config, error) {
	cfg, err := o.read()
	if err != nil {
		return cfg, err
	}
	if cfg.Player.MAC == "" {
		path, err := o.path()
		if err != nil {
			return cfg, err
		}
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			o.wrote = path
		}
		if cfg.Player.MAC, err = config.KeepMAC(path); err != nil {
			return cfg, fmt.Errorf("keeping your console's address: %w", err)
		}
	}
	o.override(&cfg)
	if err := cfg.Validate(); err != nil {
		return cfg, usageError{err}
	}
	return cfg, nil
}

// override puts the flags that were given over the settings of the file.
func (o *options) override(cfg *config.Config) {
	given := given(o.flags)
	if given["name"] {
		cfg.Player.Nickname = o.name
	}
	if given["core"] {
		cfg.Core.Name = o.core
	}
	if given["port"] && o.port >= 1024 {
		cfg.Net.Port = o.port
	}
	if given["delay"] {
		cfg.Room.Delay = o.delay
	}
	if given["password"] {
		cfg.Room.Password = o.password
	}
	if given["no-late-join"] {
		cfg.Room.LateJoin = !o.noLateJoin
	}
	if given["keep-consoles"] {
		cfg.Room.Keep = o.keep
	}
	if given["spectators"] {
		cfg.Room.Spectators = o.spectators
	}
	if given["spectate-delay"] {
		cfg.Room.SpectateDelay = time.Duration(o.behind) * time.Second
	}
	if n := max(o.players, o.seats); n > 0 { // who asks for a number means it
		cfg.Room.Seats = max(n, host.MinSeats)
	}
}

// firmware is the player's console.
func firmware(p config.Player) ds.Firmware {
	mac, _ := p.Address()
	return ds.Firmware{
		Nickname: p.Nickname, MAC: mac, Language: p.LanguageNumber(), Colour: p.ColourNumber(),
		BirthMonth: p.Birthday.Month, BirthDay: p.Birthday.Day,
	}
}

// findCore finds the core, with an answer that says what to type when there is
// none.
func findCore(ctx context.Context, cfg config.Core) (emucore.Core, error) {
	dirs, err := config.ExpandAll(cfg.Folders)
	if err != nil {
		return emucore.Core{}, err
	}
	core, err := emucore.FindCore(ctx, cfg.Name, dirs)
	if err != nil {
		return core, coreError(err)
	}
	return core, nil
}

// coreError adds what to do to an error of a core or a ROM.
func coreError(err error) error {
	e := &exitError{code: exitCore, err: err}
	var none *emucore.NoCoreError
	switch {
	case !errors.As(err, &none):
	case none.AptLine != "":
		e.hint = "To install it, type:\n\n  " + none.AptLine
	case strings.HasPrefix(strings.ToLower(none.Name), "melonds"):
		e.hint = "Install it from RetroArch's Online Updater (Core Downloader, \"Nintendo - DS (melonDS DS)\"): it is found there."
	case len(none.Found) > 0:
		e.hint = "\"nettplay cores\" lists those that are there."
	default:
		e.hint = "A Nintendo DS core is needed. To install the default one, type:\n\n  " + emucore.AptLine
	}
	return e
}

// source is where the input of one of our consoles comes from.
func (o *options) source(n int) (func(frame int64) inputdelay.Input, error) {
	if n >= len(o.inputs) {
		return func(int64) inputdelay.Input { return inputdelay.Input{} }, nil
	}
	f, err := os.Open(o.inputs[n])
	if err != nil {
		return nil, usageError{err}
	}
	defer f.Close()
	script, err := inputdelay.ParseScript(f)
	if err != nil {
		return nil, usageError{fmt.Errorf("%s: %w", o.inputs[n], err)}
	}
	return script.At, nil
}

// base is what a session needs in either role.
func (o *options) base(ctx context.Context, env *environment, cfg config.Config) (session.Config, error) {
	core, err := findCore(ctx, cfg.Core)
	if err != nil {
		return session.Config{}, err
	}
	input, err := o.source(0)
	if err != nil {
		return session.Config{}, err
	}
	folders, err := config.ExpandAll(cfg.ROMs.Folders)
	if err != nil {
		return session.Config{}, err
	}
	if o.recorder, err = o.record.recorder(cfg.Recording); err != nil {
		return session.Config{}, err
	}
	desyncs, err := config.Desyncs()
	if err != nil {
		return session.Config{}, err
	}
	broken, err := fault(os.Getenv(faultVariable))
	if err != nil {
		return session.Config{}, err
	}
	o.console = newConsole(env, o.verbose)
	made := session.Config{
		Core: core, Library: emucore.NewLibrary(folders), Firmware: firmware(cfg.Player), OpenSaves: o.openSaves,
		Version: version, Upload: int64(cfg.Net.Upload) << 10, Input: input, Frames: o.frames,
		MaxSpeed: o.speed == "max", Once: true, Notify: o.console.notice, Serial: o.serial,
		Desyncs: desyncs, Fault: broken,
	}
	if made.TestTweak, err = testOptions(o.console.say); err != nil {
		return session.Config{}, err
	}
	if o.trace != "" {
		if o.tracer, err = openTrace(o.trace); err != nil {
			return session.Config{}, err
		}
		made.Trace = o.tracer.take
	}
	return made, nil
}

// openSaves opens the player's saves of a game. When another nettplay has them, this
// one plays with a copy.
func (o *options) openSaves(rom *emucore.ROM, console int) (*saves.Store, []byte, error) {
	dir, err := saves.Dir()
	if err != nil {
		return nil, nil, err
	}
	game, how := saves.GameOf(rom), saves.Options{Console: console, Doing: "nettplay " + o.flags.Name()}
	if console == 1 {
		how.File = o.sram
	}
	return saves.OpenOrCopy(dir, game, how)
}

// rtc is what the consoles' clocks show at the start.
func (o *options) clock(cfg config.Config) (int64, error) {
	rtc := cfg.Room.RTC
	if o.rtc != "" {
		var err error
		if rtc, err = config.ParseRTC(o.rtc); err != nil {
			return 0, usageError{fmt.Errorf("--rtc: %w", err)}
		}
	}
	return rtc.At(time.Now()), nil
}

// address adds the usual port to an address without one.
func address(arg string) string {
	if _, _, err := net.SplitHostPort(arg); err == nil {
		return arg
	}
	return net.JoinHostPort(arg, strconv.Itoa(config.DefaultPort))
}

// openROM opens the game that a command names.
func openROM(path string) (*emucore.ROM, error) {
	rom, err := emucore.OpenROM(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &exitError{code: exitCore, err: fmt.Errorf("there is no file %s", filepath.Clean(path))}
	}
	if err != nil {
		return nil, coreError(err)
	}
	return rom, nil
}
