package udp

import (
	"fmt"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/stream"
)

// look sees to all that time brings.
func (s *session) look(now time.Time) {
	if s.silent(now) {
		s.quit(link.Reason{By: link.ByTimeout, Text: fmt.Sprintf("nothing was heard for %g seconds", s.link.cfg.Silence.Seconds())}, true)
		return
	}
	switch s.phase {
	case stream.Opening:
		if now.Sub(s.began) > s.openingTime() {
			s.quit(link.Reason{By: link.ByTimeout, Text: "connecting took too long"}, true)
			return
		}
	case stream.Flushing, stream.Leaving:
		s.part(now)
	}
	if s.phase != stream.Over {
		s.leaveIfAsked(now)
	}
	if s.phase != stream.Over {
		s.tend(now)
	}
}

// openingTime returns the time that a connection may take to come about after it was accepted. A line
// that loses one packet in ten takes over 5 s once in some hundred times, and there somebody is, so
// patience is worth it. An accepted dialer that says nothing gets no more time, since it keeps others
// out.
func (s *session) openingTime() time.Duration {
	if s.dialer || s.counters.received.Load() > 0 {
		return 2 * s.link.cfg.ConnectTimeout
	}
	return s.link.cfg.ConnectTimeout
}

// silent reports whether nothing was heard of the peer for too long. As long as our
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
		s.quit(link.Reason{By: link.ByLoss, Text: why}, false)
		return
	}
	if !leave || s.phase >= stream.Flushing {
		return
	}
	s.reason = link.Reason{By: link.ByLocal, Text: why}
	if s.phase == stream.Opening {
		s.quit(s.reason, true)
		return
	}
	s.enter(stream.Flushing, now)
	s.part(now)
}

// part goes on with a goodbye: first everything is confirmed, also what goes through the peer to
// others, then the bye is answered; neither is waited for too long.
func (s *session) part(now time.Time) {
	quick := s.out.isQuick()
	if s.phase == stream.Flushing {
		if (!s.out.empty() || s.link.needs(s)) && now.Sub(s.began) < stream.Patience(stream.FlushTime, quick) {
			return
		}
		s.enter(stream.Leaving, now)
	}
	if now.Sub(s.began) > stream.Patience(stream.LeaveTime, quick) {
		s.quit(s.reason, false)
		return
	}
	if now.Sub(s.bye) >= stream.ByeEvery {
		s.bye = now
		s.send(kindBye, []byte(s.reason.Text))
	}
}

// quit ends the session, which is not over yet. With tell, the peer is told once, without waiting for an
// answer; three times, for a datagram may be lost.
func (s *session) quit(r link.Reason, tell bool) {
	if tell {
		k := kindBye
		if r.By == link.ByTimeout {
			k = kindLost
		}
		for range 3 {
			s.send(k, []byte(r.Text))
		}
	}
	if s.phase == stream.Opening { // nobody has heard of it but Dial
		s.failure = r
		s.pending = pending{}
		close(s.ready)
	} else {
		s.pending.ended = &link.Event{Kind: link.Disconnected, Reason: r}
	}
	s.phase = stream.Over
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
	s.quit(link.Reason{By: link.ByLocal, Text: link.Words("the other side broke the protocol: "+err.Error(), link.MaxReason)}, true)
}
