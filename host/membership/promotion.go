package membership

import (
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
)

// Promotion is the knowledge of a client that becomes the game host. It is a plain record:
// package host/client fills it, and package host makes a game host from it.
type Promotion struct {
	Elected   event.Elected
	Self      Identity
	Machine   int                 // this one
	Room      room.Room           // as it was last told; this machine is its game host already
	Previous  int                 // the machine that was game host before
	Proof     message.LeaderProof // that this machine is game host
	Status    room.Status         // of this machine
	LastRound uint32
	Banned    []room.Banned // the room's bans
	Game      *Game         // the running game; nil in the lobby
	Links     []*Link       // to other clients, which the game host keeps
	Clock     Clock
}

// Game is a client's knowledge of a game that it takes part in.
type Game struct {
	Round     uint32
	Seats     []room.SeatPlan // that play or have played
	Decisions timeline.Log
	SaveOrder event.SaveOrder   // the newest
	Promised  int64             // the highest horizon that this machine was promised
	Wrong     room.MachineSet   // machines of whose consoles we know that, until they have others
	Said      []message.Message // to be sent again on a new connection: resync request, the newest remade, save answer, finished, failed
}
