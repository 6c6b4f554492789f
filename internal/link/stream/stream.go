// Package stream is the common part of the links of packages udp and memnet: reliable streams of
// numbered segments, the figures of a line, and the phases and times of a connection. It is pure: times
// come in, and what is to be sent goes out.
package stream

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/nettplay/nettplay/internal/link"
)

// A reliable channel is a stream of numbered segments. A segment fits into one
// ENet datagram, so ENet neither cuts nor reassembles. Segments may come in any
// order (Bulk uses several carriers at once) and more than once (a carrier that
// died is replaced, and what was not confirmed is sent again).
//
//	segment   number:4 (the low bits) flags:1 piece of the message
//
// Flag 1: the message goes on in the next segment. The receiver says how many
// segments have arrived in a row, which of the next ones are here already, and up
// to which number it takes more: the consumer's pace is thus the sender's, and
// neither side ever keeps more than a window.
//
// ENet repeats what is lost, but each further time after twice the wait, and what
// it sent after that waits, too: at 5 % loss some segment of a savestate takes
// seconds. So the sender also repairs: what the receiver says it lacks after some
// round trips is sent once more, besides ENet's own repetitions.

const (
	segmentHeader   = 5
	segmentSize     = CarrierMTU - 4 - 24         // beyond this ENet would cut the packet
	SegmentPayload  = segmentSize - segmentHeader // at most
	segmentMore     = 1
	segmentOverhead = 64 // what a small segment costs beyond its bytes, for the backlog
)

// The windows, in segments, and the backlogs, in bytes. Control's window must hold the largest message;
// Bulk's decides what a long and lossy line can carry: 2,048 segments are 2.5 MB until a lost one has
// come after all.
var (
	windows  = [Count]int{link.Control: 512, link.Bulk: 2048}
	backlogs = [Count]int64{link.Control: 1 << 20, link.Bulk: 4 << 20}
)

// CarrierFlight is the number of segments that an ENet connection is given before some are
// acknowledged: as many as ENet sends at once. It would keep any number, but search through all that
// wait whenever it sends.
const CarrierFlight = 64 << 10 / segmentSize

// repairReach is the number of segments beyond the first missing one that can be repaired.
const repairReach = 64

// Out is the sending end. It keeps what is not confirmed.
type Out struct {
	most  int64     // bytes it may keep
	piece int       // bytes of a message in a segment
	full  time.Time // when the newest confirmed segment of so many was handed out
	segs  []segment
	base  uint64 // number of segs[0]: all before it are confirmed
	next  uint64 // number of the next to be handed to a carrier
	top   uint64 // highest next ever
	limit uint64 // the receiver takes segments below it
	ahead uint64 // bit i: segment base+1+i has arrived
	bytes int64
}

type segment struct {
	data  []byte
	at    time.Time // when it was last handed out
	tries int
}

// NewOut is the sending end of a channel.
func NewOut(ch link.Channel) Out {
	return Out{most: backlogs[ch], piece: SegmentPayload, limit: uint64(windows[ch])}
}

// Fit has messages from now on cut to segments that ENet can send in datagrams of so many bytes. Those that are cut
// already stay as they are.
func (s *Out) Fit(carrier int) {
	s.piece, s.full = min(carrier, CarrierMTU)-CarrierMTU+SegmentPayload, time.Time{}
}

// Full is when the newest of the segments was handed out that are as long as Fit allows, and have arrived. Zero: none.
func (s *Out) Full() time.Time { return s.full }

// Backlog returns the bytes that are not confirmed.
func (s *Out) Backlog() int64 { return s.bytes }

// TakenUpTo is the number of the segment to be handed out next.
func (s *Out) TakenUpTo() uint64 { return s.next }

// ConfirmedUpTo is the number of the first segment that is not confirmed.
func (s *Out) ConfirmedUpTo() uint64 { return s.base }

// Push cuts a message into segments. It copies data.
func (s *Out) Push(data []byte) error {
	n := max(1, (len(data)+s.piece-1)/s.piece)
	cost := int64(len(data) + n*(segmentHeader+segmentOverhead))
	if s.bytes+cost > s.most {
		return link.ErrBacklog
	}
	s.bytes += cost
	buf := make([]byte, 0, len(data)+n*segmentHeader)
	for range n {
		start := len(buf)
		piece := data[:min(len(data), s.piece)]
		data = data[len(piece):]
		buf = binary.BigEndian.AppendUint32(buf, uint32(s.base)+uint32(len(s.segs)))
		flags := byte(0)
		if len(data) > 0 {
			flags = segmentMore
		}
		buf = append(append(buf, flags), piece...)
		s.segs = append(s.segs, segment{data: buf[start:len(buf):len(buf)]})
	}
	return nil
}

// Take adds to out at most n segments that the receiver's limit allows.
func (s *Out) Take(n int, now time.Time, out [][]byte) [][]byte {
	end := min(s.base+uint64(len(s.segs)), s.limit, s.next+uint64(n))
	for ; s.next < end; s.next++ {
		seg := &s.segs[s.next-s.base]
		seg.at, seg.tries = now, seg.tries+1
		out = append(out, seg.data)
	}
	s.top = max(s.top, s.next)
	return out
}

