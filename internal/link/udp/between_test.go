package udp

import (
	"bytes"
	"context"
	"encoding/binary"
	"net"
	"net/netip"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/relay/service"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/testing/badline"
	"github.com/nettplay/nettplay/internal/testing/fixture"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// court is a room in which two machines reach some others, each by a router of its own that lets
// in nobody else.
type court struct {
	t      *testing.T
	ann    *Link
	bob    *Link
	others []*Link
	cut    []*atomic.Bool // the lines to the others
}

func newCourt(t *testing.T, others int) *court {
	secret := seal.NewSecret()
	w := &court{t: t, ann: listenENet(t, Config{Room: secret, ConnectTimeout: 2 * time.Second}), bob: listenENet(t, Config{Room: secret})}
	for range others {
		o, cut := listenENet(t, Config{Room: secret}), new(atomic.Bool)
		w.others, w.cut = append(w.others, o), append(w.cut, cut)
		for _, l := range []*Link{w.ann, w.bob} {
			router := newTap(t, o, func(tapped) bool { return !cut.Load() })
			l.Introduce(dialOK(t, l, router.addr()))
			want(t, l, link.Connected)
		}
	}
	return w
}

// letIn has another machine carry between the two.
func (w *court) letIn(o *Link) {
	for range 2 {
		o.Introduce(want(w.t, o, link.Connected).Peer)
	}
}

// meet has one dial the other.
func (w *court) meet(by *Link) (toBob, toAnn link.PeerID) {
	w.t.Helper()
	toBob = dialOK(w.t, w.ann, link.Told(w.bob.Key(), link.Through(by.Key(), w.bob.Key())))
	toAnn = want(w.t, w.bob, link.Connected).Peer
	want(w.t, w.ann, link.Connected)
	w.ann.Introduce(toBob)
	w.bob.Introduce(toAnn)
	return toBob, toAnn
}

// until has Ann say numbers until the route to Bob is as wanted, and Bob hear all in order.
func (w *court) until(toBob link.PeerID, what string, good func(link.Route) bool) {
	w.t.Helper()
	late := time.After(testPatience)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	said, heard := uint32(0), uint32(0)
	for done := false; !done || heard < said; {
		select {
		case <-tick.C:
			st, ok := w.ann.Stats(toBob)
			if !ok {
				w.t.Fatal("the connection is lost")
			}
			if done = done || good(st.Route); !done {
				said++
				send(w.t, w.ann, toBob, link.Control, string(binary.BigEndian.AppendUint32(nil, said)))
			}
		case ev := <-w.bob.Events():
			if ev.Kind != link.Message {
				continue // the connection to somebody else
			}
			if heard++; binary.BigEndian.Uint32(ev.Data) != heard {
				w.t.Fatalf("number %d comes as the %dth", binary.BigEndian.Uint32(ev.Data), heard)
			}
		case <-w.ann.Events():
		case <-late:
			st, _ := w.ann.Stats(toBob)
			w.t.Fatalf("%s: the route is %+v, %d of %d numbers have come", what, st.Route, heard, said)
		}
	}
}

// Two who cannot reach each other play through a third who reaches both, and directly once that
// goes.
func TestPeerRelayCarries(t *testing.T) {
	t.Parallel()
	w := newCourt(t, 1)
	carol := w.others[0]
	w.letIn(carol)
	toBob, toAnn := w.meet(carol)
	for _, ch := range []link.Channel{link.Control, link.Bulk} {
		text := string(bytes.Repeat([]byte{7}, link.MaxBulk))
		send(t, w.ann, toBob, ch, text)
		wantMessage(t, w.bob, ch, text)
		send(t, w.bob, toAnn, ch, text)
		wantMessage(t, w.ann, ch, text)
	}
	if st, _ := w.ann.Stats(toBob); st.Route.PeerRelay != carol.Key() || st.Route.String() == "" {
		t.Errorf("the route is %+v", st.Route)
	}
	w.bob.SetAddresses([]netip.AddrPort{netip.MustParseAddrPort(w.bob.Addr())})
	w.until(toBob, "a direct route", link.Route.IsDirect)
}

// A direct connection goes on through another machine when its line is cut, and comes back.
func TestPeerRelayTakesOverFromACutLine(t *testing.T) {
	t.Parallel()
	w := newCourt(t, 1)
	w.letIn(w.others[0])
	cut := new(atomic.Bool)
	router := newTap(t, w.bob, func(tapped) bool { return !cut.Load() })
	toBob := dialOK(t, w.ann, router.addr())
	w.ann.Introduce(toBob)
	w.bob.Introduce(want(t, w.bob, link.Connected).Peer)
	w.until(toBob, "the line", link.Route.IsDirect)
	cut.Store(true)
	w.until(toBob, "the peer relay", func(by link.Route) bool { return by.PeerRelay == w.others[0].Key() })
}

// The last words come through a peer relay, whatever is closed first.
func TestPeerRelayIsLeftLast(t *testing.T) {
	t.Parallel()
	w := newCourt(t, 1)
	w.letIn(w.others[0])
	toBob, toAnn := w.meet(w.others[0])
	send(t, w.ann, toBob, link.Control, "farewell")
	_ = w.ann.Close()
	wantMessage(t, w.bob, link.Control, "farewell")
	if ev := want(t, w.bob, link.Disconnected); ev.Peer != toAnn || ev.Reason.By != link.ByRemote {
		t.Errorf("Bob was told %+v", ev)
	}
}

// A connection goes on through another machine when its peer relay is gone.
func TestAnotherPeerRelayTakesOver(t *testing.T) {
	t.Parallel()
	w := newCourt(t, 2)
	for _, o := range w.others {
		w.letIn(o)
	}
	toBob, _ := w.meet(w.others[0])
	w.cut[0].Store(true)
	w.until(toBob, "the other peer relay", func(by link.Route) bool { return by.PeerRelay == w.others[1].Key() })
	w.cut[0].Store(false)
	w.cut[1].Store(true)
	w.until(toBob, "the first again", func(by link.Route) bool { return by.PeerRelay == w.others[0].Key() })
}

// Nothing is carried for a machine that does not play, or to it; and not for those whom the one
// that dials does not take for players itself.
func TestStrangersAreNotCarried(t *testing.T) {
	t.Parallel()
	w := newCourt(t, 1)
	carol := w.others[0]
	for range 2 {
		if ev := want(t, carol, link.Connected); ev.Key == w.ann.Key() {
			carol.Introduce(ev.Peer)
		}
	}
	to := link.Told(w.bob.Key(), link.Through(carol.Key(), w.bob.Key()))
	if _, err := w.ann.Dial(context.Background(), to); !isDialError(err, link.NoAnswer) {
		t.Errorf("to one who does not play: %v", err)
	}
	w.bob.cfg.ConnectTimeout = 500 * time.Millisecond
	to = link.Told(w.ann.Key(), link.Through(carol.Key(), w.ann.Key()))
	if _, err := w.bob.Dial(context.Background(), to); !isDialError(err, link.NoAnswer) {
		t.Errorf("from one who does not play: %v", err)
	}
	to = link.Told(w.ann.Key(), link.Through(w.ann.Key(), w.ann.Key()))
	if _, err := w.bob.Dial(context.Background(), to); !isDialError(err, link.Unresolved) {
		t.Errorf("through one to whom there is no connection: %v", err)
	}
}

// A machine has no more carried for it than its share.
func TestCarryingIsBounded(t *testing.T) {
	m := newMembership()
	carried := 0
	for ms := range 10_000 {
		for range 3 {
			if m.carried.AllowN(clock(time.Duration(ms)*time.Millisecond), maxDatagram) {
				carried += maxDatagram
			}
		}
	}
	if most := 11 * carryRate; carried > most || carried < 10*carryRate {
		t.Errorf("%d bytes in 10 s", carried)
	}
}

// Two who each use a relay, and meet through a third, go on by the relay when that one is gone.
func TestARelayReplacesAPeerRelay(t *testing.T) {
	t.Parallel()
	by, _ := fixture.RunRelay(t, service.Config{})
	w := newCourt(t, 1)
	var lines []*badline.Relay
	for i, l := range []*Link{w.ann, w.bob} {
		router, err := badline.Start(badline.Config{Target: by})
		must.Succeed(t, err)
		t.Cleanup(func() { _ = router.Close() })
		l.SetMailbox(relay.Mailbox{1, byte(i)}, []string{router.Addr()})
		lines = append(lines, router)
	}
	w.letIn(w.others[0])
	toBob, _ := w.meet(w.others[0])
	for late := time.Now().Add(testPatience); lines[1].Count(badline.ToClient).Forwarded < 10; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(late) { // Ann's probes
			t.Fatal("the relay is not tried")
		}
	}
	w.cut[0].Store(true)
	w.until(toBob, "by the relay", func(by link.Route) bool { return by.Relay != "" })
}

