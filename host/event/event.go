package event

import (
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
)

// Event is something the caller should know. Its dynamic type is one of the
// types in this package. All words are clean and in plain English.
type Event interface{ event() }

// Begin tells that all machines have equal consoles and that the game begins.
type Begin struct {
	Round     uint32
	Decisions []timeline.Decision // the first ones; Start stands first
	Horizon   ds.Horizon          // the first promise
}

// ChatLine is something said in the room, by the player of a seat or, with seat
// -1 and no name, by the room itself.
type ChatLine message.ChatLine

// Decided tells of one more decision. Number counts those before it.
type Decided struct {
	Number   int
	Decision timeline.Decision
}

// DesyncFound tells that machines are not alike. The game host decides next how the game
// goes on.
type DesyncFound struct{ Desync message.Desync }

// Ended tells that the game is over on all machines, and that nobody needs
// anything of it any more: inputs need not be served longer. After a desync or
// an abort it comes at once, wherever the consoles are.
type Ended message.Ended

// HashReport tells the game host the hashes of consoles on a client's machine
// after Frame frames.
type HashReport struct {
	Machine int
	Frame   int64
	Hashes  []room.SeatHash
}

// JoinFailed tells the game host of a failed attempt to join.
type JoinFailed struct {
	Peer     ds.PeerID
	Addr     string
	Nickname string // "" when unknown
	Code     room.Code
	Words    string // from the game host's point of view
}

// Arrivals tells the game host how the inputs of others arrive at a client's machine.
type Arrivals struct {
	Machine int
	List    []message.SeatArrival
}

// PlayerJoined tells the game host of a new player.
type PlayerJoined struct{ Player room.Player }

// PlayerLeft tells the game host that a player is gone from the room.
type PlayerLeft struct {
	Player room.Player
	Words  string // names the player and the reason
}

// Prepare asks this machine to build the consoles of a game: capture and serve
// its own, fetch and install all, then say Installed or Failed.
type Prepare struct {
	Round    uint32
	Settings room.Settings   // do not change before the game is over
	Seats    []room.SeatPlan // by seat
}

// Refused tells a client why the room refused it, or why it refused the room. It is the
// last event.
type Refused struct{ room.Refusal }

// RoomChanged tells that Room has changed: roster, settings, phase or ping.
type RoomChanged struct{}

// RoomClosed tells a client that the game host ended its stay in the room. It is the last
// event.
type RoomClosed struct {
	Reason message.CloseReason
	Words  string
}

// RoomLost tells a client that it lost the game host, or no longer understands it. It is
// the last event.
type RoomLost struct{ Words string }

// SeatLeft tells the game host that nobody plays a seat of the running game any more: its
// player left, or its machine failed and stays in the room only.
// The caller must decide what the others do about it: Decide with Settings.Parting, or
// with Leave if its player comes again with another console, that
// has as InputEnd the first frame for which this machine has no input of the
// seat. Until then the others wait for inputs that never come.
type SeatLeft struct {
	Seat    ds.Seat
	Machine int
	Again   bool   // its player comes again, with another console
	Words   string // who, and how it came
}

// StartFailed tells that the game does not begin; the room is in the lobby
// again, and everyone has to be ready anew.
type StartFailed message.StartFailed

// Welcomed tells a client that it is in the room: it has its machine and seat,
// and the room can be looked at.
type Welcomed struct {
	Me   room.Player
	Door room.Door // of the room, for connections to and from others
}

func (Begin) event()        {}
func (ChatLine) event()     {}
func (Decided) event()      {}
func (DesyncFound) event()  {}
func (Ended) event()        {}
func (HashReport) event()   {}
func (Arrivals) event()     {}
func (JoinFailed) event()   {}
func (PlayerJoined) event() {}
func (PlayerLeft) event()   {}
func (Prepare) event()      {}
func (Refused) event()      {}
func (RoomChanged) event()  {}
func (RoomClosed) event()   {}
func (RoomLost) event()     {}
func (SeatLeft) event()     {}
func (StartFailed) event()  {}
func (Welcomed) event()     {}

// Outgoing is something to do with a connection. Data is a message for its reliable
// control channel, nil when there is none; CloseWhy, when not empty, tells that
// the connection is then to be closed in good order with these words, of at most 200
// bytes. The caller does not change Data: others may share it.
type Outgoing struct {
	Peer     ds.PeerID
	Data     []byte
	CloseWhy string
}

// Outbox holds what a machine has to say, until its caller takes it.
type Outbox struct {
	out    []Outgoing
	events []Event
}

// Send sends a message on a connection.
func (o *Outbox) Send(peer ds.PeerID, msg []byte) {
	o.out = append(o.out, Outgoing{Peer: peer, Data: msg})
}

// Close closes a connection with clean words.
func (o *Outbox) Close(peer ds.PeerID, why string) {
	o.out = append(o.out, Outgoing{Peer: peer, CloseWhy: why})
}

// Emit tells the caller.
func (o *Outbox) Emit(e Event) { o.events = append(o.events, e) }

// Outgoing returns what is to be sent and closed, in order, and forgets it.
func (o *Outbox) Outgoing() []Outgoing {
	out := o.out
	o.out = nil
	return out
}

// Events returns what has happened, in order, and forgets it.
func (o *Outbox) Events() []Event {
	events := o.events
	o.events = nil
	return events
}
