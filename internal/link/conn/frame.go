package conn

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/nettplay/nettplay/internal/link"
)

// A datagram is a number and frames. All fixed numbers are big endian, "uv" is an unsigned varint.
//
//	datagram  head:2 frame*      bits 14-0 of the head: the low bits of the datagram's number; bit 15: frames follow.
//	                             Without it the rest is one input
//
//	input     01 bytes                                   the rest of the datagram
//	half      02 id:1 part:1 bytes                       the rest: half of an input, 0 or 1, where the path carries less
//	ack       03 largest:uv held:uv count:1 first:uv (gap:uv length:uv)*
//	                                                     these have come: as in RFC 9000, 19.3. held is how long the answer
//	                                                     has waited, in 10 µs; gap and length are those of a span below
//	ping      04 seq:1 count:uv                          count datagrams were sent, this one included
//	pong      05 seq:1 count:uv held:uv                  count had come with that ping
//	limit     06 channel:1 limit:uv                      bytes of the stream before it are taken
//	data      07 channel:1 offset:uv length:uv bytes     a piece of a stream
//	bye       08 words                                   the rest: I end it; repeated until answered
//	bye-bye   09                                         so be it
//	lost      0A words                                   the rest: I gave it up, for I heard nothing
//	timed     0B                                         when did this datagram come?
//	stamps    0C count:1 (number:uv clock:4)*            that datagram came at clock, in µs; it starts anywhere and wraps around
//	size      0D zeros                                   the rest: does so much get through by this path?
//	sized     0E number:uv                               that datagram does
type frameKind byte

const (
	frameInput  frameKind = 0x01
	frameHalf   frameKind = 0x02
	frameAck    frameKind = 0x03
	framePing   frameKind = 0x04
	framePong   frameKind = 0x05
	frameLimit  frameKind = 0x06
	frameData   frameKind = 0x07
	frameBye    frameKind = 0x08
	frameByeBye frameKind = 0x09
	frameLost   frameKind = 0x0A
	frameTimed  frameKind = 0x0B
	frameStamps frameKind = 0x0C
	frameSize   frameKind = 0x0D
	frameSized  frameKind = 0x0E
)

const (
	headSize   = 2
	headFrames = 0x8000
	numberMask = 0x7FFF

	InputHeader = headSize             // before an input that is alone in its datagram
	HalfHeader  = headSize + 1 + 1 + 1 // before half of one
	dataHeader  = 1 + 1 + 5 + 3        // at most, for offsets up to 32 GB; longer ones leave less room for bytes

	maxSpans  = 32 // of an ack
	maxStamps = 64 // in a frame

	heldUnit = 10 * time.Microsecond
)

// frame is any of the frames, decoded. Bytes are part of the datagram.
type frame struct {
	kind    frameKind
	channel link.Channel
	id      byte // of a half; number of a ping
	part    byte
	number  uint64 // largest, offset, limit, or of a datagram
	count   uint64
	held    time.Duration
	spans   []span // of an ack, falling
	stamps  []stamp
	bytes   []byte
}

// stamp says when a datagram came.
type stamp struct {
	number uint64
	clock  uint32
}

var (
	errShort  = errors.New("it ends too early")
	errNumber = errors.New("a number is out of range")
	errKind   = errors.New("unknown frame")
)

// decodeHead reads the head of a datagram.
func decodeHead(b []byte) (low uint16, frames bool, rest []byte, err error) {
	if len(b) < headSize {
		return 0, false, nil, fmt.Errorf("datagram of %d bytes: %w", len(b), errShort)
	}
	head := binary.BigEndian.Uint16(b)
	return head & numberMask, head&headFrames != 0, b[headSize:], nil
}

// expand is the number with these low bits that is nearest to the next one expected, as in RFC 9000, A.3.
func expand(low uint16, next uint64) uint64 {
	const window = numberMask + 1
	n := next&^numberMask | uint64(low)
	switch {
	case n+window/2 <= next:
		return n + window
	case n > next+window/2 && n >= window:
		return n - window
	}
	return n
}

