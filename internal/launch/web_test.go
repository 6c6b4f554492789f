package launch

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/invite"
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
	v.watchPages([]string{"192.0.2.1:21206", "old.example.org:21206", "relay.example.org:21206", "other.example.org:21206"}, func(_ context.Context, host string) bool {
		asked = append(asked, host)
		return host == "relay.example.org"
	})
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
	v.watchPages([]string{"192.0.2.1:21206"}, func(_ context.Context, host string) bool {
		t.Errorf("%s is asked", host)
		return true
	})
	over := make(chan struct{})
	go func() {
		defer close(over)
		v.watchPages([]string{"relay.example.org:21206"}, func(context.Context, string) bool { return false })
	}()
	v.cancel()
	select {
	case <-over:
	case <-time.After(time.Minute):
		t.Error("it goes on")
	}
}
