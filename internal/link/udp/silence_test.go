package udp

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
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

// A program that has ended is told from one that is there, and from a line that is
// dark; connections are not disturbed.
func TestAbsent(t *testing.T) {
	a, err := Listen(Config{Bind: "127.0.0.1"})
	must.Succeed(t, err)
	defer a.Close()
	b, err := Listen(Config{Bind: "127.0.0.1"})
	must.Succeed(t, err)
	if a.Absent(t.Context(), b.Addr()) {
		t.Error("who listens is said to be absent")
	}
	b.Close()
	if !a.Absent(t.Context(), b.Addr()) {
		t.Error("who is gone is not said to be absent")
	}
	if a.Absent(t.Context(), "no address") {
		t.Error("what is no address is said to be absent")
	}
}

// soon is within which a guest is to know.
const soon = 2 * time.Second

// Who has an invitation to a room that its machine has left for another one knows it within two seconds, also where
// other addresses of the invitation say nothing; and with the right one comes in.
func TestOutdatedInvitation(t *testing.T) {
	t.Parallel()
	host := listenIn(t, seal.NewSecret())
	far, err := badline.Start(badline.Config{Target: host.Addr(), Impairment: impair.Impairment{Delay: 100 * time.Millisecond}})
	must.Succeed(t, err)
	defer far.Close()
	silent := loopback(t)
	for name, addrs := range map[string][]string{
		"near":                  {host.Addr()},
		"far":                   {far.Addr()},
		"among silent ones":     {silent.LocalAddr().String(), host.Addr()},
		"and another machine's": {listenIn(t, seal.NewSecret()).Addr(), host.Addr()},
	} {
		guest := listenIn(t, seal.NewSecret())
		began := time.Now()
		_, err := guest.Dial(t.Context(), link.Target(host.Key(), addrs...))
		if took := time.Since(began); !isDialError(err, link.Outdated) || took > soon {
			t.Errorf("%s: %v, after %v", name, err, took)
		}
		if words, hint := link.NotReached(err).Error(), link.Hint(err); !strings.Contains(words, "the invitation is outdated") || !strings.Contains(hint, "Ask for a new invitation") {
			t.Errorf("%s: the guest reads %q, %q", name, words, hint)
		}
	}
	guest := listenIn(t, host.room().secret)
	dialOK(t, guest, link.Target(host.Key(), silent.LocalAddr().String(), far.Addr()))
}

// A guest whose invitation is right is never told that it is outdated, however bad the line.
func TestBadLineIsNotOutdated(t *testing.T) {
	t.Parallel()
	host := listenIn(t, seal.NewSecret())
	for seed, imp := range []impair.Impairment{
		{Loss: 0.7},
		{Delay: 900 * time.Millisecond, Jitter: 400 * time.Millisecond, Duplicate: 0.5},
		{Loss: 1},
	} {
		line, err := badline.Start(badline.Config{Target: host.Addr(), Impairment: imp, Seed: uint64(seed)})
		must.Succeed(t, err)
		guest := listenIn(t, host.room().secret)
		ctx, stop := context.WithTimeout(t.Context(), 3*time.Second)
		_, err = guest.Dial(ctx, link.Target(host.Key(), line.Addr()))
		stop()
		if err != nil && !isDialError(err, link.Aborted) && !isDialError(err, link.NoAnswer) && !isDialError(err, link.Unsteady) {
			t.Errorf("%+v: %v", imp, err)
		}
		_ = line.Close()
	}
}

