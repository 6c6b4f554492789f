package udp

import (
	"bytes"
	"context"
	"encoding/binary"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
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

// town is a game host and a friend who reach each other by a relay, and directly by a line
// that can be cut. Between them and the relay are lines that hide their own addresses, as
// routers do.
type town struct {
	t            *testing.T
	host, friend *Link
	direct       *badline.Relay
	hostLine     *badline.Relay // to the relay
	kill         func()         // the relay
	at           link.PeerID    // the host, for the friend
	from         link.PeerID    // the friend, for the host
	said, heard  uint32
}

func newTown(t *testing.T) *town {
	w := newStrangeTown(t)
	w.showDirect()
	return w
}

// newStrangeTown is one whose host does not know the address of the direct line.
func newStrangeTown(t *testing.T) *town {
	by, kill := fixture.RunRelay(t, service.Config{})
	w := &town{t: t, kill: kill}
	line := func(target string) *badline.Relay {
		r, err := badline.Start(badline.Config{Target: target})
		must.Succeed(t, err)
		t.Cleanup(func() { _ = r.Close() })
		return r
	}
	secret := seal.NewSecret()
	w.host, w.friend = listenIn(t, secret), listenIn(t, secret)
	w.hostLine, w.direct = line(by), line(w.host.Addr())
	box := secret.Mailbox(w.host.Key())
	w.host.SetMailbox(box, []string{w.hostLine.Addr()})
	var err error
	if w.at, err = w.friend.Dial(t.Context(), link.Target(w.host.Key(), relay.Place(line(by).Addr(), box))); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *town) showDirect() {
	w.host.SetAddresses([]netip.AddrPort{netip.MustParseAddrPort(w.direct.Addr())})
}

func listenIn(t *testing.T, secret seal.Secret) *Link {
	l, err := Listen(Config{Bind: "127.0.0.1", Room: secret})
	must.Succeed(t, err)
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// talk is talkUntil for a way that goes by a relay, or for one that does not.
func (w *town) talk(relayed bool) {
	w.t.Helper()
	w.talkUntil(func(by link.Route) bool { return by.Relay != "" == relayed })
}

// talkUntil has the friend say numbers on Control, and the host hear all of them in order, until
// the way to the host is as wanted.
func (w *town) talkUntil(wanted func(link.Route) bool) {
	w.t.Helper()
	late := time.After(testPatience)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for done := false; !done || w.heard < w.said; {
		select {
		case <-tick.C:
			st, ok := w.friend.Stats(w.at)
			if !ok {
				w.t.Fatal("the connection is lost")
			}
			if done = done || wanted(st.Route); !done {
				w.said++
				must.Succeed(w.t, w.friend.Send(w.at, link.Control, binary.BigEndian.AppendUint32(nil, w.said)))
			}
		case ev := <-w.host.Events():
			w.hear(ev)
		case <-w.friend.Events():
		case <-late:
			st, _ := w.friend.Stats(w.at)
			w.t.Fatalf("the route is %+v, %d of %d numbers have come", st.Route, w.heard, w.said)
		}
	}
}

func (w *town) hear(ev link.Event) {
	switch ev.Kind {
	case link.Connected:
		w.from = ev.Peer
	case link.Disconnected:
		w.t.Fatalf("the host has lost the friend: %v", ev.Reason)
	case link.Message:
		if w.heard++; binary.BigEndian.Uint32(ev.Data) != w.heard {
			w.t.Fatalf("number %d comes as the %dth", binary.BigEndian.Uint32(ev.Data), w.heard)
		}
	}
}

// A friend who comes in by the relay is moved to the direct path, back to the relay when
// that is cut amid play, and to the direct path again; nothing is lost, and no order changes.
func TestBestPathIsTaken(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	w.talk(false)
	must.Succeed(t, w.direct.Set(impair.Impairment{Loss: 1}))
	w.talk(true)
	must.Succeed(t, w.direct.Set(impair.Impairment{}))
	w.talk(false)
}

// A router may open late, when the friend has been playing by the relay for a while.
func TestAddressThatBecomesKnownLaterIsTried(t *testing.T) {
	t.Parallel()
	w := newStrangeTown(t)
	w.talk(true)
	for direct := link.NotTried; direct == link.NotTried; time.Sleep(5 * time.Millisecond) {
		st, _ := w.friend.Stats(w.at) // until the first addresses were told
		direct = st.Route.Direct
	}
	w.showDirect()
	w.talk(false)
}

// A router that forgets the friend amid play gives it another address: what both say arrives.
func TestAddressChangesAmidPlay(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	w.talk(false)
	w.kill() // nothing but the direct line is left
	for range 3 {
		w.direct.Rebind()
		for range 20 {
			w.said++
			must.Succeed(t, w.friend.Send(w.at, link.Control, binary.BigEndian.AppendUint32(nil, w.said)))
		}
		w.talk(false)
		must.Succeed(t, w.host.Send(w.from, link.Control, []byte("to the new address")))
		for ev := range w.friend.Events() {
			if ev.Kind == link.Message {
				break
			}
		}
	}
}

func TestDirectPathOutlivesTheRelay(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	w.talk(false)
	w.kill()
	must.Succeed(t, w.friend.Send(w.at, link.Control, binary.BigEndian.AppendUint32(nil, w.said+1)))
	w.said++
	w.talk(false)
}

// Where there is no direct way, players play by the relay, and the link says how it is.
func TestRelayAloneCarriesAGame(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	must.Succeed(t, w.direct.Set(impair.Impairment{Loss: 1}))
	w.talk(true)
	must.Succeed(t, w.friend.Send(w.at, link.Bulk, bytes.Repeat([]byte{1}, link.MaxBulk)))
	for ev := range w.host.Events() {
		if ev.Kind == link.Message && ev.Channel == link.Bulk {
			break
		}
	}
	st, _ := w.friend.Stats(w.at)
	if st.Route.Relay == "" || st.Route.Direct.String() == "" {
		t.Errorf("the route is %+v", st.Route)
	}
}

func FuzzCandidates(f *testing.F) {
	f.Add(candidates{number: 1, list: []netip.AddrPort{netip.MustParseAddrPort("192.0.2.1:5")}}.append(nil))
	f.Add(candidates{number: 2, seen: 9}.append(nil))
	f.Fuzz(func(t *testing.T, b []byte) { looksAtCandidates(t, b) })
}

func looksAtCandidates(t *testing.T, b []byte) (well bool) {
	c, err := decodeCandidates(b)
	if err != nil {
		return false
	}
	if len(c.list) > maxCandidates {
		t.Fatalf("%d addresses", len(c.list))
	}
	if again, err := decodeCandidates(c.append(nil)); err != nil || len(again.list) != len(c.list) {
		t.Errorf("%+v became %+v, %v", c, again, err)
	}
	return true
}

// Players who came in through a relay can be reached there by the others of the room, as when
// one of them becomes the game host. Hearsay brings no relay that is not used yet.
func TestOthersAreMetWhereTheGameHostSeesThem(t *testing.T) {
	t.Parallel()
	secret := seal.NewSecret()
	by, _ := fixture.RunRelay(t, service.Config{})
	host, next, other := listenIn(t, secret), listenIn(t, secret), listenIn(t, secret)
	box := secret.Mailbox(host.Key())
	host.SetMailbox(box, []string{by})
	for _, friend := range []*Link{next, other} {
		if _, err := friend.Dial(t.Context(), link.Target(host.Key(), relay.Place(by, box))); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[seal.Public]string{}
	for len(seen) < 2 {
		if ev := <-host.Events(); ev.Kind == link.Connected {
			seen[ev.Key] = ev.Addr
		}
	}
	_ = host.Close()
	p, err := other.Dial(t.Context(), seen[next.Key()])
	if err != nil {
		t.Fatalf("at %s: %v", seen[next.Key()], err)
	}
	must.Succeed(t, other.Send(p, link.Control, []byte("hello")))
	for ev := range next.Events() {
		if ev.Kind == link.Message && string(ev.Data) == "hello" {
			break
		}
	}
	_, mailbox, _ := relay.FindPlace(seen[next.Key()])
	if _, err := other.Dial(t.Context(), relay.Place("127.0.0.1:9", mailbox)); err == nil {
		t.Error("a relay that nobody invited us to is used")
	}
}

// TestFriendWithoutUDP: one whose network lets no UDP out comes in through the relay all the
// same, is told what that costs, and says goodbye in good order.
func TestFriendWithoutUDP(t *testing.T) {
	t.Parallel()
	conn := fixture.ListenRelay(t)
	web, blocked := listenWhereUDPIsBlocked(t, conn.LocalAddr().String())
	by, _ := fixture.RunRelay(t, service.Config{UDP: conn, Tunnels: []net.Listener{web}})
	secret := seal.NewSecret()
	host, friend := listenIn(t, secret), listenIn(t, secret)
	box := secret.Mailbox(host.Key())
	host.SetMailbox(box, []string{by})
	friend.Relays(blocked) // as the friend's settings name it
	dialling, stop := context.WithTimeout(t.Context(), testPatience)
	defer stop()
	p, err := friend.Dial(dialling, link.Target(host.Key(), relay.Place(blocked, box)))
	for err != nil && dialling.Err() == nil { // a machine that is slow needs more than one try
		p, err = friend.Dial(dialling, link.Target(host.Key(), relay.Place(blocked, box)))
	}
	must.Succeed(t, err)
	st, _ := friend.Stats(p)
	if words := st.Route.String(); !st.Route.Tunnel || !strings.Contains(words, "by WebSocket") || !strings.HasPrefix(words, "through the relay "+blocked) {
		t.Errorf("the player is told %q", words)
	}
	must.Succeed(t, friend.Send(p, link.Control, []byte("hello")))
	friend.Disconnect(p, "goodbye")
	for heard := false; ; {
		select {
		case ev := <-host.Events():
			heard = heard || ev.Kind == link.Message && string(ev.Data) == "hello"
			if ev.Kind != link.Disconnected {
				continue
			}
			if !heard || ev.Reason.Text != "goodbye" {
				t.Errorf("the host hears the message: %v, then %+v", heard, ev.Reason)
			}
			return
		case <-friend.Events():
		case <-time.After(testPatience):
			t.Fatal("the host does not hear the end")
		}
	}
}

// watched is a service of this machine that counts who connects, and redirects all requests to itself.
func watched(t *testing.T) (addr string, came *atomic.Int64) {
	t.Helper()
	came = new(atomic.Int64)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		came.Add(1)
		http.Redirect(w, r, "/again", http.StatusFound)
	}))
	t.Cleanup(web.Close)
	return web.Listener.Addr().String(), came
}

