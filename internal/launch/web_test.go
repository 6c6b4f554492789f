package launch

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// TestWebLinkIsOfferedWhereAPageIs: relays are asked in order, those without a name never, and the first that has
// the page is in the link, which is the same invitation.
func TestWebLinkIsOfferedWhereAPageIs(t *testing.T) {
	_, v, first := invited(t)
	told := make(chan Invitation, 10)
	v.mu.Lock()
	v.tell = func(i Invitation) { told <- i }
	v.mu.Unlock()
	var asked []string
	v.net.Relays = []string{"192.0.2.1:21206", "old.example.org:21206", "relay.example.org:21206", "other.example.org:21206"}
	v.serves = func(_ context.Context, host string) bool {
		asked = append(asked, host)
		return host == "relay.example.org"
	}
	v.watchPages()
	if want := []string{"old.example.org", "relay.example.org"}; !slices.Equal(asked, want) {
		t.Errorf("asked are %q, want %q", asked, want)
	}
	now := <-told
	if want := "https://relay.example.org/join#" + strings.TrimPrefix(first.Text, invite.Prefix); now.Web != want || first.Web != "" || now.Text != first.Text {
		t.Errorf("it tells %+v, before %+v", now, first)
	}
	if got := Address("Come: " + now.Web + " !"); got != first.Text {
		t.Errorf("who joins by it dials %q", got)
	}
}

// TestNoPage: without a relay that has a name nothing is asked, and the end of the room ends the search.
func TestNoPage(t *testing.T) {
	_, v, _ := invited(t)
	v.net.Relays = []string{"192.0.2.1:21206"}
	v.serves = func(_ context.Context, host string) bool {
		t.Errorf("%s is asked", host)
		return true
	}
	v.watchPages()
	v.net.Relays = []string{"relay.example.org:21206"}
	v.serves = func(context.Context, string) bool { return false }
	over := make(chan struct{})
	go func() {
		defer close(over)
		v.watchPages()
	}()
	v.cancel()
	select {
	case <-over:
	case <-time.After(time.Minute):
		t.Error("it goes on")
	}
}

// TestWhoHostsOffersTheWebLink: whoever hosts a room has its relays asked for the page, those of their own settings alone.
func TestWhoHostsOffersTheWebLink(t *testing.T) {
	cfg := installation(t)
	bob := open(t, cfg, Play{Join: &Join{Address: "127.0.0.1:9"}, Input: nothing})
	v, told := inviter(t, cfg, &bob)
	v.net.Relays = []string{"localhost:9"}
	v.serves = func(_ context.Context, host string) bool {
		if host != "localhost" {
			t.Errorf("%s is asked", host)
		}
		return true
	}
	bob.Config.Notify(notice.Opened{Door: room.Door{Secret: [16]byte{1}, Relays: []string{"ip6-localhost:9"}}})
	now := until(t, told, "with a link", func(i Invitation) bool { return i.Web != "" })
	if !strings.HasPrefix(now.Web, "https://localhost/join#") {
		t.Errorf("the link is %s", now.Web)
	}
}
