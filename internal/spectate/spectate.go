// Package spectate is how the log of a running game gets to those who watch it, and to
// those who follow it until they come into it.
//
// A spectator asks the game host for the bytes of the log from some place on, and again
// with each piece that it gets; the game host sends what there is and may be seen, within a
// budget that all spectators share, but never more than [Window] beyond what the newest
// question asks for. So a long line is made use of, and still a slow spectator gets larger
// pieces later, little is queued for it, and players' inputs do not wait behind it. What of
// a log may be seen decides replay.Tail, by frame.
//
// Who waits to come into the game asks in the same way, and says how far it has played.
//
// This package has the messages and the budget, and is pure. It promises that a message
// from anybody is read within its limits or refused with an error that names the field.
// Read next: internal/session/spectators.go (the game host's side), watch.go (the
// spectator's).
package spectate

import (
	"encoding/binary"
	"fmt"
	"time"

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

// Budget is how many bytes all spectators together may be sent. It begins at a rate that
// a slow line at home carries beside a game, grows while the players' lines show no
// queue, and shrinks at once when they do: a log is a few bytes a frame, but after a
// resync it holds states, and who comes late wants them soon. The zero value gives
// nothing; make one with NewBudget. It is pure.
type Budget struct {
	rate, most, level float64
	last, adapted     time.Time
}

// The rates of a budget, bytes a second.
const (
	startRate = 64 << 10
	leastRate = 16 << 10
	mostRate  = 2 << 20
	// adaptEvery is how long a change is let show.
	adaptEvery = 250 * time.Millisecond
	// leastPiece keeps pieces from becoming crumbs: 32 ms of a line of 1 Mbit/s.
	leastPiece = 4 << 10
)

// NewBudget is never more than limit bytes a second, 0 for no limit of its own.
func NewBudget(limit int64) Budget {
	most := float64(mostRate)
	if limit > 0 {
		most = min(most, float64(limit))
	}
	return Budget{rate: min(startRate, most), most: most, level: leastPiece}
}

// Due tells whether it is time to look at the players' lines, and to [Budget.Adapt].
func (b *Budget) Due(now time.Time) bool { return now.Sub(b.adapted) >= adaptEvery }

// Adapt takes whether something queues on a player's line.
func (b *Budget) Adapt(now time.Time, queued bool) {
	switch {
	case !b.Due(now):
		return
	case queued:
		b.rate = max(b.rate/2, min(leastRate, b.most))
	default:
		b.rate = min(b.rate*1.25, b.most)
	}
	b.adapted = now
}

// Least tells whether it cannot be less.
func (b *Budget) Least() bool { return b.rate <= min(leastRate, b.most) }

// Calm is how long round trips of a line take when nothing queues on it: the shortest of
// late, as a line measures it, which is a mean of some. What a line scatters by itself is in
// that, unlike in the shortest trip of all. And a queue that is there although hardly
// anything is sent is not ours: a line that has become worse, or somebody's download. The
// zero value knows nothing yet.
type Calm struct {
	rtt         time.Duration
	others      time.Duration // that is queued by others
	least       int           // looks for which hardly anything was sent
	low, before time.Duration // the shortest in this span of them, and in the one before
}

// calmRise is by how much more a line may take by itself from one look to the next: one way
// can take the place of another. It is 1 ms a second.
const calmRise = adaptEvery / 1000

const (
	// tooLong is the queue on a line that is too much.
	tooLong = 10 * time.Millisecond
	// span is how many looks are taken together, and drained how many it takes until what
	// we had queued has gone from a line that is not too slow for anything.
	span, drained = 8, 16
	// mostOthers bounds a mistake: what is more than that on a line is too much, whose ever.
	mostOthers = 150 * time.Millisecond
)

// Queued takes what a line measures, and tells whether something of ours queues on it: its
// round trips take longer than they did, by more than they scatter. With least, hardly
// anything has been sent since the last look.
func (c *Calm) Queued(rtt, jitter time.Duration, least bool) bool {
	if c.rtt += calmRise; c.rtt == calmRise || rtt < c.rtt {
		c.rtt = rtt
	}
	c.others = max(c.others-calmRise, 0)
	free := c.rtt + tooLong + 2*jitter
	if least {
		c.learn(rtt, free)
	} else {
		c.least = 0
	}
	return rtt > free+c.others
}

// learn takes a round trip while hardly anything is sent. What stays queued then is
// others'; a queue that becomes shorter was ours. A trip of free has nothing queued.
func (c *Calm) learn(rtt, free time.Duration) {
	if c.least%span == 0 {
		c.before, c.low = c.low, rtt
	}
	c.least++
	c.low = min(c.low, rtt)
	if c.least >= drained && c.least%span == 0 && c.low > free+c.others && c.low > c.before-tooLong {
		c.others = min(c.low-c.rtt, mostOthers)
	}
}

// Left is how many bytes may be sent now, at most MaxPiece.
func (b *Budget) Left(now time.Time) int {
	if !b.last.IsZero() {
		burst := within(b.rate/20, leastPiece, MaxPiece) // 50 ms
		b.level = min(burst, b.level+max(0, now.Sub(b.last).Seconds())*b.rate)
	}
	b.last = now
	return int(max(b.level, 0))
}

func within(v, low, high float64) float64 { return max(low, min(high, v)) }

// Spend notes that so many were sent.
func (b *Budget) Spend(n int) { b.level -= float64(n) }