// Strangers, who do not know the key, get no answer to the question; those who do get one that is shorter. Nobody but
// the machine says that an invitation is outdated.
func TestOnlyTheInvitedAreToldAndOnlyByTheMachine(t *testing.T) {
	t.Parallel()
	host := listenIn(t, seal.NewSecret())
	conn := loopback(t)
	other := seal.NewSecret()
	ask := func(by *seal.Greeter, room seal.Secret) (answer []byte) {
		t.Helper()
		b := by.Append(still(7, newRoom(room, false).greeter).append(nil))
		_, err := conn.WriteTo(b, host.conn.LocalAddr())
		must.Succeed(t, err)
		must.Succeed(t, conn.SetReadDeadline(time.Now().Add(300*time.Millisecond)))
		answer = make([]byte, 1000)
		n, _, err := conn.ReadFrom(answer)
		if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
			return nil
		}
		must.Succeed(t, err)
		if n >= len(b) {
			t.Errorf("%d bytes answer %d", n, len(b))
		}
		return answer[:n]
	}
	if a := ask(testKey(t).Public().Greeter(), other); a != nil {
		t.Errorf("a stranger is told %x", a)
	}
	if a := ask(host.Key().Greeter(), host.room().secret); a != nil {
		t.Errorf("a guest with the right secret is told %x", a)
	}
	answer := ask(host.Key().Greeter(), other)
	g, err := decodeGreeting(answer[:max(0, len(answer)-seal.TagSize)])
	if err != nil || g.kind != kindRefuse || g.code != refuseSecret {
		t.Fatalf("%x: %+v, %v", answer, g, err)
	}
	guest := listenIn(t, other)
	d, err := guest.newDial()
	must.Succeed(t, err)
	defer guest.endDial(d)
	guest.meant(d, host.Key())
	for name, by := range map[string]*seal.Greeter{"another machine": testKey(t).Public().Greeter(), "the room": guest.room().greeter, "the machine": host.Key().Greeter()} {
		no := greeting{kind: kindRefuse, version: wireVersion, nonce: d.nonce, code: refuseSecret}
		guest.outdated(by.Append(no.append(nil)), conn.LocalAddr().(*net.UDPAddr).AddrPort())
		if n := len(d.answers); (n == 1) != (name == "the machine") {
			t.Errorf("%s: %d answers", name, n)
		}
		for len(d.answers) > 0 {
			<-d.answers
		}
	}
}

// A guest who has a relay alone is told within two seconds that no such room is there: its secret is the place at the relay.
// With the right one the guest comes in, also where the game host comes to the relay a moment later.
func TestOutdatedInvitationAtARelay(t *testing.T) {
	t.Parallel()
	by, _ := fixture.RunRelay(t, service.Config{})
	right, wrong := seal.NewSecret(), seal.NewSecret()
	host := listenIn(t, right)
	guest := listenIn(t, wrong)
	began := time.Now()
	_, err := guest.Dial(t.Context(), link.Target(host.Key(), relay.Place(by, wrong.Mailbox(host.Key()))))
	if took := time.Since(began); !isDialError(err, link.NoRoom) || took > soon {
		t.Errorf("%v, after %v", err, took)
	}
	if words, hint := link.NotReached(err).Error(), link.Hint(err); !strings.Contains(words, "the relay knows no such room") || !strings.Contains(hint, "Ask for a new invitation") {
		t.Errorf("the guest reads %q, %q", words, hint)
	}
	silent := loopback(t)
	began = time.Now()
	_, err = guest.Dial(t.Context(), link.Target(host.Key(), silent.LocalAddr().String(), relay.Place(by, wrong.Mailbox(host.Key()))))
	if took := time.Since(began); !isDialError(err, link.NoRoom) || took < soon {
		t.Errorf("with an address that may answer yet: %v, after %v", err, took)
	}
	box := right.Mailbox(host.Key())
	time.AfterFunc(500*time.Millisecond, func() { host.SetMailbox(box, []string{by}) })
	dialOK(t, listenIn(t, right), link.Target(host.Key(), relay.Place(by, box)))
}

// TestRunRestsForASlowConsumer: run, which waits with an event itself, is not woken for one that the consumer has no
// place for; anybody else's turn wakes it.
func TestRunRestsForASlowConsumer(t *testing.T) {
	for _, running := range []bool{true, false} {
		s := &session{link: &Link{events: make(chan link.Event)}, wake: make(chan struct{}, 1), head: new(link.Event), running: running}
		s.handEvents(time.Now())
		if woken := len(s.wake) > 0; s.head == nil || woken == running {
			t.Errorf("in a turn of run: %v; woken: %v; the event waits: %v", running, woken, s.head != nil)
		}
	}
}
