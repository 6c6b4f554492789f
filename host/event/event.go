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

// Begin tells that all machines have equal consoles and the game begins.
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

// Ended tells that the game is over on all machines and no machine needs anything
// of it any more: the caller can stop serving inputs. After a desync or
// an abort it comes at once, whatever frame the consoles are at.
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

// SeatLeft tells the game host that a seat of the running game has no player any more: the
// player left, or the machine failed and stays in the room without playing.
// The caller must decide how the game goes on: it calls Decide with Settings.Parting, or
// with Leave if the player comes back with another console, with InputEnd set to
// the first frame for which this machine has no input from the seat.
// Until then the others wait for inputs that never come.
type SeatLeft struct {
	Seat    ds.Seat
	Machine int
	Again   bool   // its player comes back with another console
	Words   string // who, and why
}

// StartFailed tells that the game does not begin; the room is in the lobby
// again, and everyone has to report ready again.
type StartFailed message.StartFailed

// Welcomed tells a client that it is in the room: it has its machine and seat,
// and can read the room's state.
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

// Outgoing is an action on a connection. Data is a message for its reliable
// control channel, or nil. If CloseWhy is not empty, the connection is then closed
// gracefully with these words, at most 200 bytes. The caller must not modify Data,
// which others may share.
type Outgoing struct {
	Peer     ds.PeerID
	Data     []byte
	CloseWhy string
}

// Outbox queues messages and events until the caller takes them.
type Outbox struct {
	out    []Outgoing
	events []Event
}

// Send queues a message for a connection.
func (o *Outbox) Send(peer ds.PeerID, msg []byte) {
	o.out = append(o.out, Outgoing{Peer: peer, Data: msg})
}

// Close queues the closing of a connection, with clean words.
func (o *Outbox) Close(peer ds.PeerID, why string) {
	o.out = append(o.out, Outgoing{Peer: peer, CloseWhy: why})
}

// Emit queues an event for the caller.
func (o *Outbox) Emit(e Event) { o.events = append(o.events, e) }

// Outgoing returns the queued messages and closings, in order, and clears them.
func (o *Outbox) Outgoing() []Outgoing {
	out := o.out
	o.out = nil
	return out
}

// Events returns the queued events, in order, and clears them.
func (o *Outbox) Events() []Event {
	events := o.events
	o.events = nil
	return events
}