// An invitation has no request sent to a service of this machine, or of its networks; a relay
// that the settings name is asked, and sends nobody elsewhere.
func TestStrangersRelaysAreNoSpringboard(t *testing.T) {
	t.Parallel()
	for _, own := range []bool{false, true} {
		service, came := watched(t)
		secret := seal.NewSecret()
		friend := listenIn(t, secret)
		if own {
			friend.Relays(service)
		}
		dialling, stop := context.WithTimeout(t.Context(), 3*time.Second)
		defer stop()
		_, err := friend.Dial(dialling, link.Target(testKey(t).Public(), relay.Place(service, relay.Mailbox{1})))
		if err == nil {
			t.Fatal("it is no relay")
		}
		if n := came.Load(); n > 1 || !own && n > 0 {
			t.Errorf("a relay of one's own: %v; %d requests come", own, n)
		}
	}
}

// listenWhereUDPIsBlocked is a way to a relay that takes WebSockets and loses all datagrams.
func listenWhereUDPIsBlocked(t *testing.T, target string) (web net.Listener, addr string) {
	for range 20 {
		line, err := badline.Start(badline.Config{Target: target, Impairment: impair.Impairment{Loss: 1}})
		must.Succeed(t, err)
		if web, err = net.Listen("tcp4", line.Addr()); err == nil {
			t.Cleanup(func() { _ = line.Close() })
			return web, line.Addr()
		}
		_ = line.Close()
	}
	t.Fatal("no port is free for both")
	return nil, ""
}
