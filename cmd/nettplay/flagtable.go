package main

import (
	"flag"
	"fmt"
	"io"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/diagnostics"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/rollback"
)

// options are the values of all flags. A command sees those that the table gives it; the
// others have their defaults.
type options struct {
	set  *flag.FlagSet
	rows []row // of the command

	settings       string // file
	core, name     string
	verbose, force bool
	room           roomFlags
	play           playFlags
	out            outFlags
	replay         replayFlags
	console1       int    // --console
	form           string // --form
	asJSON, follow bool
	yes            bool
	peer           string
	diagnostics    diagnostics.Flags
}

// roomFlags are about the room.
type roomFlags struct {
	password          string
	port, delay       int
	autoDelay         string // --auto-delay
	players, seats    int
	spectators        int
	spectateDelay     int // seconds
	noLateJoin, keeps bool
	relays            []string
	sync              string
	rtc               string
	moment            string   // file, --continue
	open              []string // players, --open-seat
	cheats, cheatIn   []string // names, --cheat; files, --cheats
	listed            bool     // --open
	helps             bool     // --help-friends
	wait              time.Duration
}

// playFlags are about how this machine plays.
type playFlags struct {
	consoles         int
	headless, serial bool
	rollback         int
	ownDelay         string
	fullscreen       bool
	setAside         bool
	withoutSave      bool
	anyCore          bool
	speed            string
	frames           int64
	inputs           []string // files, by console
	roms             []string // files
}

// outFlags are files that are written.
type outFlags struct {
	report, screenshot, sram, trace, record, video string
	frameTimes, say                                string
	noRecord                                       bool
	folder                                         string
}

// replayFlags are about recordings.
type replayFlags struct {
	list, verify bool
	from         string
	seat         int
}

// uses are commands, a bit each.
type uses uint32

const (
	onHost uses = 1 << iota
	onJoin
	onLocal
	onWatch
	onReplay
	onBisect
	onDemo
	onCores
	onTrace
	onSaves
	onConfig
	onVersion
	onWindow
	onDoctor
	onManual
	onFind
	onHelping

	onRoom   = onHost | onJoin
	onPlay   = onRoom | onLocal
	onOnline = onRoom | onWatch
	onTapes  = onReplay | onBisect
)

// place tells what a flag does to the window of a command that has one.
type place uint8

const (
	anywhere   place = iota
	inTerminal       // plays in the terminal, without a window
	headless         // refused in the window, which has a setting for it
)

// row is one flag.
type row struct {
	name   string
	on     uses
	into   any      // *string, *int, *int64, *bool, *time.Duration or *[]string; what is there is the default
	help   string   // what stands in `` is the name of the value
	lo, hi int64    // range of a number; hi 0 for no end
	words  []string // one of which a text must be; nil for any text
	place  place
	file   bool // a file that is written at the end
}

