package udp

import (
	"net/netip"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/stream"
	"github.com/nettplay/nettplay/internal/must"
)

// A session whose goodbye nobody answers ends once, although its peer's program has begun another from
// the same address in that very turn: its ENet host is freed once.
func TestEndsOnce(t *testing.T) {
	l, err := Listen(Config{})
	must.Succeed(t, err)
	defer l.Close()
	s := newSession(l, 1, 1, netip.MustParseAddrPort("127.0.0.1:9"), true)
	s.hop, err = newHop()
	must.Succeed(t, err)
	s.reason = link.Reason{By: link.ByLocal, Text: "dinner"}
	now := time.Now()
	s.enter(stream.Leaving, now.Add(-time.Minute))
	s.out.abandon("connected again")
	s.look(now)
	if ended := s.pending.ended; s.phase != stream.Over || ended == nil || ended.Reason != s.reason {
		t.Errorf("in phase %v it tells of its end %v, want reason %v", s.phase, ended, s.reason)
	}
}
