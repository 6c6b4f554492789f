// Package spectate gives the log of a running game to spectators, and to late joiners
// until they come into the game.
//
// A reader (a spectator or a late joiner) asks the game host for the bytes of the log from
// some place on, and asks again with each piece that it gets. The game host's [Server]
// sends what exists and may be read, within a budget that all readers share, but never more
// than [Window] beyond what the newest question asks for. So a fast connection is used
// well, a slow reader gets larger pieces later, little is queued for it, and players'
// inputs do not wait behind it. replay.Tail decides by frame which bytes may be read.
//
// A late joiner also says how far it has played ([Near]).
//
// The package is pure: time, connections, files and goroutines come from outside, through
// [Room] and [Log]. A message from anybody is read within its limits or refused with an
// error that names the field.
//
// Read next: message.go, budget.go, server.go; then internal/session/spectators.go, which
// connects the server to the room.
package spectate

import (
	"encoding/binary"
	"fmt"

	"github.com/nettplay/nettplay/internal/ds"
)

// The messages, on the bulk channel. Numbers are big-endian.
//
//	ask    0x61 round:4 at:8                   I have the log of this game before byte at
//	piece  0x62 round:4 at:8 all:8 end:1 bytes here; all is how many bytes may be seen by
//	                                           now; end 1: and more will not come; 2: this
//	                                           game's log is not to be had any more
//	near   0x63 round:4 frames:8 end:1         I come into this game and have played so many of
//	                                           its frames; end 2: I cannot play it beside you
const (
	kindAsk   = 0x61
	kindPiece = 0x62
	kindNear  = 0x63
	askSize   = 1 + 4 + 8
	pieceHead = 1 + 4 + 8 + 8 + 1
	nearSize  = 1 + 4 + 8 + 1

	// MaxPiece is the most bytes of a log in one message.
	MaxPiece = 16 << 10
	// Window is how many bytes may be on their way: 76 ms of a line of 1.7 MB/s.
	Window = 128 << 10
	// MaxLog is where a log ends at the latest.
	MaxLog = 1 << 30
)

// How a piece ends.
type End uint8

// The ends.
const (
	More End = 0 // more may come
	Over End = 1 // the log ends with it
	Gone End = 2 // the log is not to be had any more
)

// Ask is a spectator's question.
type Ask struct {
	Round uint32
	At    int64
}

// Append appends the message to b.
func (a Ask) Append(b []byte) []byte {
	b = binary.BigEndian.AppendUint32(append(b, kindAsk), a.Round)
	return binary.BigEndian.AppendUint64(b, uint64(a.At))
}

// DecodeAsk reads a question from anybody.
func DecodeAsk(b []byte) (Ask, error) {
	if len(b) != askSize || b[0] != kindAsk {
		return Ask{}, fmt.Errorf("ask: not a question of %d bytes", askSize)
	}
	a := Ask{Round: binary.BigEndian.Uint32(b[1:]), At: int64(binary.BigEndian.Uint64(b[5:]))}
	if a.At < 0 || a.At > MaxLog {
		return Ask{}, fmt.Errorf("ask: at: %d is not in 0..%d", a.At, int64(MaxLog))
	}
	return a, nil
}

// Near is how far somebody has followed a game who waits to come into it.
type Near struct {
	Round  uint32
	Frames int64 // that all its consoles have done
	Cannot bool  // it does not follow the game, and waits for its consoles' states
}

// Append appends the message to b.
func (n Near) Append(b []byte) []byte {
	b = binary.BigEndian.AppendUint32(append(b, kindNear), n.Round)
	b = binary.BigEndian.AppendUint64(b, uint64(n.Frames))
	if n.Cannot {
		return append(b, byte(Gone))
	}
	return append(b, byte(More))
}

// IsNear tells a message that is to be a [Near], by its kind.
func IsNear(b []byte) bool { return len(b) > 0 && b[0] == kindNear }

// IsAsk tells a message that is to be an [Ask], by its kind.
func IsAsk(b []byte) bool { return len(b) > 0 && b[0] == kindAsk }

// IsPiece tells a message that is to be a [Piece], by its kind.
func IsPiece(b []byte) bool { return len(b) > 0 && b[0] == kindPiece }

// DecodeNear reads what anybody says of how far it is.
func DecodeNear(b []byte) (Near, error) {
	if len(b) != nearSize || !IsNear(b) {
		return Near{}, fmt.Errorf("near: not a message of %d bytes", nearSize)
	}
	n := Near{Round: binary.BigEndian.Uint32(b[1:]), Frames: int64(binary.BigEndian.Uint64(b[5:])), Cannot: End(b[13]) == Gone}
	switch {
	case n.Frames < 0 || n.Frames > ds.MaxFrame:
		return Near{}, fmt.Errorf("near: frames: %d is not in 0..%d", n.Frames, int64(ds.MaxFrame))
	case !n.Cannot && End(b[13]) != More:
		return Near{}, fmt.Errorf("near: end: %d is not known", b[13])
	}
	return n, nil
}

// Piece is the game host's answer.
type Piece struct {
	Round uint32
	At    int64 // of the first of Bytes
	All   int64 // bytes that may be seen
	End   End
	Bytes []byte // at most MaxPiece
}

// Append appends the message to b.
func (p Piece) Append(b []byte) []byte {
	b = binary.BigEndian.AppendUint32(append(b, kindPiece), p.Round)
	b = binary.BigEndian.AppendUint64(b, uint64(p.At))
	b = binary.BigEndian.AppendUint64(b, uint64(p.All))
	return append(append(b, byte(p.End)), p.Bytes...)
}

// DecodePiece reads an answer from anybody. Bytes is part of b.
func DecodePiece(b []byte) (Piece, error) {
	if len(b) < pieceHead || len(b) > pieceHead+MaxPiece || b[0] != kindPiece {
		return Piece{}, fmt.Errorf("piece: %d bytes, not %d to %d", len(b), pieceHead, pieceHead+MaxPiece)
	}
	p := Piece{
		Round: binary.BigEndian.Uint32(b[1:]), At: int64(binary.BigEndian.Uint64(b[5:])),
		All: int64(binary.BigEndian.Uint64(b[13:])), End: End(b[21]), Bytes: b[pieceHead:],
	}
	switch {
	case p.At < 0 || p.At > MaxLog:
		return Piece{}, fmt.Errorf("piece: at: %d is not in 0..%d", p.At, int64(MaxLog))
	case p.All < 0 || p.All > MaxLog || p.End != Gone && p.All < p.At+int64(len(p.Bytes)):
		return Piece{}, fmt.Errorf("piece: all: %d, with %d bytes at %d", p.All, len(p.Bytes), p.At)
	case p.End > Gone:
		return Piece{}, fmt.Errorf("piece: end: %d is not known", p.End)
	}
	return p, nil
}
