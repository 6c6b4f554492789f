package mirror

import (
	"errors"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/link"
)

// Limits of a game.
const (
	// MaxWindow is the number of unacknowledged inputs that are kept for a seat, in frames: 8.5
	// seconds. A queue at the other end has room for as many.
	MaxWindow = inputdelay.Window
	// MaxDatagram is the size of the largest datagram in bytes: every path carries it in one piece.
	MaxDatagram = link.MaxInput
)

// ErrPeer says that a peer sent what no honest one sends. The connection to it
// is worth nothing any more.
var ErrPeer = errors.New("the peer broke the protocol")

// SeatFrame is a frame of a seat.
type SeatFrame struct {
	Seat  ds.Seat
	Frame int64
}

// MachineFrame is a frame that a machine has reached.
type MachineFrame struct {
	Machine int
	Frame   int64
}

// Window is a run of inputs of one seat, of the frames First, First+1 and so on.
type Window struct {
	Seat   ds.Seat
	First  int64
	Inputs []inputdelay.Input
}

// Datagram is the message of one machine to another about a running game, once a frame.
type Datagram struct {
	Machine int    // the sender
	Round   uint32 // which game of the room it belongs to; receivers ignore others
	// Frames is the progress of machines: the next frame of the slowest
	// console of each. The sender's own stands first; the game host adds those
	// it knows of the others.
	Frames  []MachineFrame
	Horizon ds.Horizon // zero from everybody but the game host
	// Acks says, for every seat, the newest frame up to which the sender holds
	// all inputs; -1 for none.
	Acks    []SeatFrame
	Windows []Window // at most one of a seat
}
