package link

import (
	"bytes"
	"time"
)

const (
	memoryMargin   = 30 * time.Millisecond  // beyond a round trip, before a repetition
	memoryFirstRTT = 200 * time.Millisecond // while none is measured
)

// memoryStream is one reliable channel of a memoryEnd in both directions: the
// streams of the real link, over a plain repetition of what is not acknowledged.
type memoryStream struct {
	end     *memoryEnd
	channel Channel
	out     outStream
	in      inStream
	told    uint64           // the limit that the other side was last told
	flight  map[uint64]*shot // sent and not acknowledged, by number
}

// shot is a segment on its way.
type shot struct {
	seg   []byte
	at    time.Time // first sent
	tries int
	wait  time.Duration
	again *entry // the next repetition
}

func newMemoryStream(e *memoryEnd, ch Channel, window int, backlog int64) memoryStream {
	return memoryStream{
		end: e, channel: ch,
		out: outStream{most: backlog, limit: uint64(window)},
		in:  newInStream(window, MaxMessage(ch)), told: uint64(window),
		flight: map[uint64]*shot{},
	}
}

// room is how many more segments may be in flight.
func (s *memoryStream) room() int {
	if s.channel == Bulk {
		return lanes*carrierFlight - len(s.flight)
	}
	return carrierFlight - len(s.flight)
}

// flow sends what may be sent.
func (s *memoryStream) flow(now time.Time) {
	if s.end.phase == opening || s.end.phase == over {
		return
	}
	for s.room() > 0 {
		segs := s.out.take(1, now, nil)
		if len(segs) == 0 {
			return
		}
		number := s.out.next - 1
		s.flight[number] = &shot{seg: segs[0], at: now, wait: s.patience()}
		s.shoot(number, now)
	}
}

// patience is how long to wait for an acknowledgement at first.
func (s *memoryStream) patience() time.Duration {
	rtt := s.end.meter.rtt
	if rtt == 0 {
		rtt = memoryFirstRTT
	}
	return rtt + 4*s.end.meter.jitter + memoryMargin
}

func (s *memoryStream) shoot(number uint64, now time.Time) {
	x := s.flight[number]
	if x == nil {
		return
	}
	x.tries++
	ch := s.channel
	s.end.tell(int(ch), memoryHeader+len(x.seg), now, func(o *memoryEnd, now time.Time) {
		o.streams[ch].arrive(number, x.seg, now)
	})
	x.again = s.end.net.at(now.Add(x.wait), func(now time.Time) { s.shoot(number, now) })
	x.wait = min(2*x.wait, 4*s.patience()) // no longer than the real link's repairs
}

// arrive takes a segment from the other side and acknowledges it.
func (s *memoryStream) arrive(number uint64, seg []byte, now time.Time) {
	if number >= s.in.next {
		messages, err := s.in.accept(bytes.Clone(seg), nil)
		if err != nil {
			s.end.quit(Reason{ByLocal, "the other side broke the protocol: " + err.Error()})
			return
		}
		for _, m := range messages {
			s.end.home.post(s.end, Event{Kind: Message, Channel: s.channel, Data: m.data}, m.segs)
		}
	}
	ch, said := s.channel, s.end.progress()
	s.end.tell(classAck, memoryTalk, now, func(o *memoryEnd, now time.Time) {
		o.streams[ch].landed(number, now)
		o.confirmed(said, now)
	})
}

// landed is called when a segment is acknowledged.
func (s *memoryStream) landed(number uint64, now time.Time) {
	if x := s.flight[number]; x != nil {
		s.end.net.cancel(x.again)
		delete(s.flight, number)
	}
}

// confirmed takes what the other side says about the stream.
func (s *memoryStream) confirmed(p progress, now time.Time) {
	n, err := s.out.confirm(p)
	if err != nil {
		return // of an end that is over: its stream is gone
	}
	for i := range uint64(n) {
		s.landed(s.out.base-1-i, now)
	}
	s.flow(now)
}

// consumed is called when the consumer has a message.
func (s *memoryStream) consumed(segs int, now time.Time) {
	s.in.consumed(message{segs: segs})
	limit := s.in.progress().limit
	if limit < s.told+progressAtOnce || s.end.phase == over {
		return
	}
	s.told = limit
	said := s.end.progress()
	s.end.tell(classTalk, memoryTalk, now, func(o *memoryEnd, now time.Time) { o.confirmed(said, now) })
}

// stop forgets everything on its way.
func (s *memoryStream) stop() {
	for _, x := range s.flight {
		s.end.net.cancel(x.again)
	}
	clear(s.flight)
	s.out = outStream{}
}
