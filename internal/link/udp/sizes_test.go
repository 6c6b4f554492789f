package udp

import (
	"bytes"
	"errors"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/relay/service"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/testing/badline"
	"github.com/nettplay/nettplay/internal/testing/fixture"
	"github.com/nettplay/nettplay/internal/testing/impair"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// vpnLine is what a path of 1,280 bytes carries with the headers of IPv6 and UDP.
const vpnLine = 1232

// By whichever way, all that a link can send gets through a path of 1,280 bytes.
func TestSmallPaths(t *testing.T) {
	t.Parallel()
	small := func(t *testing.T, target string) string {
		r, err := badline.Start(badline.Config{Target: target, Impairment: impair.Impairment{Largest: vpnLine}})
		must.Succeed(t, err)
		t.Cleanup(func() { _ = r.Close() })
		return r.Addr()
	}
	for name, meet := range map[string]func(*testing.T) (a, b *Link, toB, toA link.PeerID){
		"direct": func(t *testing.T) (a, b *Link, toB, toA link.PeerID) {
			a, b = listenENet(t, Config{}), listenENet(t, Config{})
			toB = dialOK(t, a, small(t, b.Addr()))
			return a, b, toB, want(t, b, link.Connected).Peer
		},
		"relay": func(t *testing.T) (a, b *Link, toB, toA link.PeerID) {
			by, _ := fixture.RunRelay(t, service.Config{})
			secret := seal.NewSecret()
			a, b = listenIn(t, secret), listenIn(t, secret)
			box := secret.Mailbox(b.Key())
			b.SetMailbox(box, []string{small(t, by)})
			at := small(t, by)
			a.Relays(at)
			toB = dialOK(t, a, link.Target(b.Key(), relay.Place(at, box)))
			return a, b, toB, want(t, b, link.Connected).Peer
		},
		"WebSocket": func(t *testing.T) (a, b *Link, toB, toA link.PeerID) {
			conn := fixture.ListenRelay(t)
			web, blocked := listenWhereUDPIsBlocked(t, conn.LocalAddr().String())
			by, _ := fixture.RunRelay(t, service.Config{UDP: conn, Tunnels: []net.Listener{web}})
			secret := seal.NewSecret()
			a, b = listenIn(t, secret), listenIn(t, secret)
			box := secret.Mailbox(b.Key())
			b.SetMailbox(box, []string{small(t, by)})
			a.Relays(blocked)
			toB, err := a.Dial(t.Context(), link.Target(b.Key(), relay.Place(blocked, box)))
			for err != nil { // the tunnel is not open yet
				toB, err = a.Dial(t.Context(), link.Target(b.Key(), relay.Place(blocked, box)))
			}
			return a, b, toB, want(t, b, link.Connected).Peer
		},
		"third player": func(t *testing.T) (a, b *Link, toB, toA link.PeerID) {
			secret := seal.NewSecret()
			a, b = listenIn(t, secret), listenIn(t, secret)
			third := listenIn(t, secret)
			for _, l := range []*Link{a, b} {
				l.Introduce(dialOK(t, l, small(t, third.Addr())))
				want(t, l, link.Connected)
			}
			for range 2 {
				third.Introduce(want(t, third, link.Connected).Peer)
			}
			toB = dialOK(t, a, link.Told(b.Key(), link.Through(third.Key(), b.Key())))
			toA = want(t, b, link.Connected).Peer
			a.Introduce(toB)
			b.Introduce(toA)
			return a, b, toB, toA
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, b, toB, toA := meet(t)
			want(t, a, link.Connected)
			began := time.Now()
			for _, ch := range []link.Channel{link.Control, link.Bulk} {
				text := string(bytes.Repeat([]byte{7}, link.MaxMessage(ch)))
				send(t, a, toB, ch, text)
				wantMessage(t, b, ch, text)
				send(t, b, toA, ch, text)
				wantMessage(t, a, ch, text)
			}
			for _, x := range []struct {
				from, to *Link
				peer     link.PeerID
			}{{a, b, toB}, {b, a, toA}} {
				came := 0
				for range 40 {
					send(t, x.from, x.peer, link.Input, string(make([]byte, link.MaxInput)))
					time.Sleep(2 * time.Millisecond)
				}
				for quiet := false; !quiet; {
					select {
					case ev := <-x.to.Events():
						if ev.Channel != link.Input {
							t.Fatalf("%+v", ev)
						}
						came++
					case <-time.After(300 * time.Millisecond):
						quiet = true
					}
				}
				if came < 20 { // a busy machine loses some
					t.Errorf("%d of 40 inputs come", came)
				}
			}
			t.Logf("all that came within %v", time.Since(began))
		})
	}
}

// A path that carries less amid play: within two seconds everything goes on, also what was
// cut before.
func TestPathShrinksAmidPlay(t *testing.T) {
	t.Parallel()
	host := listenENet(t, Config{})
	line, err := badline.Start(badline.Config{Target: host.Addr(), Impairment: impair.Impairment{Delay: 20 * time.Millisecond, Bandwidth: 4 << 20}})
	must.Succeed(t, err)
	defer line.Close()
	client := listenENet(t, Config{})
	p := dialOK(t, client, line.Addr())
	want(t, host, link.Connected)
	go func() {
		for range client.Events() {
		}
	}()
	var bulk atomic.Int64
	go func() {
		for ev := range host.Events() {
			bulk.Add(int64(len(ev.Data)))
		}
	}()
	go pump(client, p, link.MaxBulk)
	s, err := client.session(p)
	must.Succeed(t, err)
	size := func() int {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.conn.Size() + enetAround + sealedAround
	}
	waitFor(t, "full datagrams", func() bool { return size() == maxDatagram && bulk.Load() > 2<<20 })
	must.Succeed(t, line.Set(impair.Impairment{Delay: 20 * time.Millisecond, Bandwidth: 4 << 20, Largest: vpnLine}))
	shrunk := time.Now()
	waitFor(t, "smaller datagrams", func() bool { return size() <= vpnLine })
	took := time.Since(shrunk)
	was := bulk.Load()
	waitFor(t, "more of the stream", func() bool { return bulk.Load() > was+4<<20 })
	t.Logf("smaller datagrams after %v, %d bytes of the stream until then; the next 4 MiB took %v", took, was, time.Since(shrunk)-took)
	if size() > vpnLine {
		t.Errorf("datagrams of %d bytes", size())
	}
}

// A program of another version is told so in words.
func TestOtherVersionIsTold(t *testing.T) {
	g := greeting{kind: kindRefuse, version: wireVersion - 1, nonce: 1}
	if err := g.whyNot(); err == nil || !bytes.Contains([]byte(err.Error()), []byte("another version")) {
		t.Errorf("%v", err)
	}
}

// pump sends on Bulk as fast as the link takes it, until the link is closed.
func pump(l link.Link, p link.PeerID, size int) {
	chunk := make([]byte, size)
	for {
		err := l.Send(p, link.Bulk, chunk)
		if errors.Is(err, link.ErrBacklog) {
			time.Sleep(500 * time.Microsecond)
		} else if err != nil {
			return
		}
	}
}