// table is every flag of every command.
func (o *options) table() []row {
	inRoom, play, out, tape := &o.room, &o.play, &o.out, &o.replay
	const (
		coreHelp  = "the core, by `path or name` (see \"nettplay cores\")"
		speedHelp = "`real|max`, at the console's rate or as fast as possible"
		delayHelp = "input delay: each press takes effect `N` frames later"
	)
	return []row{
		{name: "config", on: onFind | onHelping | onWindow | onOnline | onLocal | onTapes | onCores | onSaves | onConfig | onDoctor, into: &o.settings, help: "the settings, a `file` other than the usual one"},
		{name: "core", on: onFind | onOnline | onLocal | onDemo | onDoctor, into: &o.core, help: coreHelp, place: headless},
		{name: "core", on: onTapes, into: &o.core, help: "the core, by `path or name` (default: the recording's, where it is installed)"},
		{name: "name", on: onOnline | onLocal, into: &o.name, help: "your `nickname`, up to 10 characters", place: headless},
		{name: "fullscreen", on: onWindow | onOnline, into: &o.play.fullscreen, help: "the window fills the display this time; as it always does under gamescope"},
		{name: "v", on: onOnline | onLocal, into: &o.verbose, help: "say more"},
		{name: "yes", on: onCores, into: &o.yes, help: "say yes to every question, for scripts"},
		{name: "v", on: onDoctor, into: &o.verbose, help: "also show the system's own error messages, and whole hashes"},
		{name: "v", on: onCores, into: &o.verbose, help: "also list the folders searched, and files that are not cores"},

		{name: "password", on: onOnline, into: &inRoom.password, help: "the room's `password`"},
		{name: "port", on: onHost, into: &inRoom.port, hi: 65535, help: fmt.Sprintf("UDP `port` of the room (default %d)", config.DefaultPort), place: headless},
		{name: "port", on: onJoin | onWatch, into: &inRoom.port, hi: 65535, help: "UDP `port` to send from (default: any)", place: headless},
		{name: "delay", on: onHost, into: &inRoom.delay, hi: ds.MaxDelay, help: delayHelp + ", 0 to 30, and never changes on its own (default: see --auto-delay)"},
		{name: "auto-delay", on: onHost, into: &inRoom.autoDelay, words: config.AutoDelays(), help: "adjust the input delay automatically, by `preset`: trading, party or racing; or off (default: as in the settings, or party)"},
		{name: "delay", on: onLocal, into: &inRoom.delay, hi: ds.MaxDelay, help: delayHelp + ", 0 to 30"},
		{name: "delay", on: onDemo, into: &inRoom.delay, hi: ds.MaxDelay, help: delayHelp},
		{name: "players", on: onHost, into: &inRoom.players, lo: 2, hi: ds.MaxSeats, help: "start when `N` players are ready (default 2)"},
		{name: "players", on: onDemo, into: &inRoom.players, lo: 2, hi: maxDemoPlayers, help: "`N` processes, 2 to 4, one player each"},
		{name: "seats", on: onHost, into: &inRoom.seats, help: "seats of the room, `N` from 2 to 16: more than --players leaves some for late joins"},
		{name: "spectators", on: onHost, into: &inRoom.spectators, hi: room.MaxSpectators, help: "how many may watch, `N` from 0 to 16 (default: as in the settings, or 4; see \"nettplay help watch\")"},
		{name: "spectate-delay", on: onHost, into: &inRoom.spectateDelay, hi: room.MaxSpectateDelay, help: "how many `seconds` later spectators see the game, 0 to 600 (default: as in the settings, or 2)"},
		{name: "no-late-join", on: onHost, into: &inRoom.noLateJoin, help: "nobody can join while the game runs"},
		{name: "keep-consoles", on: onHost, into: &inRoom.keeps, help: "when a player leaves a running game, the console stays in it, with nothing pressed"},
		{name: "sync", on: onHost, into: &inRoom.sync, words: config.Syncs(), help: "how the machines keep together, by a `word`: lockstep, where all wait for a player whose inputs come late, or clocked, where nobody waits, or rollback, where late inputs are guessed and wrong guesses taken back (default: as in the settings, or lockstep)"},
		{name: "relay", on: onHost, into: &inRoom.relays, help: "a relay, `HOST:PORT`, for friends whose routers block the way; may be given up to 3 times (default: as in the settings)", place: headless},
		{name: "relay", on: onFind, into: &inRoom.relays, help: "a relay to ask, `HOST:PORT`; may be given up to 3 times (default: as in the settings)"},
		{name: "help-friends", on: onRoom, into: &inRoom.helps, help: "let friends whose routers keep them apart meet at this computer, also in other games (see \"nettplay help help-friends\"; default: as in the settings)", place: headless},
		{name: "open", on: onHost, into: &inRoom.listed, help: "list the room at the relays: anybody can find it with \"nettplay online\" and join", place: headless},
		{name: "json", on: onFind, into: &o.asJSON, help: "write everything that is known, as one line of JSON"},
		{name: "watch", on: onFind, into: &o.follow, help: "keep running until Ctrl-C, and write each change"},
		{name: "rtc", on: onHost | onLocal, into: &inRoom.rtc, help: "time on the consoles' clocks at the start: \"now\" or a `time` like \"2009-10-24 18:30\"", place: headless},
		{name: "cheat", on: onHost | onLocal, into: &inRoom.cheats, help: "switch the cheat `NAME` of the game on, for all; may be given several times", place: headless},
		{name: "cheats", on: onHost | onLocal, into: &inRoom.cheatIn, help: "a `file` with cheats of the game: melonDS' .mch, DeSmuME's .dct or usrcheat.dat; without --cheat those are on that it says are", place: headless},
		{name: "continue", on: onHost, into: &inRoom.moment, help: "continue from the kept moment in `file`, with the same players"},
		{name: "open-seat", on: onHost, into: &inRoom.open, help: "with --continue: anybody may play the console of the player `name`, who does not come; may be given several times", place: headless},
		{name: "set-aside", on: onRoom, into: &play.setAside, help: "in a room where a kept moment goes on: your present save may be set aside, in a file beside your saves", place: headless},
		{name: "without-save", on: onRoom | onLocal, into: &play.withoutSave, help: "a save of yours that does not fit the cartridge is set aside, in a file beside your saves, and the game begins without one", place: headless},
		{name: "wait", on: onRoom, into: &inRoom.wait, help: "how long a game waits for a disconnected player, a `time` like 90s; a player counts as disconnected when nothing is heard for net.silence of the settings, 10s", place: headless},

		{name: "consoles", on: onRoom, into: &play.consoles, lo: 1, hi: ds.MaxSeats, help: "`N` local players, 1 to 16, each with a console; --input is then given once for each"},
		{name: "consoles", on: onLocal, into: &play.consoles, lo: 1, hi: ds.MaxSeats, help: "play with `N` consoles, 1 to 16"},
		{name: "headless", on: onPlay, into: &play.headless, help: "play without a window, with --input or with no input"},
		{name: "headless", on: onWatch, into: &play.headless, help: "watch without a window, and without pictures"},
		{name: "headless", on: onDoctor, into: &play.headless, help: "write text, as it always does (the window has a page for it)"},
		{name: "peer", on: onDoctor, into: &o.peer, help: "also measure the connection to the friend who sent this `invitation`"},
		{name: "rom", on: onDoctor, into: &play.roms, help: "check this game instead, a `file`, or all games in a folder: would they work? May be given several times"},
		{name: "json", on: onDoctor, into: &o.asJSON, help: "with --rom: write everything that was seen, as a line of JSON for each game"},
		{name: "any-core", on: onPlay, into: &play.anyCore, help: "play with the core although it failed the check at its first use, or, on Windows, although nettplay does not know it", place: headless},
		{name: "any-core", on: onWatch | onTapes | onDoctor, into: &play.anyCore, help: "on Windows: start the core although nettplay does not know it", place: headless},
		{name: "speed", on: onPlay | onDemo, into: &play.speed, words: []string{"real", "max"}, help: speedHelp, place: inTerminal},
		{name: "speed", on: onReplay, into: &play.speed, help: "`times` the console's speed, 0.25 to 8, or max"},
		{name: "frames", on: onPlay, into: &play.frames, help: "end after `N` frames (default: never)", place: inTerminal},
		{name: "frames", on: onWatch, into: &play.frames, help: "end after `N` frames of the game (default: all)", place: inTerminal},
		{name: "frames", on: onReplay, into: &play.frames, help: "end after `N` frames (default: all)"},
		{name: "frames", on: onDemo, into: &play.frames, lo: 1, help: "`N` frames to play (60 are a second)"},
		{name: "input", on: onPlay, into: &play.inputs, help: "a `file` of inputs to play, with lines of the form FRAME[-FRAME] [A+B+UP...] [touch X,Y] [lid] [mic]", place: inTerminal},
		{name: "serial", on: onPlay, into: &play.serial, help: "run one console at a time between two uses of the radio, for debugging", place: inTerminal},
		{name: "rollback", on: onPlay, into: &play.rollback, lo: 0, hi: rollback.MaxDepth, help: "in a room with rollback, run at most `N` frames by guesses on this computer, 0 to 12; with 0 it waits as in lockstep (default: as many as it can take back in time, with a core that was tried)", place: inTerminal},
		{name: "own-delay", on: onRoom, into: &play.ownDelay, words: config.OwnDelays(), help: "in a room with rollback, how many frames later your own presses take effect at the least, a `number` from 0 to 3, or auto (default: as in the settings, or auto)", place: headless},
		{name: "rom", on: onJoin, into: &play.roms, help: "your game, a `file` (default: the game host's, found in your ROM folders)", place: headless},
		{name: "rom", on: onWatch, into: &play.roms, help: "a game of the room, a `file`; may be given several times (default: found in your ROM folders)", place: headless},
		{name: "rom", on: onTapes, into: &play.roms, help: "a game of the recording, a `file`; may be given several times (default: found in your ROM folders)"},

		{name: "report", on: onPlay | onWatch, into: &out.report, file: true, help: "write a report as JSON to `file`, whatever happens", place: inTerminal},
		{name: "report", on: onReplay, into: &out.report, file: true, help: "pack recording, settings (without secrets) and versions into `file` (zip), for a bug report"},
		{name: "screenshot", on: onPlay, into: &out.screenshot, file: true, help: "write a picture of all consoles at the end to `file` (PNG)", place: inTerminal},
		{name: "screenshot", on: onReplay, into: &out.screenshot, file: true, help: "write a picture of the last frame to `file` (PNG)"},
		{name: "sram", on: onPlay, into: &out.sram, file: true, help: "keep your save in this `file`, and start from it (default: in the data folder; see \"nettplay saves\")", place: headless},
		{name: "trace", on: onPlay, into: &out.trace, file: true, help: "write every packet of the consoles' radio to `file` (see \"nettplay help trace\")", place: inTerminal},
		{name: "frame-times", on: onPlay, into: &out.frameTimes, file: true, help: "write when each frame was due and done, and each input arrived, to `file` (JSON), for measurements", place: inTerminal},
		{name: "record", on: onPlay, into: &out.record, file: true, help: "record the game into `file` (default: a file with a readable name in the recordings folder)", place: headless},
		{name: "no-record", on: onPlay, into: &out.noRecord, help: "do not record the game", place: headless},
		{name: "say", on: onPlay | onWindow | onOnline, into: &out.say, file: true, help: "add what happens in rooms to `file`, a line of JSON each, for overlays of a stream"},
		{name: "out", on: onDemo, into: &out.folder, help: "`folder` for pictures and reports"},

		{name: "list", on: onReplay, into: &tape.list, help: "list the recordings"},
		{name: "verify", on: onReplay, into: &tape.verify, help: "play as fast as possible, and check every console against the recording"},
		{name: "from", on: onReplay, into: &tape.from, help: "begin at a `frame or time`, such as 7200, 90s or 1:02:30"},
		{name: "seat", on: onReplay, into: &tape.seat, lo: 1, hi: ds.MaxSeats, help: "for pictures, video and sound: only the console of seat `N` (default: all, with the sound of the player who recorded)"},
		{name: "video", on: onReplay, into: &out.video, file: true, help: "write a video to `file`: .mp4 with its sound, where ffmpeg is installed, or .y4m with a .wav beside it"},
		{name: "force", on: onTapes, into: &o.force, help: "play with another core or build than that of the recording"},
		{name: "force", on: onSaves, into: &o.force, help: "delete: also a save that is deleted already; export: replace a file that is there; import: take a save that does not fit the game"},
		{name: "form", on: onSaves, into: &o.form, help: "export: the `form` of the file, of those below"},
		{name: "force", on: onConfig, into: &o.force, help: "init: replace a file that is there"},
		{name: "console", on: onSaves, into: &o.console1, lo: 1, hi: ds.MaxSeats, help: "the save of console `N` of \"nettplay local --consoles\""},
	}
}

