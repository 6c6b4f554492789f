package udp

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/impair"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/relay/service"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/testing/badline"
	"github.com/nettplay/nettplay/internal/testing/fixture"
	"github.com/nettplay/nettplay/internal/testing/must"
)

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
