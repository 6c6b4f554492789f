package conn

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/nettplay/nettplay/internal/link"
)

// A reliable channel is a stream of bytes: messages, each behind its length as a varint. A datagram carries
// any piece of it, known by its offset, so what is sent again is cut anew for what the path carries by then.
// The receiver says up to which offset it takes bytes: the consumer's pace is thus the sender's, and neither side
// ever keeps more than a window.

// streams is the number of reliable channels: Control, Bulk.
const streams = 2

// The windows and the backlogs, in bytes. Control's window must hold the largest message; Bulk's decides what a
// long and lossy line can carry: it is full until a lost piece has come after all.
var (
	windows  = [streams]uint64{link.Control: 640 << 10, link.Bulk: 3 << 20}
	backlogs = [streams]int64{link.Control: 1 << 20, link.Bulk: 4 << 20}
)

const (
	messageOverhead = 64   // what a small message costs beyond its bytes, for the backlog
	piecesAhead     = 8192 // pieces that came early: an honest sender cuts a window into fewer
)

// outStream is the sending end. It keeps what is not acknowledged.
type outStream struct {
	most     int64 // bytes it may keep
	bytes    int64 // that it keeps, by that measure
	messages []outMessage
	base     uint64 // all before it is acknowledged
	next     uint64 // all from it on has never been sent
	end      uint64 // of what is queued
	limit    uint64 // the receiver takes bytes before it
	acked    ranges // beyond base
	lost     ranges // to be sent again
	flight   int64  // bytes sent, and neither acknowledged nor lost
}

// outMessage is a message with its length before it.
type outMessage struct {
	offset uint64
	data   []byte
}

func newOut(ch link.Channel) outStream { return outStream{most: backlogs[ch], limit: windows[ch]} }

// push queues a copy of a message.
func (s *outStream) push(data []byte) error {
	cost := int64(len(data) + messageOverhead)
	if s.bytes+cost > s.most {
		return link.ErrBacklog
	}
	b := binary.AppendUvarint(make([]byte, 0, binary.MaxVarintLen32+len(data)), uint64(len(data)))
	b = append(b, data...)
	s.bytes += cost
	s.messages = append(s.messages, outMessage{s.end, b})
	s.end += uint64(len(b))
	return nil
}

// empty reports whether all that was queued is acknowledged.
func (s *outStream) empty() bool { return s.base == s.end }

// ready reports whether there is something to send, and the receiver takes it.
func (s *outStream) ready() bool { return len(s.lost) > 0 || s.next < min(s.end, s.limit) }

// nextPiece is the next piece to send, of at most so many bytes: what was lost goes before what is new.
func (s *outStream) nextPiece(most int) (piece span) {
	if len(s.lost) > 0 {
		piece = span{s.lost[0].from, min(s.lost[0].to, s.lost[0].from+uint64(most))}
		s.lost.remove(piece)
	} else {
		piece = span{s.next, min(s.end, s.limit, s.next+uint64(most))}
		s.next = piece.to
	}
	s.flight += int64(piece.to - piece.from)
	return piece
}

// append adds the bytes of a piece to b.
func (s *outStream) append(b []byte, piece span) []byte {
	i, found := slices.BinarySearchFunc(s.messages, piece.from, func(m outMessage, n uint64) int {
		if m.offset < n {
			return -1
		} else if m.offset > n {
			return 1
		}
		return 0
	})
	if !found {
		i--
	}
	for at := piece.from; at < piece.to; i++ {
		m := s.messages[i]
		part := m.data[at-m.offset : min(uint64(len(m.data)), piece.to-m.offset)]
		b = append(b, part...)
		at += uint64(len(part))
	}
	return b
}

// arrived takes the acknowledgement of a piece that was on its way, or, with late, was taken for lost.
func (s *outStream) arrived(piece span, late bool) {
	if !late {
		s.flight -= int64(piece.to - piece.from)
	}
	piece.from = max(piece.from, s.base)
	if piece.from >= piece.to {
		return
	}
	s.lost.remove(piece)
	s.acked.add(piece)
	if s.acked[0].from > s.base {
		return
	}
	s.base = s.acked[0].to
	s.acked = slices.Delete(s.acked, 0, 1)
	n := 0
	for n < len(s.messages) && s.messages[n].offset+uint64(len(s.messages[n].data)) <= s.base {
		_, head := binary.Uvarint(s.messages[n].data)
		s.bytes -= int64(len(s.messages[n].data) - head + messageOverhead)
		s.messages[n] = outMessage{}
		n++
	}
	s.messages = s.messages[n:]
}