// define makes the flags of a command: those of the table, and --log and --pprof.
func (o *options) define(c command) {
	o.room.wait, o.play.speed, o.play.consoles, o.console1 = time.Minute, "real", 1, 1
	o.play.rollback = -1
	if c.preset != nil {
		c.preset(o)
	}
	o.set = flag.NewFlagSet(c.name, flag.ContinueOnError)
	o.set.SetOutput(io.Discard) // errors are printed once, by conclude
	o.diagnostics.Register(o.set.StringVar)
	for _, r := range o.table() {
		if r.on&c.uses == 0 {
			continue
		}
		o.rows = append(o.rows, r)
		switch into := r.into.(type) {
		case *string:
			o.set.StringVar(into, r.name, *into, r.help)
		case *int:
			o.set.IntVar(into, r.name, *into, r.help)
		case *int64:
			o.set.Int64Var(into, r.name, *into, r.help)
		case *bool:
			o.set.BoolVar(into, r.name, *into, r.help)
		case *time.Duration:
			o.set.DurationVar(into, r.name, *into, r.help)
		case *[]string:
			o.set.Func(r.name, r.help, func(s string) error {
				*into = append(*into, s)
				return nil
			})
		}
	}
}

// given reports whether a flag was set on the command line: only those override the
// settings.
func (o *options) given(name string) (set bool) {
	o.set.Visit(func(f *flag.Flag) { set = set || f.Name == name })
	return set
}
