package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/air"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/savecommit"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// Config holds all that a session needs. Exactly one of Host and Join is set.
type Config struct {
	Link     link.Link        // owned by the session from the call of Run on
	Core     emucore.Core     // runs all consoles on this machine
	Source   room.CoreSource  // of Core, told to players who come with another one
	ROM      *emucore.ROM     // our game; nil when joining to play the game host's
	Library  *emucore.Library // where the games of others are looked for
	Firmware ds.Firmware      // of our console
	Version  string           // of this program, told to the others
	Upload   int64            // limit for console states, bytes a second; 0 for none

	Host *HostRole
	Join *JoinRole

	Files
	Seams

	// Input is asked once for each local frame, in order, on the session's
	// goroutine, just before the frame begins. It must not block.
	Input func(frame int64) inputdelay.Input
	// LocalPlayers are further players at this machine, in seats of their own. Control.LocalPlayers
	// changes them in the lobby.
	LocalPlayers []LocalPlayer
	// Control acts on the session while it runs. It may be nil.
	Control *Control
	// AskReady lets a game begin only when the player has said so with Control.Ready, or, as game host,
	// with Control.Start; otherwise whoever can start is ready.
	AskReady bool
	// Frames is after how many frames of our console we leave, 0 for never.
	Frames int64
	// MaxSpeed runs frames as fast as the machine can instead of at the DS' rate.
	MaxSpeed bool
	// Depth is the number of frames that consoles may run by guesses on this machine, at most, in a room with
	// rollback: 0 to rollback.MaxDepth, less where it cannot go back so far in time.
	Depth int
	// OwnDelay is the input delay that our players want for their own presses, in a room with rollback.
	// Control.OwnDelay changes it.
	OwnDelay autodelay.Choice
	// Once ends the session with its first game, or with a start that failed.
	Once bool

	// Notify is told what happens, on the session's goroutine; it must not
	// block, and may be nil.
	Notify func(notice.Notice)
	// Show gets each frame of each console, on that console's goroutine. The
	// frame is valid until Show returns. It may be nil.
	Show func(seat ds.Seat, frame emucore.Frame)
}

// Files are those that a session reads and writes.
type Files struct {
	// SRAM is our cartridge's backup memory, raw, instead of a save; nil for the save, or a
	// blank cartridge.
	SRAM []byte
	// OpenSaves opens the store for the save of one of our consoles, 1 being our own; it is called
	// before each game on some goroutine, and the session closes what it gets. The cartridge starts
	// with the current save there, unless SRAM says otherwise. Without a store the error is told, the
	// cartridge starts with sram, and nothing is kept. OpenSaves may be nil.
	OpenSaves func(rom *emucore.ROM, console int) (store *saves.Store, sram []byte, err error)
	// Chips remembers what cores know of cartridges' chips; nil: as long as the session lasts.
	Chips *saves.Chips
	// Unwritten takes saves that cannot be written at a game's end, and later games begin
	// with them. With nil they are lost when the session is over.
	Unwritten *saves.Unwritten
	// Recorder records the games; nil for none. It stays the caller's, who closes it.
	Recorder Recorder
	// Desyncs is the folder for what is kept, for a bug report, when machines are not
	// alike; "" for nothing. It is made if it is not there.
	Desyncs string
	// Moments is the folder for the moments that game hosts keep; "" for none. It is made if
	// it is not there.
	Moments string
	// SetAside lets a game go on from a kept moment although a save of ours is another than
	// it was then: the present one is kept beside. Control.SetAside says so later.
	SetAside bool
	// WithoutSave has a game begin without a save of ours that does not fit the cartridge, with no
	// question. Control.WithoutSave says so later.
	WithoutSave bool
}

// Seams let tests and debugging take hold of a session. Players have the zero value.
type Seams struct {
	// Trace gets all packets of the consoles' radio, in their order, on the session's
	// goroutine. It may be nil.
	Trace func([]air.Record)
	// Meter is told when frames of the games were due and done, and when inputs arrived. It may be
	// nil.
	Meter game.Meter
	// Serial runs one console at a time between two radio operations, for
	// debugging. The packets are the same.
	Serial bool
	// KeepDepth has Config.Depth hold however long frames take that run again.
	KeepDepth bool
	// Start makes the consoles; nil for worker processes.
	Start game.StartConsole
	// FindChip asks the core for a cartridge's chip; nil: emucore.FindChip, where Start is nil, too, else
	// saves are not made to fit.
	FindChip savecommit.FindChip
	// Trial makes the state that other builds of the core are to load; nil: corecheck.NewTrial, where Start is
	// nil, too, else states are not tried.
	Trial func(ctx context.Context, core emucore.Core) (StateTrial, error)
	// Random is where keys and numbers of rooms come from; nil for crypto/rand.
	Random io.Reader
	// Background runs the session's slow jobs, each on a goroutine of its own; nil for go.
	// It is called on the session's goroutine.
	Background func(job func())
	// TestOptions are further options of our own machine's consoles, for tests
	// of cores that go wrong on one machine only.
	TestOptions map[string]string
	// TestConsole stands between a game and a seat's console that runs on this machine, for
	// tests of consoles that go wrong. Consoles of a resync do without it. It may be nil.
	TestConsole func(seat ds.Seat, c game.Console) game.Console
	// TestTweak changes what a console of our own machine is started with, for tests.
	TestTweak func(*emucore.Config)
}

// LocalPlayer is a further console on this machine, with the game of Config.
type LocalPlayer struct {
	Firmware ds.Firmware
	Input    func(frame int64) inputdelay.Input // as in Config
}

// HostRole is for the machine that opens the room.
type HostRole struct {
	Settings room.Settings
	Password string
	// AutoStart is the number of players at which the game starts when all of them are ready; 0 leaves
	// that to Start.
	AutoStart int
	// Wait is the time a player is waited for whose connection broke in the game, 0 for a
	// minute.
	Wait time.Duration
	Door room.Door // the link is opened with the same
	// Continue is the kept moment from which the first game goes on; nil for none. The session
	// closes it.
	Continue *replay.Log
	// Open are those of its players whose consoles anybody may play. Control.OpenSeat opens
	// others later.
	Open []string
}

// JoinRole is for a machine that joins one.
type JoinRole struct {
	Addr string // as [link.Link.Dial] takes it
	// Secret is the room's, of its invitation; zero without one. With it the game host is
	// tried for five minutes, since the player may have to send an answer first.
	Secret   seal.Secret
	Moved    link.Finder // of the room's present game host; may be nil
	Password string
	// Wait is the time to try to come back when the connection broke in the game, 0 for a
	// minute.
	Wait time.Duration
}

func (c Config) validate() error {
	switch {
	case c.Link == nil:
		return errors.New("session without a link")
	case (c.Host == nil) == (c.Join == nil):
		return errors.New("session that neither hosts nor joins")
	case c.Host != nil && c.ROM == nil:
		return errors.New("session that hosts without a ROM")
	case c.Input == nil:
		return errors.New("session without a source of inputs")
	case len(c.LocalPlayers) > room.MaxLocalPlayers:
		return fmt.Errorf("session with %d further consoles, at most %d", len(c.LocalPlayers), room.MaxLocalPlayers)
	case c.Frames < 0:
		return fmt.Errorf("session of %d frames", c.Frames)
	}
	return nil
}

// coreID names our core to the others.
func (c Config) coreID() room.CoreID {
	return room.CoreID{Name: c.Core.Name, Version: c.Core.Version, SHA256: c.Core.SHA256, Fingerprint: c.Core.Fingerprint}
}