// missed has what is not acknowledged of a lost piece sent again.
func (s *outStream) missed(piece span) {
	s.flight -= int64(piece.to - piece.from)
	piece.from = max(piece.from, s.base)
	s.lost.add(piece)
	for _, a := range s.acked {
		s.lost.remove(a)
	}
}

// message is a whole message, and how many bytes of the stream it took.
type message struct {
	data []byte
	size uint64
}

// inStream is the receiving end.
type inStream struct {
	most   int    // bytes of the largest message
	window uint64 // bytes
	next   uint64 // offset of the first byte that has not come
	taken  uint64 // bytes whose messages the consumer has taken
	told   uint64 // the limit that the sender knows
	seen   uint64 // pieces that have come
	early  []early

	head  []byte // of the length of the message that is coming in
	need  int    // bytes of it, -1 while that is not known
	body  []byte
	whole []message
}

// early is a piece that came before one that is to stand before it.
type early struct {
	offset uint64
	data   []byte
}

func newIn(ch link.Channel) inStream {
	return inStream{most: link.MaxMessage(ch), window: windows[ch], told: windows[ch], need: -1}
}

// limit is the offset up to which bytes are taken.
func (s *inStream) limit() uint64 { return s.taken + s.window }

var errBeyond = errors.New("stream: beyond what was allowed")

// accept takes a piece, which it does not keep. What it makes whole is added to whole.
func (s *inStream) accept(offset uint64, data []byte) error {
	if offset > 1<<62 || offset+uint64(len(data)) > s.limit() {
		return errBeyond
	}
	if offset > s.next {
		return s.keep(offset, data)
	}
	if skip := s.next - offset; skip < uint64(len(data)) {
		if err := s.join(data[skip:]); err != nil {
			return err
		}
	}
	n := 0
	for ; n < len(s.early) && s.early[n].offset <= s.next; n++ {
		e := s.early[n]
		s.early[n] = early{}
		if skip := s.next - e.offset; skip < uint64(len(e.data)) {
			if err := s.join(e.data[skip:]); err != nil {
				return err
			}
		}
	}
	if s.early = s.early[n:]; len(s.early) == 0 {
		s.early = nil
	}
	return nil
}

// keep keeps what a piece that came early has new.
func (s *inStream) keep(offset uint64, data []byte) error {
	i, _ := slices.BinarySearchFunc(s.early, offset, func(e early, n uint64) int {
		if e.offset <= n {
			return -1
		}
		return 1
	})
	if i > 0 { // the one before may have some of it
		end := s.early[i-1].offset + uint64(len(s.early[i-1].data))
		if end >= offset+uint64(len(data)) {
			return nil
		}
		if end > offset {
			data, offset = data[end-offset:], end
		}
	}
	j := i // and those behind it may be part of it
	for j < len(s.early) && s.early[j].offset+uint64(len(s.early[j].data)) <= offset+uint64(len(data)) {
		j++
	}
	if j < len(s.early) && s.early[j].offset < offset+uint64(len(data)) {
		data = data[:s.early[j].offset-offset]
	}
	if len(data) == 0 {
		return nil
	}
	if len(s.early)-(j-i) >= piecesAhead {
		return fmt.Errorf("stream: more than %d pieces that came early", piecesAhead)
	}
	s.early = slices.Replace(s.early, i, j, early{offset, bytes.Clone(data)})
	return nil
}

// join adds the next bytes in order.
func (s *inStream) join(data []byte) error {
	s.next += uint64(len(data))
	for len(data) > 0 || s.need == 0 {
		if s.need < 0 {
			s.head = append(s.head, data[0])
			data = data[1:]
			n, size := binary.Uvarint(s.head)
			if size == 0 && len(s.head) < binary.MaxVarintLen32 {
				continue
			}
			if size <= 0 || n > uint64(s.most) {
				return fmt.Errorf("stream: a message of more than %d bytes", s.most)
			}
			s.need, s.body = int(n), make([]byte, 0, n)
			continue
		}
		n := min(s.need, len(data))
		s.body = append(s.body, data[:n]...)
		data, s.need = data[n:], s.need-n
		if s.need == 0 {
			s.whole = append(s.whole, message{s.body, uint64(len(s.head) + len(s.body))})
			s.head, s.body, s.need = s.head[:0], nil, -1
		}
	}
	return nil
}
