package udp

import (
	"time"

	"github.com/nettplay/nettplay/internal/link/stream"
)

// progressDelay is the time before the peer is told of small progress.
const progressDelay = 20 * time.Millisecond

// tell sends pings, and progress when there is enough of it.
func (s *session) tell(now time.Time) {
	s.sayFinish(now)
	s.ask(now)
	s.tellAlone(now)
	switch {
	case !s.dialer && s.counters.received.Load() == 0: // the dialer does not know yet that it was accepted
	case now.Sub(s.ping) >= s.pingInterval():
		s.ping = now
		s.pingSoon(now)
	case s.newsDue(now):
		s.send(kindProgress, stream.AppendProgress(nil, s.tellProgress()))
	}
}

// newsDue reports whether the peer should hear of our progress now: at once when it
// may be waiting for it, else after a while, when one datagram tells of more.
func (s *session) newsDue(now time.Time) bool {
	progress := s.progress()
	for i, p := range progress {
		told := s.told[i]
		if p.Received >= told.Received+stream.ProgressAtOnce || p.Limit >= told.Limit+stream.ProgressAtOnce {
			return true
		}
	}
	switch {
	case progress == s.told:
		s.untold = time.Time{}
	case s.untold.IsZero():
		s.untold = now
	case now.Sub(s.untold) >= progressDelay:
		return true
	}
	return false
}

func (s *session) pingInterval() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.meter.Interval()
}

// sayFinish repeats the end of a handshake until something is heard: before that the other
// side can read nothing.
func (s *session) sayFinish(now time.Time) {
	s.sealing.mu.Lock()
	noise := s.sealing.finish
	if s.counters.received.Load() > 0 {
		s.sealing.finish = nil
	}
	s.sealing.mu.Unlock()
	if noise == nil || now.Sub(s.asked) < stream.GreetEvery {
		return
	}
	s.asked = now
	s.greet(greeting{kind: kindFinish, noise: noise})
}

// askEvery is the time between two questions to a silent peer whether it knows the session still.
const askEvery = 500 * time.Millisecond

// ask asks a peer that falls silent: its program may have been started again.
func (s *session) ask(now time.Time) {
	if s.phase == stream.Opening || now.Sub(s.in.lastHeard()) < hearsPeer || now.Sub(s.asked) < askEvery {
		return
	}
	s.asked = now
	s.greet(greeting{kind: kindAsk})
}

// greet sends a greeting about this session.
func (s *session) greet(g greeting) {
	g.version, g.nonce = wireVersion, s.wire
	_ = s.link.write(s.sealing.room.tagged(g), s.address())
}
