package link

import (
	"fmt"
	"time"
)

// look sees to all that time brings.
func (s *session) look(now time.Time) {
	if s.silent(now) {
		s.quit(Reason{ByTimeout, fmt.Sprint("nothing was heard for ", s.link.cfg.Silence)}, true)
		return
	}
	switch s.phase {
	case opening:
		if now.Sub(s.began) > s.openingTime() {
			s.quit(Reason{ByTimeout, "connecting took too long"}, true)
			return
		}
	case flushing, leaving:
		s.part(now)
	}
	s.leaveIfAsked(now)
	if s.phase != over {
		s.tend(now)
	}
}

// openingTime is how long a connection may take to come about after it was accepted. A
// line that loses one packet in ten takes over 5 s once in some hundred times, and there
// somebody is, so patience is worth it. An accepted dialer that says nothing gets no more
// time, since it keeps others out.
func (s *session) openingTime() time.Duration {
	if s.dialer || s.counters.received.Load() > 0 {
		return 2 * s.link.cfg.ConnectTimeout
	}
	return s.link.cfg.ConnectTimeout
}

// silent says whether nothing was heard of the peer for too long. As long as our
// socket holds unread datagrams, our own process is late. It may be late for as long again at
// most, for strangers can fill the socket, too.
func (s *session) silent(now time.Time) bool {
	quiet, most := now.Sub(s.in.lastHeard()), s.link.cfg.Silence
	return quiet > most && (quiet > 2*most || !s.link.unread())
}

// leaveIfAsked begins what Disconnect asked for.
func (s *session) leaveIfAsked(now time.Time) {
	s.out.mu.Lock()
	leave, why, abandon := s.out.leave, s.out.why, s.out.replaced
	s.out.mu.Unlock()
	if abandon {
		s.quit(Reason{ByLoss, why}, false)
		return
	}
	if !leave || s.phase >= flushing {
		return
	}
	s.reason = Reason{ByLocal, why}
	if s.phase == opening {
		s.quit(s.reason, true)
		return
	}
	s.enter(flushing, now)
	s.part(now)
}

// part goes on with a goodbye: first everything is confirmed, then the bye is
// answered; neither is waited for too long.
func (s *session) part(now time.Time) {
	quick := s.out.isQuick()
	if s.phase == flushing {
		if !s.out.empty() && now.Sub(s.began) < patience(flushTime, quick) {
			return
		}
		s.enter(leaving, now)
	}
	if now.Sub(s.began) > patience(leaveTime, quick) {
		s.quit(s.reason, false)
		return
	}
	if now.Sub(s.bye) >= byeEvery {
		s.bye = now
		s.sendWords(kindBye, s.reason.Text)
	}
}

func patience(d time.Duration, quick bool) time.Duration {
	if quick {
		return quickTime
	}
	return d
}

func (s *session) enter(p phase, now time.Time) { s.phase, s.began = p, now }

// opened is called when the first main carrier is up.
func (s *session) opened(now time.Time) {
	s.enter(open, now)
	s.pending.connected = []Event{{Kind: Connected}}
	close(s.ready)
}

// quit ends the session. With tell, the peer is told once, without waiting for an
// answer; three times, for a datagram may be lost.
func (s *session) quit(r Reason, tell bool) {
	if tell {
		k := kindBye
		if r.By == ByTimeout {
			k = kindLost
		}
		for range 3 {
			s.sendWords(k, r.Text)
		}
	}
	if s.phase == opening { // nobody has heard of it but Dial
		s.mu.Lock()
		s.failure = r
		s.mu.Unlock()
		s.pending = pending{}
		close(s.ready)
	} else {
		s.pending.ended = []Event{{Kind: Disconnected, Reason: r}}
	}
	s.phase = over
	s.out.close()
	s.link.forget(s)
	s.carriers = carriers{} // ENet frees what they point to
	if s.hop != nil {
		s.hop.close()
	}
}

// replaced ends the session because the peer has begun another from the same
// address: its program was started again. The caller holds the link's mu.
func (s *session) replaced() {
	s.old = true
	s.out.abandon("connected again from the same address")
	s.poke()
}

// giveWay ends a stranger's session in favour of another's. The caller holds the link's mu.
func (s *session) giveWay() {
	s.old = true
	s.out.end("too many others want to come in", true)
	s.poke()
}

// broken ends the session because the peer broke the protocol.
func (s *session) broken(err error) {
	s.quit(Reason{ByLocal, words("the other side broke the protocol: "+err.Error(), MaxReason)}, true)
}

// outcome is the reason why a session that is ready never was open; failed is
// false if it was.
func (s *session) outcome() (r Reason, failed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failure, s.failure.By != 0
}