func FuzzCarry(f *testing.F) {
	f.Add(append(make([]byte, carryHeader), 1))
	f.Add(appendAddr(nil, netip.MustParseAddrPort("192.0.2.1:5")))
	f.Fuzz(func(t *testing.T, b []byte) { looksAtCarried(t, b) })
}

func looksAtCarried(t *testing.T, b []byte) (well bool) {
	if box, d, err := decodeCarry(b); err == nil && !bytes.Equal(append(box[:], d...), b) {
		t.Errorf("%x is read as %x and %x", b, box, d)
	}
	at, err := decodeSeen(b)
	if err == nil {
		if again, err := decodeSeen(appendAddr(nil, at)); err != nil || again != at {
			t.Errorf("%v became %v, %v", at, again, err)
		}
	}
	return err == nil
}

// TestPlayGoesOnByASibling: two friends know one relay. It tells them the other one of its
// service, so that all that they say arrives, in order, when it dies without a word; and then
// comes another friend, who knows the dead one from the invitation and the other one, too.
func TestPlayGoesOnByASibling(t *testing.T) {
	t.Parallel()
	var conns [2]*net.UDPConn
	var lines [2]*badline.Relay
	var names [2]string // of lines that hide the friends' own addresses, as routers do
	for i := range conns {
		conn := fixture.ListenRelay(t)
		line, err := badline.Start(badline.Config{Target: conn.LocalAddr().String()})
		must.Succeed(t, err)
		t.Cleanup(func() { _ = line.Close() })
		conns[i], lines[i], names[i] = conn, line, line.Addr()
	}
	for i, conn := range conns {
		join := func(_ context.Context, s *service.Shared) { s.SetSiblings([]string{names[1-i]}) }
		fixture.RunRelay(t, service.Config{UDP: conn, Join: join})
	}
	first, second := names[0], names[1]
	secret := seal.NewSecret()
	w := &town{t: t, host: listenIn(t, secret), friend: listenIn(t, secret)}
	box := secret.Mailbox(w.host.Key())
	w.host.SetMailbox(box, []string{first})
	var err error
	if w.at, err = w.friend.Dial(t.Context(), link.Target(w.host.Key(), relay.Place(first, box))); err != nil {
		t.Fatal(err)
	}
	for !holds(w.host, second) || !holds(w.friend, second) {
		time.Sleep(5 * time.Millisecond) // until both have learned
	}
	began := time.Now()
	_ = lines[0].Close() // no word, as with kill -9: the relay reads by a copy of its socket
	w.talkUntil(func(by link.Route) bool { return by.Relay == second })
	t.Logf("the friends speak by the other relay after %v", time.Since(began))
	other := listenIn(t, secret)
	if _, err := other.Dial(t.Context(), link.Target(w.host.Key(), relay.Place(first, box), relay.Place(second, box))); err != nil {
		t.Errorf("another friend does not come in: %v", err)
	}
}

func holds(l *Link, name string) bool {
	return slices.ContainsFunc(l.Relays().Status(), func(st relay.Status) bool { return st.Relay == name && st.Held })
}
