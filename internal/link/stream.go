package link

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"
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
	segmentSize     = carrierMTU - 4 - 24 // beyond this ENet would cut the packet
	segmentPayload  = segmentSize - segmentHeader
	segmentMore     = 1
	segmentOverhead = 64 // what a small segment costs beyond its bytes, for the backlog

	// The windows, in segments. Control's must hold the largest message; Bulk's
	// decides what a long and lossy line can carry: 2,048 segments are 2.5 MB until
	// a lost one has come after all.
	controlWindow = 512
	bulkWindow    = 2048

	// The backlogs, in bytes.
	controlBacklog = 1 << 20
	bulkBacklog    = 4 << 20
)

// repairReach is how many segments beyond the first missing one can be repaired.
const repairReach = 64

// outStream is the sending end. It keeps what is not confirmed.
type outStream struct {
	most  int64 // bytes it may keep
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

// push cuts a message into segments. It copies data.
func (s *outStream) push(data []byte) error {
	n := max(1, (len(data)+segmentPayload-1)/segmentPayload)
	cost := int64(len(data) + n*(segmentHeader+segmentOverhead))
	if s.bytes+cost > s.most {
		return ErrBacklog
	}
	s.bytes += cost
	buf := make([]byte, 0, len(data)+n*segmentHeader)
	for range n {
		start := len(buf)
		piece := data[:min(len(data), segmentPayload)]
		data = data[len(piece):]
		buf = binary.BigEndian.AppendUint32(buf, uint32(s.base)+uint32(len(s.segs)))
		buf = append(buf, more(len(data) > 0))
		buf = append(buf, piece...)
		s.segs = append(s.segs, segment{data: buf[start:len(buf):len(buf)]})
	}
	return nil
}

func more(yes bool) byte {
	if yes {
		return segmentMore
	}
	return 0
}

// take adds to out at most n segments that the receiver's limit allows.
func (s *outStream) take(n int, now time.Time, out [][]byte) [][]byte {
	end := min(s.base+uint64(len(s.segs)), s.limit, s.next+uint64(n))
	for ; s.next < end; s.next++ {
		seg := &s.segs[s.next-s.base]
		seg.at, seg.tries = now, seg.tries+1
		out = append(out, seg.data)
	}
	s.top = max(s.top, s.next)
	return out
}

// repair adds to out at most n segments that the receiver lacks although they
// were handed out a while ago. After the first try the while is doubled.
func (s *outStream) repair(n int, now time.Time, wait time.Duration, out [][]byte) [][]byte {
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

// confirm takes what the receiver said. It may be old news. It returns the
// number of segments newly confirmed; an error means that the peer lies.
func (s *outStream) confirm(p progress) (int, error) {
	if p.received > s.top {
		return 0, fmt.Errorf("confirms %d segments of %d sent", p.received, s.top)
	}
	if p.limit > s.top+1<<20 {
		return 0, fmt.Errorf("allows %d segments at once", p.limit-s.top)
	}
	s.limit = max(s.limit, p.limit)
	if p.received < s.base {
		return 0, nil
	}
	n := int(p.received - s.base)
	if n == 0 {
		s.ahead |= p.ahead
		return 0, nil
	}
	s.ahead = p.ahead
	for i := range s.segs[:n] {
		s.bytes -= int64(len(s.segs[i].data) + segmentOverhead)
		s.segs[i] = segment{}
	}
	s.segs = s.segs[n:]
	s.base = p.received
	s.next = max(s.next, s.base)
	return n, nil
}

// rewind has everything unconfirmed handed out again.
func (s *outStream) rewind() { s.next = s.base }

// unconfirmed says whether something handed out is not confirmed.
func (s *outStream) unconfirmed() bool { return s.next > s.base }

func (s *outStream) empty() bool { return len(s.segs) == 0 }

// message is a whole message, and how many segments it came in.
type message struct {
	data []byte
	segs int
}

// inStream is the receiving end.
type inStream struct {
	most    int      // bytes of the largest message
	next    uint64   // number of the next segment in order
	taken   uint64   // segments whose messages the consumer has taken
	held    [][]byte // those that came early, at number modulo window
	early   int      // of them
	partial [][]byte // pieces of the message that is coming in
	size    int      // bytes in partial
}

func newInStream(window, most int) inStream {
	return inStream{most: most, held: make([][]byte, window)}
}

// progress is what the sender should know.
func (s *inStream) progress() progress {
	p := progress{received: s.next, limit: s.taken + uint64(len(s.held))}
	if s.early == 0 {
		return p
	}
	window := uint64(len(s.held))
	for i := range uint64(repairReach) {
		if s.held[(s.next+1+i)%window] != nil {
			p.ahead |= 1 << i
		}
	}
	return p
}

// consumed tells that the consumer has taken m.
func (s *inStream) consumed(m message) { s.taken += uint64(m.segs) }

var (
	errSegmentLength = errors.New("segment: wrong length")
	errSegmentFlags  = errors.New("segment: unknown flags")
	errSegmentLimit  = errors.New("segment: beyond what was allowed")
)

// accept takes a segment, which it keeps, and adds the messages that it makes
// whole to out.
func (s *inStream) accept(seg []byte, out []message) ([]message, error) {
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
func (s *inStream) join(seg []byte, out []message) ([]message, error) {
	piece := seg[segmentHeader:]
	s.partial = append(s.partial, piece)
	if s.size += len(piece); s.size > s.most {
		return out, fmt.Errorf("message of more than %d bytes", s.most)
	}
	if seg[4]&segmentMore != 0 {
		return out, nil
	}
	m := message{data: piece, segs: len(s.partial)}
	if m.segs > 1 {
		m.data = make([]byte, 0, s.size)
		for _, p := range s.partial {
			m.data = append(m.data, p...)
		}
	}
	clear(s.partial)
	s.partial, s.size = s.partial[:0], 0
	return append(out, m), nil
}
