// Package notice holds the words of a session to its caller: notices while it lasts, a report at the
// end, and failures, with advice for the player.
package notice

import (
	"fmt"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
)

// Notice is something that a player may want to see: one of the types of this file.
type Notice interface{ notice() }

// Opened tells that this machine is game host, of a room that it opened or that was handed on to it: others can
// join at Addr.
type Opened struct {
	Addr   string
	Door   room.Door // how they come in
	Locked bool      // the room has a password
}

// Connecting tells that the way to the game host is looked for.
type Connecting struct{ Addr string }

// Unanswered tells that no address of an invitation has answered, and that we try on.
type Unanswered struct{}

// String is that in sentences, for somebody who has an answer to send.
func (Unanswered) String() string {
	return "No answer yet: a router is in the way, or the room is closed. Send the answer below to your friend, who pastes it into nettplay. If that does not help, the room needs a relay."
}

// RoomNotice is the room after a change. Me is this machine's number in it, whose players
// have it as Player.Machine.
type RoomNotice struct {
	Room room.Room
	Me   int
}

// Message is a line for the players: chat, or what happened.
type Message struct {
	From string // nickname; "" when nobody said it
	Text string
}

// Transfer tells how much of the consoles' start has moved, in bytes.
type Transfer struct{ Up, Down room.Progress }

// Playing tells that the first frame may begin.
type Playing struct {
	Room room.Room
	Mine []ds.Seat // this machine's seats, our own first, then those of Config.LocalPlayers
}

// Waiting tells that our console stands still, and whom it waits for; an empty
// list tells that it goes on.
type Waiting struct{ For []string }

// Figures tell four times a second how the game runs.
type Figures struct {
	Frame      int64            // of our own console: frames done
	FPS        float64          // of our own console, over the last second
	Delay      int              // of our own seat, frames
	OwnDelay   autodelay.Choice // in rollback, what our player has chosen
	Auto       AutoDelay        // why it is that
	Repeated   int              // clocked play: of our newest inputdelay.Recent inputs, those that came late
	RTT        time.Duration    // to the game host; on the game host, to the slowest machine
	Relay      string           // that carries what goes there, "" where it goes directly
	Slow       float64          // share of the frames of all consoles, over the last second, that took this machine longer than a frame may; 0 while they wait for each other on the air
	Waiting    []string         // whom our console waits for now
	WaitingFor time.Duration    // for how long
	Sent       float64          // bytes a second
	Received   float64
	// Agreed is the newest frame after which all machines are known to have been
	// alike, 0 for none yet. The game host compares them each HashEvery frames, and tells
	// the others about once a second.
	Agreed    int64
	HashEvery int
	Rollbacks *game.Rollbacks // over the last second; nil in a room without rollback
	OnAir     []ds.Seat       // seats whose radio is in use; nil where the core has none
}

// AutoDelay is the preset of the automatic input delay, and what it sees here.
type AutoDelay struct {
	Preset string // "" where the delay is a number that somebody chose
	Why    string // what our own seat's delay is long enough for, in a few words; "" before it changed in this game
	Worst  string // the player whose inputs need the longest delay here; "" while nothing is known
	// Way is their time from that player's press to us, as far as both machines play at the same time,
	// and Spread the time beyond it that hardly any of them exceeds.
	Way, Spread  time.Duration
	Inputs, Late int // of that player's in the last minute
}

// Blockers tell the game host why the game cannot start now; none: it can.
type Blockers struct{ List []room.Blocker }

// Words are the reasons for people.
func (n Blockers) Words() []string {
	words := []string{}
	for _, b := range n.List {
		words = append(words, b.Words)
	}
	return words
}

// StartFailed tells that a game that was to begin does not. All are in the lobby again, and get ready anew.
type StartFailed struct {
	Cause    room.Cause
	Machines []int  // at fault, as far as that is known
	Why      string // names the player and the reason
	Hint     string // what our player can do, where this machine is at fault; may be ""
}

// String is that in a sentence.
func (n StartFailed) String() string { return "The game did not start: " + n.Why }

// JoinFailed tells the game host that somebody did not get in.
type JoinFailed struct {
	Nickname string // "" where it is not known
	Code     room.Code
	Words    string // a sentence that names them
}

