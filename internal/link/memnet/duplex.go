package memnet

import (
	"bytes"
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
	at    time.Time // first sent
	tries int
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

// flow sends what may be sent.
func (s *duplex) flow(now time.Time) {
	if s.end.phase == stream.Opening || s.end.phase == stream.Over {
		return
	}
	for s.room() > 0 {
		segs := s.out.Take(1, now, nil)
		if len(segs) == 0 {
			return
		}
		number := s.out.TakenUpTo() - 1
		s.flight[number] = &shot{seg: segs[0], at: now, wait: s.patience()}
		s.shoot(number, now)
	}
}

// patience returns the first wait for an acknowledgement.
func (s *duplex) patience() time.Duration {
	rtt := s.end.meter.RTT()
	if rtt == 0 {
		rtt = firstRTT
	}
	return rtt + 4*s.end.meter.Jitter() + margin
}

func (s *duplex) shoot(number uint64, now time.Time) {
	x := s.flight[number]
	if x == nil {
		return
	}
	x.tries++
	ch := s.channel
	s.end.tell(int(ch), headerSize+len(x.seg), now, func(o *end, now time.Time) {
		o.streams[ch].arrive(number, x.seg, now)
	})
	x.again = s.end.at(now.Add(x.wait), func(now time.Time) { s.shoot(number, now) })
	x.wait = min(2*x.wait, 4*s.patience()) // no longer than the real link's repairs
}

// arrive takes a segment from the other side and acknowledges it.
func (s *duplex) arrive(number uint64, seg []byte, now time.Time) {
	if number >= s.in.Progress().Received {
		messages, err := s.in.Accept(bytes.Clone(seg), nil)
		if err != nil {
			s.end.quit(link.Reason{By: link.ByLocal, Text: "the other side broke the protocol: " + err.Error()})
			return
		}
		for _, m := range messages {
			s.end.home.post(s.end, link.Event{Kind: link.Message, Channel: s.channel, Data: m.Data}, m.Segs)
		}
	}
	ch, said := s.channel, s.end.progress()
	s.end.tell(classAck, talkSize, now, func(o *end, now time.Time) {
		o.streams[ch].landed(number, now)
		o.confirmed(said, now)
	})
}

// landed is called when a segment is acknowledged.
func (s *duplex) landed(number uint64, now time.Time) {
	if x := s.flight[number]; x != nil {
		s.end.net.agenda.Cancel(x.again)
		delete(s.flight, number)
	}
}

// confirmed takes what the other side says about the stream.
func (s *duplex) confirmed(p stream.Progress, now time.Time) {
	n, err := s.out.Confirm(p)
	if err != nil {
		return // of an end that is over: its stream is gone
	}
	for i := range uint64(n) {
		s.landed(s.out.ConfirmedUpTo()-1-i, now)
	}
	s.flow(now)
}

// consumed is called when the consumer has a message.
func (s *duplex) consumed(segs int, now time.Time) {
	s.in.Consumed(segs)
	limit := s.in.Progress().Limit
	if limit < s.told+stream.ProgressAtOnce || s.end.phase == stream.Over {
		return
	}
	s.told = limit
	said := s.end.progress()
	s.end.tell(classTalk, talkSize, now, func(o *end, now time.Time) { o.confirmed(said, now) })
}

// stop forgets everything on its way.
func (s *duplex) stop() {
	for _, x := range s.flight {
		s.end.net.agenda.Cancel(x.again)
	}
	clear(s.flight)
	s.out = stream.Out{}
}
