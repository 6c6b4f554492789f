package launch

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/relay/service"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/testing/fixture"
)

// TestCodeLetsIn: the code in the lobby is all that a friend types, with a relay in the settings
// or behind the @.
func TestCodeLetsIn(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	by, _ := fixture.RunRelay(t, service.Config{})
	cfg := settings()
	cfg.Net.Bind, cfg.Net.Forward, cfg.Net.STUN, cfg.Net.Relays = "127.0.0.1", false, nil, []string{by}
	host := open(t, cfg, Play{Host: &Host{}, Input: nothing})
	told := make(chan Invitation, 100)
	v := Machine{Settings: cfg}.Invite(&host.Config, func(i Invitation) { told <- i })
	t.Cleanup(v.Close)
	now := <-told
	for now.Code == "" {
		now = <-told
	}
	friend := cfg
	for _, typed := range []string{strings.ToLower(now.Code), now.CodeAt} {
		s := open(t, friend, Play{Join: &Join{Address: Address(typed)}, Input: nothing})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		if _, err := s.Config.Link.Dial(ctx, s.Config.Join.Addr); err != nil {
			t.Errorf("by %s: %v", typed, err)
		}
		cancel()
		friend.Net.Relays = nil
	}
	other := invite.CodeOf(seal.Secret{9}).String()
	wrong := "0" + now.Code[1:]
	if wrong == now.Code {
		wrong = "1" + now.Code[1:]
	}
	for code, want := range map[string]string{
		now.Code: "your settings name none", wrong: "mistake",
		strings.Replace(now.CodeAt, now.Code, other, 1): "no room with this code",
	} {
		_, err := Machine{Settings: friend}.Play(t.Context(), Play{Join: &Join{Address: Address(code)}, Input: nothing})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", code, err)
		}
	}
	err := silent([]relay.Status{{Relay: "a:1"}, {Relay: "b:1", Refused: "it is full"}, {Relay: "c:1", Held: true}}, []string{"c:1"})
	if want := "the relay a:1 does not answer; b:1: it is full; the relay c:1 knows no such room"; !strings.HasSuffix(err.Error(), want) {
		t.Errorf("with relays that do not help: %v", err)
	}
}
