package session

import (
	"cmp"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/session/notice"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// routed is a link whose first dials fail.
type routed struct {
	link.Link
	fails int
	why   link.DialFailure
	tries int
}

func (l *routed) Dial(ctx context.Context, addr string) (link.PeerID, error) {
	if l.tries++; l.tries <= l.fails {
		time.Sleep(link.DefaultConnect)
		return 0, &link.DialError{Addr: addr, Why: l.why}
	}
	return l.Link.Dial(ctx, addr)
}

// invited has a friend come in by an invitation through a router.
func invited(t *testing.T, l *routed, change func(*Config)) *machine {
	tb := newTable(t, modelCore(), rom(t, romstest.Save), 2)
	tb.sit(nil)
	return tb.sit(func(c *Config) {
		l.Link, c.Link = c.Link, l
		c.Join.Secret, c.Frames = seal.Secret{1}, 30
		change(c)
	})
}

// A friend for whom nothing gets through is told so once and soon, and comes in when the router
// lets it.
func TestFriendIsToldOfARouterInTheWay(t *testing.T) {
	bubble(t, func(t *testing.T) {
		friend := invited(t, &routed{fails: 4, why: link.NoAnswer}, func(*Config) {})
		began := time.Now()
		friend.until("being told", func(n notice.Notice) bool { return n == notice.Unanswered{} })
		if d := time.Since(began); d > link.DefaultConnect {
			t.Errorf("told after %v", d)
		}
		friend.untilPlaying()
		if n := strings.Count(friend.told(), "Unanswered"); n != 1 {
			t.Errorf("told %d times", n)
		}
	})
}

// A friend does not try for ever, and not on a network through which nothing comes, unless a relay
// may be reached there in another way.
func TestFriendGivesUp(t *testing.T) {
	for _, x := range []struct {
		why   link.DialFailure
		addr  string
		tries int
	}{
		{link.NoAnswer, "", int(invitedWait/link.DefaultConnect) + 1},
		{link.Deaf, "", 1},
		{link.Deaf, relay.Place("192.0.2.1:21206", relay.Mailbox{1}), 2},
	} {
		inBubble(t, x.why.String()+x.addr, func(t *testing.T) {
			l := &routed{fails: 1000, why: x.why}
			friend := invited(t, l, func(c *Config) { c.Join.Addr = cmp.Or(x.addr, c.Join.Addr) })
			<-friend.done
			if friend.err == nil || !strings.Contains(friend.err.Error(), x.why.String()) || l.tries != x.tries {
				t.Errorf("it ends after %d tries with %v", l.tries, friend.err)
			}
		})
	}
}
