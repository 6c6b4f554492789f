package adversary

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/udp"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/relay/service"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// swarmed is a mailbox of somebody who has many, with a socket at each of several addresses.
type swarmed struct {
	*relay.Client
	sockets []*net.UDPConn
}

func newSwarm(t *testing.T, to netip.AddrPort, boxes int, from ...string) (swarm []swarmed) {
	t.Helper()
	for i := range boxes {
		box := relay.Mailbox{1, byte(i)}
		m := swarmed{Client: relay.NewClient(box, func(string) relay.Owner { return relay.Owner{1, byte(i)} })}
		n, _ := m.Use("relay")
		m.Resolved(n, []netip.AddrPort{to})
		for _, a := range from {
			conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.ParseIP(a)})
			if err != nil {
				t.Skipf("NO FLOOD, NOT TESTED: %v", err)
			}
			t.Cleanup(func() { conn.Close() })
			m.sockets = append(m.sockets, conn)
		}
		swarm = append(swarm, m)
	}
	return swarm
}

// claim claims the mailbox from one of its addresses, and proves what the relay wants proven. The mailbox's own clock, which goes fast,
// has it claim each time.
func (m swarmed) claim(at int, now time.Time) {
	conn, b := m.sockets[at], make([]byte, relay.MaxDatagram)
	list, _ := m.Due(now)
	for _, d := range list {
		_, _ = conn.WriteToUDPAddrPort(d.Bytes, d.To)
	}
	for range 2 {
		_ = conn.SetReadDeadline(time.Now().Add(2 * time.Millisecond))
		n, from, err := conn.ReadFromUDPAddrPort(b)
		if err != nil {
			return
		}
		from = netip.AddrPortFrom(from.Addr().Unmap(), from.Port())
		if _, _, more := m.Unwrap(b[:n], from, now); more != nil {
			_, _ = conn.WriteToUDPAddrPort(more, from)
		}
	}
}

// Somebody with two addresses, and many times the mailboxes that a relay lets one have, claims each from one and moves it to the other,
// without end. The relay keeps no more of theirs than two addresses may have, and friends meet through it within seconds.
func TestCrowdThatMovesFillsNoRelay(t *testing.T) {
	const perHost = 8
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	must.Succeed(t, err)
	at := conn.LocalAddr().(*net.UDPAddr).AddrPort()
	ended := make(chan relay.Figures, 1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		f, _ := service.Run(ctx, service.Config{UDP: conn, Limits: relay.Limits{Mailboxes: 100, PerHost: perHost}})
		ended <- f
	}()
	swarm := newSwarm(t, at, 120, "127.0.4.1", "127.0.4.2")
	var stop atomic.Bool
	var claims atomic.Int64
	var attack sync.WaitGroup
	attack.Go(func() {
		for now := time.Now(); !stop.Load(); {
			for _, m := range swarm {
				for at := range m.sockets { // a place is taken at one address, and left free for the next one
					now = now.Add(time.Minute)
					m.claim(at, now)
				}
				claims.Add(1)
			}
		}
	})
	for claims.Load() < int64(len(swarm)) { // it has all that it can get
		time.Sleep(time.Millisecond)
	}
	tries := 1
	if long() {
		tries = 20
	}
	for i := range tries {
		friendsMeet(t, at.String(), fmt.Sprint("127.0.5.", i+1))
	}
	stop.Store(true)
	attack.Wait()
	cancel()
	f := <-ended
	t.Logf("%d claims: %+v", claims.Load(), f)
	if f.Mailboxes > 2*perHost+2*tries {
		t.Errorf("there are %d mailboxes, of two addresses that may have %d each and %d friends", f.Mailboxes, perHost, 2*tries)
	}
	if f.Mailboxes < perHost || f.Full == 0 {
		t.Errorf("the relay was not attacked: %+v", f)
	}
}

// friendsMeet has one find another by a relay alone.
func friendsMeet(t *testing.T, at, from string) {
	t.Helper()
	const within = 5 * time.Second
	key, _ := seal.NewKey()
	secret := seal.NewSecret()
	host, err := udp.Listen(udp.Config{Bind: from, Key: key, Room: secret})
	must.Succeed(t, err)
	defer host.Close()
	began := time.Now()
	host.SetMailbox(secret.Mailbox(key.Public()), []string{at})
	guest, err := udp.Listen(udp.Config{Bind: from, Room: secret})
	must.Succeed(t, err)
	defer guest.Close()
	for {
		_, err = guest.Dial(t.Context(), link.Target(key.Public(), relay.Place(at, secret.Mailbox(key.Public()))))
		if err == nil || time.Since(began) > 3*within {
			break
		}
	}
	if took := time.Since(began); err != nil || took > within && long() {
		t.Errorf("friends meet after %v, %v", took, err)
	}
}