// reader reads what frames are made of.
type reader struct {
	b   []byte
	err error
}

func (r *reader) byte() byte {
	if len(r.b) == 0 {
		r.err = errShort
		return 0
	}
	v := r.b[0]
	r.b = r.b[1:]
	return v
}

func (r *reader) uv() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 || v > 1<<62 {
		r.err, r.b = errNumber, nil
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.b)) {
		r.err, r.b = errShort, nil
		return nil
	}
	v := r.b[:n]
	r.b = r.b[n:]
	return v
}

func (r *reader) rest() []byte { return r.bytes(uint64(len(r.b))) }

func (r *reader) held() time.Duration {
	return time.Duration(min(r.uv(), uint64(time.Hour/heldUnit))) * heldUnit
}

// frame reads the next frame into f, whose slices are used again.
func (r *reader) frame(f *frame) error {
	*f = frame{kind: frameKind(r.byte()), spans: f.spans[:0], stamps: f.stamps[:0]}
	switch f.kind {
	case frameInput, frameBye, frameLost, frameSize:
		f.bytes = r.rest()
	case frameHalf:
		f.id, f.part, f.bytes = r.byte(), r.byte(), r.rest()
		if f.part > 1 {
			r.err = errNumber
		}
	case frameAck:
		r.ack(f)
	case framePing:
		f.id, f.count = r.byte(), r.uv()
	case framePong:
		f.id, f.count, f.held = r.byte(), r.uv(), r.held()
	case frameLimit:
		f.channel, f.number = r.channel(), r.uv()
	case frameData:
		f.channel, f.number = r.channel(), r.uv()
		f.bytes = r.bytes(r.uv())
	case frameByeBye, frameTimed:
	case frameStamps:
		n := r.byte()
		if n > maxStamps {
			r.err = errNumber
		}
		for range n {
			if r.err != nil {
				break
			}
			number := r.uv()
			if clock := r.bytes(4); clock != nil {
				f.stamps = append(f.stamps, stamp{number, binary.BigEndian.Uint32(clock)})
			}
		}
	case frameSized:
		f.number = r.uv()
	default:
		r.err = errKind
	}
	if r.err != nil {
		return fmt.Errorf("frame %#x: %w", byte(f.kind), r.err)
	}
	return nil
}

func (r *reader) channel() link.Channel {
	ch := link.Channel(r.byte())
	if ch >= streams {
		r.err = errNumber
		return 0
	}
	return ch
}

// ack reads the spans of an ack: the highest is the first.
func (r *reader) ack(f *frame) {
	f.number, f.held = r.uv(), r.held()
	n := r.byte()
	if n >= maxSpans {
		r.err = errNumber
	}
	to := f.number + 1
	for i := 0; i <= int(n) && r.err == nil; i++ {
		if i > 0 {
			gap := r.uv()
			if r.err == nil && gap+1 >= to {
				r.err = errNumber
				return
			}
			to -= gap + 1
		}
		length := r.uv()
		if r.err == nil && length >= to {
			r.err = errNumber
			return
		}
		from := to - length - 1
		f.spans = append(f.spans, span{from, to})
		to = from
	}
}

// appendAck writes the highest spans of a set that is not empty.
func appendAck(b []byte, got ranges, held time.Duration) []byte {
	last := len(got) - 1
	first := max(0, len(got)-maxSpans)
	b = append(b, byte(frameAck))
	b = binary.AppendUvarint(b, got[last].to-1)
	b = binary.AppendUvarint(b, uint64(max(held, 0)/heldUnit))
	b = append(b, byte(last-first))
	for i := last; i >= first; i-- {
		if i < last {
			b = binary.AppendUvarint(b, got[i+1].from-got[i].to-1)
		}
		b = binary.AppendUvarint(b, got[i].to-got[i].from-1)
	}
	return b
}

func appendStamps(b []byte, list []stamp) []byte {
	b = append(b, byte(frameStamps), byte(len(list)))
	for _, s := range list {
		b = binary.BigEndian.AppendUint32(binary.AppendUvarint(b, s.number), s.clock)
	}
	return b
}
