package udp

import (
	"context"
	"net/netip"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/testing/badline"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// By itself ENet gives a connection up when 5 s bring no acknowledgement on a fast line.
// A session does not, and nothing of it is lost.
func TestSessionOutlivesENetsTimeouts(t *testing.T) {
	t.Parallel()
	host := listenENet(t, Config{Silence: time.Minute})
	r, err := badline.Start(badline.Config{Target: host.Addr()})
	must.Succeed(t, err)
	defer r.Close()
	client := listenENet(t, Config{Silence: time.Minute})
	toHost := dialOK(t, client, r.Addr())
	want(t, client, link.Connected)
	toClient := want(t, host, link.Connected).Peer
	send(t, client, toHost, link.Bulk, "lanes open")
	wantMessage(t, host, link.Bulk, "lanes open")

	r.Blackout(9 * time.Second)
	send(t, client, toHost, link.Control, "in the dark")
	send(t, client, toHost, link.Bulk, "bulk in the dark")
	send(t, host, toClient, link.Control, "answer in the dark")
	got := map[string]bool{}
	for len(got) < 2 {
		got[string(want(t, host, link.Message).Data)] = true
	}
	wantMessage(t, client, link.Control, "answer in the dark")
	if !got["in the dark"] || !got["bulk in the dark"] {
		t.Fatalf("got %v", got)
	}
	if s, _ := client.Stats(toHost); s.Repaired == 0 {
		t.Errorf("nothing was sent again: %+v", s)
	}
	waitFor(t, "inputs to pass", func() bool {
		_ = client.Send(toHost, link.Input, []byte("x"))
		_ = host.Send(toClient, link.Input, []byte("x"))
		return len(host.Events()) > 0 && len(client.Events()) > 0
	})
}

// sleeper is a session whose peer was just heard, without a goroutine.
func sleeper(t *testing.T, l *Link, heard time.Time) *session {
	t.Helper()
	s := newSession(l, 1, 1, netip.MustParseAddrPort("127.0.0.1:9"), true)
	s.conn.Opened(heard)
	s.conn.Hear(heard)
	return s
}

// A process that was stopped for longer than the silence hears first what came
// meanwhile.
func TestOwnSleepIsNoSilence(t *testing.T) {
	now := time.Unix(1000, 0)
	s := sleeper(t, listenENet(t, Config{}), now)
	for _, step := range []time.Duration{0, 50 * time.Millisecond, time.Hour, 100 * time.Millisecond} {
		s.armed = now.Add(50 * time.Millisecond)
		now = now.Add(step)
		s.excuse(now)
	}
	if silent := now.Sub(s.conn.Heard()); silent > time.Second {
		t.Errorf("an hour of sleep counts as %v of silence", silent)
	}
}

// So does one that runs now and then, but too seldom.
func TestOwnLagIsNoSilence(t *testing.T) {
	now := time.Unix(1000, 0)
	s := sleeper(t, listenENet(t, Config{}), now)
	for range 100 {
		s.armed = now
		now = now.Add(asleep + 50*time.Millisecond)
		s.excuse(now)
	}
	if silent := now.Sub(s.conn.Heard()); silent > time.Second || silent < 0 {
		t.Errorf("after 25 s of lag the peer is silent for %v", silent)
	}
	s.conn.Hear(now)
	s.armed, now = now, now.Add(time.Minute)
	s.excuse(now)
	if s.conn.Heard().After(now) {
		t.Error("heard in the future")
	}
}

// A peer whose datagrams wait in our socket is not silent: we are late.
func TestUnreadIsNoSilence(t *testing.T) {
	conn := loopback(t)
	heard := time.Now()
	s := sleeper(t, listenENet(t, Config{}), heard)
	s.link = &Link{conn: conn, cfg: Config{Silence: 10 * time.Second}}
	silent := func(after time.Duration) bool { return s.silent(heard.Add(after)) }
	if silent(9*time.Second) || !silent(11*time.Second) {
		t.Error("10 s without a word are not taken for silence, or less is")
	}
	if _, err := conn.WriteTo([]byte("here I am"), conn.LocalAddr()); err != nil {
		t.Fatal(err)
	}
	if silent(19 * time.Second) {
		t.Error("silent although something is waiting to be read")
	}
	if !silent(21 * time.Second) {
		t.Error("what is waiting keeps a silent peer for ever")
	}
	if _, _, err := conn.ReadFrom(make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	if !silent(11 * time.Second) {
		t.Error("not silent although nothing is waiting any more")
	}
}

// A peer that fell silent does not keep itself, on another address, out of a full
// link.
func TestSilentPeersHoldNoPlace(t *testing.T) {
	t.Parallel()
	host := listenENet(t, Config{MaxPeers: 1, Silence: time.Minute, ConnectTimeout: testPatience})
	gone := listenENet(t, Config{})
	dialOK(t, gone, host.Addr())
	old := want(t, host, link.Connected).Peer
	host.Vouch(old)
	back := listenENet(t, Config{ConnectTimeout: testPatience}) // now, lest it gets the same port
	gone.abort()
	var toHost link.PeerID
	waitFor(t, "a place", func() bool {
		p, err := back.Dial(context.Background(), host.Addr())
		if err != nil && !isDialError(err, link.Rejected) {
			t.Fatal(err)
		}
		toHost = p
		return err == nil
	})
	if ev := want(t, host, link.Connected); ev.Peer == old {
		t.Fatalf("%+v", ev)
	}
	send(t, back, toHost, link.Control, "back")
	wantMessage(t, host, link.Control, "back")
	if _, ok := host.Stats(old); !ok {
		t.Error("the old connection ended before its time")
	}
}
