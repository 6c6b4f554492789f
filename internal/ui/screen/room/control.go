package room

import (
	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/lan"
	"github.com/nettplay/nettplay/internal/ui/library"
	"github.com/nettplay/nettplay/internal/ui/screen/files"
)

// Engine does what these screens want of the world outside; see [screen.Engine].
type Engine interface {
	Announce(b lan.Beacon) // tells the local network of our room
	StopAnnouncing()
	OpenSession(open OpenSession) // begins a session; answers with Opened or Over
	EndSession()                  // leaves in good order; answers with Over
	OpenChat()                    // lets the player write over the game
	// FindCheats looks for the cheats of a game, by the SHA-256 by which the room names it, also in files that the player named;
	// it answers with CheatsFound.
	FindCheats(game [32]byte, rom *emucore.ROM, named []string)
	ImportSave(of files.Kept, path string, anyway bool) // see files.Engine
}

// OpenSession is how the player enters a room.
type OpenSession struct {
	Host         *HostForm // one of the three is set
	Join         *JoinForm
	Local        int
	LocalPlayers []string      // further players at this machine, in a room
	Game         *library.Game // nil: the game host's
	Moment       string        // file of a kept moment that goes on, when hosting; "" for none
	Places       []string      // players of it whose consoles anybody may play
	Hurry        bool          // when joining: the room has launch.EnterTime to let us in
	AnyCore      bool          // with the core although it failed its check
	Again        bool          // our room that was open last opens again: its invitation stays good
}

// HostForm is the form that the player fills in to open a room.
type HostForm struct {
	config.Room // the form shows a part of it; Open is for this room alone
	Password    string
}

// JoinForm is the form that the player fills in to join one.
type JoinForm struct {
	Address  string
	Password string
	Room     *lan.Found    // the room of the list that was chosen; nil with an address
	OwnGame  *library.Game // another game than the game host's; nil for that
}

// Control acts on the running session. internal/session's Control implements it; every method may be
// called at any time and returns at once.
type Control interface {
	Ready(ready bool)
	Chat(text string)
	Start()
	CallOff() // the game that is being prepared
	Settings(change func(room.Settings) room.Settings)
	Kick(seat ds.Seat, why string, ban bool)
	KickSpectator(number int, why string, ban bool)
	Pardon(key [32]byte) // of somebody who is banned
	Pause(paused bool)
	Clip()     // keeps the last half minute; answered with notice.Clipped
	SwitchOn() // our own consoles that are off
	Delay(frames int)
	AutoDelay(autodelay.Preset)
	OwnDelay(autodelay.Choice) // of our own presses, with rollback
	EndGame(why string)
	LocalPlayers(names []string) // the further players at this machine; in the lobby
	ROM(*emucore.ROM)
	MaxSpeed(on bool)
	GoOnWithout(machine int)
	LetIn(answer string) error // of a friend who could not come in
	Keep(name string)          // this moment of the game
	OpenSeat(seat ds.Seat, open bool)
	SetAside()     // our present save may be
	WithoutSave()  // the game begins without a save of ours that does not fit
	SavesChanged() // a save of ours is another now
}
