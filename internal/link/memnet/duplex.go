package memnet

import (
	"time"

	"github.com/nettplay/nettplay/internal/agenda"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/stream"
)

const (
	margin   = 30 * time.Millisecond  // beyond a round trip, before a repetition
	firstRTT = 200 * time.Millisecond // while none is measured
)

// duplex is one reliable channel of an end in both directions: the
// streams of the real link, over a plain repetition of what is not acknowledged.
type duplex struct {
	end     *end
	channel link.Channel
	out     stream.Out
	in      stream.In
	told    uint64           // the limit that the other side was last told
	flight  map[uint64]*shot // sent and not acknowledged, by number
}

// shot is a segment on its way.
type shot struct {
	seg   []byte
	wait  time.Duration
	again *agenda.Entry // the next repetition
}

func newDuplex(e *end, ch link.Channel) duplex {
	s := duplex{end: e, channel: ch, out: stream.NewOut(ch), in: stream.NewIn(ch), flight: map[uint64]*shot{}}
	s.told = s.in.Progress().Limit
	return s
}

// room returns the number of further segments that may be in flight.
func (s *duplex) room() int {
	if s.channel == link.Bulk {
		return stream.Lanes*stream.CarrierFlight - len(s.flight)
	}
	return stream.CarrierFlight - len(s.flight)
}

// patience returns the first wait for an acknowledgement.
func (s *duplex) patience() time.Duration {
	rtt := s.end.meter.RTT()
	if rtt == 0 {
		rtt = firstRTT
	}
	return rtt + 4*s.end.meter.Jitter() + margin
}

// landed is called when a segment is acknowledged.
func (s *duplex) landed(number uint64) {
	if x := s.flight[number]; x != nil {
		s.end.net.agenda.Cancel(x.again)
		delete(s.flight, number)
	}
}

// confirmed takes what the other side says about the stream.
func (s *duplex) confirmed(p stream.Progress) {
	n, err := s.out.Confirm(p)
	if err != nil {
		return // of an end that is over: its stream is gone
	}
	for i := range uint64(n) {
		s.landed(s.out.ConfirmedUpTo() - 1 - i)
	}
}

// consumed is called when the consumer has a message. It says whether the other side should be told.
func (s *duplex) consumed(segs int) (news bool) {
	s.in.Consumed(segs)
	limit := s.in.Progress().Limit
	if limit < s.told+stream.ProgressAtOnce || s.end.phase == stream.Over {
		return false
	}
	s.told = limit
	return true
}

// stop forgets everything on its way.
func (s *duplex) stop() {
	for _, x := range s.flight {
		s.end.net.agenda.Cancel(x.again)
	}
	clear(s.flight)
	s.out = stream.Out{}
}
