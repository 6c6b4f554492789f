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
// The server and the messages are pure: time, connections, files and goroutines come from
// outside, through [Room] and [Log]. A message from anybody is read within its limits or
// refused with an error that names the field. [Watch] is a machine that watches a room, with its [Spectator]; a [Follower]
// and an [Entry] are a late joiner's way to where the game is.
//
// Read next: server.go, spectator.go; then internal/session/spectators.go, which connects the
// server to the room.
package spectate

import (
	"fmt"
	"math"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// The messages, on the bulk channel: one byte says which it is, and its fields follow in
// their order here, as package wire writes them.
const (
	kindAsk   = 0x61
	kindPiece = 0x62
	kindNear  = 0x63

	// MaxPiece is the most bytes of a log in one message.
	MaxPiece = 16 << 10
	// Window is the number of bytes that may be on their way: 76 ms of a line of 1.7 MB/s.
	Window = 128 << 10
	// MaxLog is the length in bytes that no log exceeds.
	MaxLog = 1 << 30
)

// End is the manner of a piece's end.
type End uint8

// The ends.
const (
	More End = 0 // more may come
	Over End = 1 // the log ends with it
	Gone End = 2 // the log is not to be had any more
)

// Ask is a reader's question: it has the log of this round before byte At.
type Ask struct {
	Round uint32
	At    int64 // 0 to MaxLog
}

func (a *Ask) code(c *wire.Coder) {
	wire.Number(c, "round", &a.Round, 0, math.MaxUint32)
	wire.Number(c, "at", &a.At, 0, MaxLog)
}

// Near tells how far a late joiner has followed the game.
type Near struct {
	Round  uint32
	Frames int64 // that all its consoles have done
	Cannot bool  // it does not follow the game, and waits for its consoles' states
}

func (n *Near) code(c *wire.Coder) {
	wire.Number(c, "round", &n.Round, 0, math.MaxUint32)
	wire.Number(c, "frames", &n.Frames, 0, ds.MaxFrame)
	c.Bool("cannot", &n.Cannot)
}

// Piece is the game host's answer.
type Piece struct {
	Round uint32
	At    int64 // of the first of Bytes
	All   int64 // bytes that may be seen by now
	End   End
	Bytes []byte // at most MaxPiece
}

func (p *Piece) code(c *wire.Coder) {
	wire.Number(c, "round", &p.Round, 0, math.MaxUint32)
	wire.Number(c, "at", &p.At, 0, MaxLog)
	wire.Number(c, "all", &p.All, 0, MaxLog)
	wire.Number(c, "end", &p.End, int64(More), int64(Gone))
	c.Rest("bytes", &p.Bytes, 0, MaxPiece)
	if n := len(p.Bytes); p.End != Gone && p.All < p.At+int64(n) {
		c.Fail("all", "%d, with %d bytes at %d", p.All, n, p.At)
	}
}

// IsAsk tells a message that is to be an [Ask], by its kind.
func IsAsk(b []byte) bool { return len(b) > 0 && b[0] == kindAsk }

// IsNear tells a message that is to be a [Near], by its kind.
func IsNear(b []byte) bool { return len(b) > 0 && b[0] == kindNear }

// IsPiece tells a message that is to be a [Piece], by its kind.
func IsPiece(b []byte) bool { return len(b) > 0 && b[0] == kindPiece }

// Append appends the message to b; nothing where a field is out of its range.
func (a Ask) Append(b []byte) []byte { return write(b, kindAsk, a.code) }

// Append appends the message to b; nothing where a field is out of its range.
func (n Near) Append(b []byte) []byte { return write(b, kindNear, n.code) }

// Append appends the message to b; nothing where a field is out of its range.
func (p Piece) Append(b []byte) []byte { return write(b, kindPiece, p.code) }

// DecodeAsk reads a question from anybody.
func DecodeAsk(b []byte) (a Ask, err error) {
	err = read(b, kindAsk, "ask", a.code)
	return a, err
}

// DecodeNear reads from anybody how far it is.
func DecodeNear(b []byte) (n Near, err error) {
	err = read(b, kindNear, "near", n.code)
	return n, err
}

// DecodePiece reads an answer from anybody. Bytes is part of b.
func DecodePiece(b []byte) (p Piece, err error) {
	err = read(b, kindPiece, "piece", p.code)
	return p, err
}

func write(b []byte, kind byte, fields func(*wire.Coder)) []byte {
	c := wire.Writer(append(b, kind))
	if fields(c); c.Err() != nil {
		return b
	}
	return c.Bytes()
}

func read(b []byte, kind byte, name string, fields func(*wire.Coder)) error {
	if len(b) == 0 || b[0] != kind {
		return fmt.Errorf("%s: not such a message", name)
	}
	c := wire.Reader(b[1:])
	if c.Within(name, fields); c.Err() != nil {
		return c.Err()
	}
	return c.End()
}
