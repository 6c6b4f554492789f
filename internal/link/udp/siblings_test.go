package udp

import (
	"context"
	"net"
	"slices"
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

// TestPlayGoesOnByASibling: two friends know one relay. It tells them the other one of its
// service, so that all that they say arrives, in order, when it dies without a word; and then
// comes another friend, who knows the dead one from the invitation and the other one, too.
func TestPlayGoesOnByASibling(t *testing.T) {
	t.Parallel()
	var conns [2]*net.UDPConn
	var names [2]string // of lines that hide the friends' own addresses, as routers do
	for i := range conns {
		conn := fixture.ListenRelay(t)
		line, err := badline.Start(badline.Config{Target: conn.LocalAddr().String()})
		must.Succeed(t, err)
		t.Cleanup(func() { _ = line.Close() })
		conns[i], names[i] = conn, line.Addr()
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
	_ = conns[0].Close() // no word, as with kill -9
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