// BadLine tells the game host, in the lobby, whose line is so much worse than the others' that a
// clocked game would do the others good; "" for nobody's.
type BadLine struct{ Nickname string }

// Banned tells the game host who is banned, the first first.
type Banned struct{ List []room.Banned }

// Paused tells that all consoles stand because a player wants it, or go on.
type Paused struct {
	Paused bool
	Frame  int64
}

// Power tells that a game has switched its console off, or that it is on again.
type Power struct {
	Seat     ds.Seat
	Nickname string
	Mine     bool // the console of a player at this machine
	Off      bool
	Frame    int64
}

// Words are the news for players.
func (n Power) Words() string {
	switch {
	case n.Mine && n.Off:
		return "The game has switched your console off. The others play on, and you can switch it on again."
	case n.Mine:
		return "Your console is on again."
	case n.Off:
		return fmt.Sprintf("The game has switched %s's console off.", n.Nickname)
	}
	return fmt.Sprintf("%s's console is on again.", n.Nickname)
}

// Clipped answers the wish to keep the last half minute of the game as a clip.
type Clipped struct{ Kept bool } // false: nothing is recorded

// Words are the answer for players.
func (n Clipped) Words() string {
	if n.Kept {
		return "Clip kept: the last 30 seconds. It is in the recording of this game, under Recordings."
	}
	return "No clip: this game is not recorded. Turn on “Record every game” in the settings."
}

// GameOver tells that a game is over and the room goes on. Err is set when it did not end well; else
// Why says who ended it, if anybody did.
type GameOver struct {
	Report Report
	Err    error
	Why    string
}

// CatchingUp tells that our machine follows the game that runs, in which we have no part
// yet, and how many frames it is behind.
type CatchingUp struct{ Behind int64 }

// Seconds returns the length of what the others have played and we have not.
func (c CatchingUp) Seconds() float64 { return float64(c.Behind) / ds.FrameRate }

// Disconnected tells that a connection is gone in the middle of a game, and that its player
// is waited for; on a game client, Machine is the game host's. So is the game host's in the lobby. MayGoOn tells that
// our player may go on without: see Control.GoOnWithout. Words say on a game client what comes next.
type Disconnected struct {
	Machine  int
	Nickname string
	MayGoOn  bool
	Words    string
}

// Reconnected tells that it is there again.
type Reconnected struct{ Machine int }

// Saved tells that our saves are kept as they were after a frame.
type Saved struct{ Frame int64 }

// Unsaved tells that a save could not be written at the game's end: it is in
// the session's Config.Unwritten.
type Unsaved struct {
	Seat ds.Seat
	Err  error
}

// MomentKept tells that this machine has written a kept moment.
type MomentKept struct{ Path string }

// SaveDiffers tells that the save of one of our consoles is not the one of the kept moment that
// is to go on. The game begins once Control.SetAside says that it may be set aside.
type SaveDiffers struct {
	Seat ds.Seat
	Game string
	At   time.Time // of the present save; zero: not known
}

// SaveMisfit tells that the save of one of our consoles has data where its cartridge has no memory. The
// room does not start a game until Control.WithoutSave says that it is played without that save, or
// another one is chosen; see Control.SavesChanged.
type SaveMisfit struct {
	Console int // of ours; 1 is our primary player's
	Game    string
	ROM     [32]byte // SHA-256 of the game
	Have    int      // bytes of the save
	Chip    int      // bytes that the cartridge holds
}

func (Opened) notice()       {}
func (Connecting) notice()   {}
func (Unanswered) notice()   {}
func (RoomNotice) notice()   {}
func (Message) notice()      {}
func (Transfer) notice()     {}
func (Playing) notice()      {}
func (Waiting) notice()      {}
func (Figures) notice()      {}
func (Blockers) notice()     {}
func (StartFailed) notice()  {}
func (JoinFailed) notice()   {}
func (BadLine) notice()      {}
func (Banned) notice()       {}
func (Paused) notice()       {}
func (Clipped) notice()      {}
func (Power) notice()        {}
func (GameOver) notice()     {}
func (CatchingUp) notice()   {}
func (Disconnected) notice() {}
func (Reconnected) notice()  {}
func (Saved) notice()        {}
func (Unsaved) notice()      {}
func (MomentKept) notice()   {}
func (SaveDiffers) notice()  {}
func (SaveMisfit) notice()   {}
