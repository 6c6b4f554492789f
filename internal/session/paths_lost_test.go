package session

import (
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/badline"
	"github.com/nettplay/nettplay/internal/testing/impair"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// carried is the kind of a relay's datagram that brings another machine's.
const carried = 0xD5

// killable is a relay that ends without a word.
type killable struct {
	conn *net.UDPConn
	over chan struct{}
	near *badline.Relay // the game host's line to it, which hides the host's own address
	far  *badline.Relay // the same for the friend
}

// newKillable starts one. torment, if it is not nil, sends on what is for a player.
func newKillable(t *testing.T, torment func(b []byte, send func([]byte))) *killable {
	t.Helper()
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	must.Succeed(t, err)
	k := &killable{conn: conn, over: make(chan struct{})}
	go k.run(torment)
	t.Cleanup(k.kill)
	k.near, k.far = line(t, conn.LocalAddr().String()), line(t, conn.LocalAddr().String())
	return k
}

func (k *killable) run(torment func(b []byte, send func([]byte))) {
	defer close(k.over)
	s, began := relay.NewServer(relay.Limits{}), time.Now()
	for b := make([]byte, relay.MaxDatagram); ; {
		n, from, err := k.conn.ReadFromUDPAddrPort(b)
		if err != nil {
			return
		}
		out, to := s.Receive(b[:n], netip.AddrPortFrom(from.Addr().Unmap(), from.Port()), time.Since(began))
		send := func(b []byte) { _, _ = k.conn.WriteToUDPAddrPort(b, to) }
		switch {
		case out == nil:
		case torment != nil && out[0] == carried:
			torment(out, send)
		default:
			send(out)
		}
	}
}

func (k *killable) kill() { k.conn.Close(); <-k.over }

// untilWay waits until a friend's datagrams come in a way that match takes, and returns it.
func (p *machine) untilWay(friend, what string, match func(way string) bool) (way string) {
	p.t.Helper()
	for late := time.After(patience()); ; {
		p.mu.Lock()
		news := p.news
		var now room.Room
		for _, n := range p.heard {
			if r, ok := n.(notice.RoomNotice); ok {
				now = r.Room
			}
		}
		p.mu.Unlock()
		for _, x := range now.Players {
			if way = x.Way; x.Nickname == friend && x.Present && now.Phase == room.PhasePlaying && match(way) {
				return way
			}
		}
		select {
		case <-news:
		case <-p.done:
			p.t.Fatalf("%s: the session ended before %s; the way is %q", p.name, what, way)
		case <-late:
			p.t.Fatalf("%s: waited until %s; the way is %q", p.name, what, way)
		}
	}
}

// Two friends have a direct path and two relays, and lose one after the other amid play: the
// friend's router forgets, the host's router forgets all it knew and lets nobody in any more, the
// relay that has taken over is killed, and the second one, too, after a direct path has come back that is longer. Their game
// goes on each time, and both end with the same consoles.
func TestPathsEndAmidPlay(t *testing.T) {
	t.Parallel()
	const end = 700
	secret := seal.NewSecret()
	tb := bySockets(t, end, 2)
	host, friend := listenAt(t, "127.0.0.1", secret), listenAt(t, "127.0.0.1", secret)
	one, two, direct := newKillable(t, nil), newKillable(t, nil), line(t, host.Addr())
	box := secret.Mailbox(host.Key())
	host.SetMailbox(box, []string{one.near.Addr(), two.near.Addr()})
	anna := tb.sitWith(host, "", nil)
	ben := tb.sitWith(friend, link.Target(host.Key(), relay.Place(one.far.Addr(), box), relay.Place(two.far.Addr(), box), direct.Addr()), nil)
	isDirect := func(way string) bool { return way == "" }
	by := func(k *killable) func(string) bool {
		return func(way string) bool { return strings.Contains(way, k.near.Addr()) }
	}
	still := func(event string) {
		anna.goesOn()
		ben.goesOn()
		t.Logf("%s: play stood still for %v and %v", event, anna.stood().Round(time.Millisecond), ben.stood().Round(time.Millisecond))
	}
	anna.untilWay("Ben", "the path is direct", isDirect)
	still("at the beginning")

	direct.Rebind()
	still("the friend's router forgets")
	anna.untilWay("Ben", "the path is direct again", isDirect)

	must.Succeed(t, direct.Set(impair.Impairment{Loss: 1}))
	one.near.Rebind()
	two.near.Rebind()
	now := anna.untilWay("Ben", "a relay takes over", func(way string) bool { return way != "" })
	still("the host's mapping is lost")

	first, second := one, two
	if by(two)(now) {
		first, second = two, one
	}
	first.kill()
	anna.untilWay("Ben", "the other relay takes over", by(second))
	still("the relay is killed, another one is there")

	must.Succeed(t, direct.Set(impair.Impairment{Delay: 60 * time.Millisecond}))
	before := direct.Count(badline.ToClient).Forwarded
	for direct.Count(badline.ToClient).Forwarded < before+5 { // the friend knows that it is back
		anna.goesOn()
	}
	anna.stood()
	ben.stood()
	second.kill()
	anna.untilWay("Ben", "the direct path takes over", isDirect)
	still("the relay is killed, a direct path is there")
	if got, want := sameHashes(t, end, anna, ben), calm(t, end); !slices.Equal(got, want) {
		t.Errorf("the consoles end as %v, without these troubles as %v: inputs were lost", got, want)
	}
}

// calm is how the consoles of two players end whom nothing happens to.
func calm(t *testing.T, frames int64) []game.Hash {
	tb, secret := bySockets(t, frames, 2), seal.NewSecret()
	hurry := func(c *Config) { c.MaxSpeed = true }
	host := listenAt(t, "127.0.0.1", secret)
	anna := tb.sitWith(host, "", hurry)
	return sameHashes(t, frames, anna, tb.sitWith(listenAt(t, "127.0.0.1", secret), host.Addr(), hurry))
}

// goesOn waits until some frames more have begun.
func (p *machine) goesOn() {
	p.t.Helper()
	p.mu.Lock()
	now := p.started
	p.mu.Unlock()
	p.untilFrame(now + 15)
}