// Repair adds to out at most n segments that the receiver lacks although they
// were handed out a while ago. After the first try the while is doubled.
func (s *Out) Repair(n int, now time.Time, wait time.Duration, out [][]byte) [][]byte {
	end := min(s.next-s.base, repairReach+1)
	for i := range end {
		if n == 0 {
			break
		}
		if i > 0 && s.ahead>>(i-1)&1 == 1 {
			continue
		}
		seg := &s.segs[i]
		if now.Sub(seg.at) < wait<<min(seg.tries-1, 1) {
			continue
		}
		seg.at, seg.tries = now, seg.tries+1
		out = append(out, seg.data)
		n--
	}
	return out
}

// Confirm takes what the receiver said. It may be old news. It returns the
// number of segments newly confirmed; an error means that the peer lies.
func (s *Out) Confirm(p Progress) (int, error) {
	if p.Received > s.top {
		return 0, fmt.Errorf("confirms %d segments of %d sent", p.Received, s.top)
	}
	if p.Limit > s.top+1<<20 {
		return 0, fmt.Errorf("allows %d segments at once", p.Limit-s.top)
	}
	s.limit = max(s.limit, p.Limit)
	if p.Received < s.base {
		return 0, nil
	}
	n := int(p.Received - s.base)
	if n == 0 {
		s.ahead |= p.Ahead
		return 0, nil
	}
	s.ahead = p.Ahead
	for i := range s.segs[:n] {
		if seg := &s.segs[i]; seg.tries == 1 && len(seg.data) == segmentHeader+s.piece {
			s.full = seg.at
		}
		s.bytes -= int64(len(s.segs[i].data) + segmentOverhead)
		s.segs[i] = segment{}
	}
	s.segs = s.segs[n:]
	s.base = p.Received
	s.next = max(s.next, s.base)
	return n, nil
}

// Rewind has everything unconfirmed handed out again.
func (s *Out) Rewind() { s.next = s.base }

// Unconfirmed reports whether something handed out is not confirmed.
func (s *Out) Unconfirmed() bool { return s.next > s.base }

func (s *Out) Empty() bool { return len(s.segs) == 0 }

// Message is a whole message, and how many segments it came in.
type Message struct {
	Data []byte
	Segs int
}

// In is the receiving end.
type In struct {
	most    int      // bytes of the largest message
	next    uint64   // number of the next segment in order
	taken   uint64   // segments whose messages the consumer has taken
	held    [][]byte // those that came early, at number modulo window
	early   int      // of them
	partial [][]byte // pieces of the message that is coming in
	size    int      // bytes in partial
}

// NewIn is the receiving end of a channel.
func NewIn(ch link.Channel) In { return makeIn(windows[ch], link.MaxMessage(ch)) }

func makeIn(window, most int) In {
	return In{most: most, held: make([][]byte, window)}
}

// Progress returns what the sender should know.
func (s *In) Progress() Progress {
	p := Progress{Received: s.next, Limit: s.taken + uint64(len(s.held))}
	if s.early == 0 {
		return p
	}
	window := uint64(len(s.held))
	for i := range uint64(repairReach) {
		if s.held[(s.next+1+i)%window] != nil {
			p.Ahead |= 1 << i
		}
	}
	return p
}

// Consumed tells that the consumer has taken a message that came in n segments.
func (s *In) Consumed(n int) { s.taken += uint64(n) }

var (
	errSegmentLength = errors.New("segment: wrong length")
	errSegmentFlags  = errors.New("segment: unknown flags")
	errSegmentLimit  = errors.New("segment: beyond what was allowed")
)

// Accept takes a segment, which it keeps, and adds the messages that it makes
// whole to out.
func (s *In) Accept(seg []byte, out []Message) ([]Message, error) {
	if len(seg) < segmentHeader || len(seg) > segmentSize {
		return out, errSegmentLength
	}
	if seg[4]&^segmentMore != 0 {
		return out, errSegmentFlags
	}
	ahead := int32(binary.BigEndian.Uint32(seg) - uint32(s.next))
	if ahead < 0 {
		return out, nil // again
	}
	window := uint64(len(s.held))
	number := s.next + uint64(ahead)
	if number >= s.taken+window {
		return out, errSegmentLimit
	}
	if s.held[number%window] == nil {
		s.held[number%window] = seg
		s.early++
	}
	for s.held[s.next%window] != nil {
		seg := s.held[s.next%window]
		s.held[s.next%window] = nil
		s.early--
		s.next++
		var err error
		if out, err = s.join(seg, out); err != nil {
			return out, err
		}
	}
	return out, nil
}

// join adds the next segment in order.
func (s *In) join(seg []byte, out []Message) ([]Message, error) {
	piece := seg[segmentHeader:]
	s.partial = append(s.partial, piece)
	if s.size += len(piece); s.size > s.most {
		return out, fmt.Errorf("message of more than %d bytes", s.most)
	}
	if seg[4]&segmentMore != 0 {
		return out, nil
	}
	m := Message{Data: piece, Segs: len(s.partial)}
	if m.Segs > 1 {
		m.Data = make([]byte, 0, s.size)
		for _, p := range s.partial {
			m.Data = append(m.Data, p...)
		}
	}
	clear(s.partial)
	s.partial, s.size = s.partial[:0], 0
	return append(out, m), nil
}
