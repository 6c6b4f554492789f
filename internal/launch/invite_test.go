package launch

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/udp"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/relay/service"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/fixture"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// open is a session that is ready to run.
func open(t *testing.T, cfg config.Config, p Play) Session {
	t.Helper()
	s, err := Machine{Settings: cfg}.Play(t.Context(), p)
	must.Succeed(t, err)
	t.Cleanup(func() { s.Config.Link.Close() })
	return s
}

// invited opens a room at the loopback and returns its session and its invitation.
func invited(t *testing.T) (Session, *Inviter, Invitation) {
	t.Helper()
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	cfg := settings()
	cfg.Net.Bind, cfg.Net.Forward, cfg.Net.STUN = "127.0.0.1", false, nil
	s := open(t, cfg, Play{Host: &Host{}, Input: nothing})
	told := make(chan Invitation, 10)
	v := Machine{Settings: cfg}.Invite(&s.Config, func(i Invitation) { told <- i })
	t.Cleanup(v.Close)
	return s, v, <-told
}

// TestInvitationLetsIn: what the game host sends is all that a friend needs, whatever a chat
// puts around it, and it is good for no other room.
func TestInvitationLetsIn(t *testing.T) {
	host, _, v := invited(t)
	cfg := settings()
	cfg.Net.Bind, cfg.Net.STUN = "127.0.0.1", nil
	friend := open(t, cfg, Play{Join: &Join{Address: Address("play with me: " + v.Text + " !")}, Input: nothing})
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if _, err := friend.Config.Link.Dial(ctx, friend.Config.Join.Addr); err != nil {
		t.Fatal(err)
	}
	ev := <-host.Config.Link.Events()
	if ev.Kind != link.Connected || ev.Key != friend.Config.Link.(*udp.Link).Key() {
		t.Errorf("the game host sees %+v", ev)
	}
	if strings.Contains(link.Shown(friend.Config.Join.Addr), "@") {
		t.Errorf("players see %s", link.Shown(friend.Config.Join.Addr))
	}
}

// TestBrokenInvitationSaysWhy: a part that got lost is named before anything is dialled.
func TestBrokenInvitationSaysWhy(t *testing.T) {
	_, _, v := invited(t)
	cfg := settings()
	_, err := Machine{Settings: cfg}.Play(t.Context(), Play{Join: &Join{Address: Address(v.Text[:len(v.Text)-9])}, Input: nothing})
	if err == nil || !strings.Contains(err.Error(), "a part of the invitation is missing") {
		t.Errorf("got %v", err)
	}
}

// TestAnswerPunches: a friend's answer makes the game host send to the friend, so that its
// router lets the friend in; another room's answer does not.
func TestAnswerPunches(t *testing.T) {
	_, v, text := invited(t)
	cfg := settings()
	cfg.Net.Bind, cfg.Net.Forward, cfg.Net.STUN = "127.0.0.1", false, nil
	friend := open(t, cfg, Play{Join: &Join{Address: text.Text}, Input: nothing})
	answers := make(chan Invitation, 10)
	a := Machine{Settings: cfg}.Invite(&friend.Config, func(i Invitation) { answers <- i })
	t.Cleanup(a.Close)
	answer := <-answers
	if !answer.Answer || !strings.HasPrefix(answer.Text, invite.Answer) {
		t.Fatalf("the answer is %+v", answer)
	}
	if err := v.LetIn("Here: " + answer.Text); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"hello", answer.Text[:40], text.Text, otherRoom(answer.Text)} {
		if err := v.LetIn(bad); err == nil {
			t.Errorf("%q lets somebody in", bad)
		}
	}
}

// otherRoom is an answer to another room's invitation.
func otherRoom(answer string) string {
	v, _, _ := invite.Find(answer)
	v.Secret[0]++
	return v.Text()
}

// TestAnswerIsNoInvitation: joining by an answer says whose it is.
func TestAnswerIsNoInvitation(t *testing.T) {
	_, _, v := invited(t)
	answer, _, _ := invite.Find(v.Text)
	answer.Answer = true
	_, err := Machine{Settings: settings()}.Play(t.Context(), Play{Join: &Join{Address: Address(answer.Text())}, Input: nothing})
	if !errors.Is(err, invite.ErrAnswer) {
		t.Errorf("got %v", err)
	}
}

// TestLineIsMeasured: a friend with an invitation can find out how good the line is, without
// coming into the room.
func TestLineIsMeasured(t *testing.T) {
	host, _, v := invited(t)
	go func() {
		for range host.Config.Link.Events() { // somebody must read them
		}
	}()
	cfg := settings()
	cfg.Net.Bind = "127.0.0.1"
	stats, err := Machine{Settings: cfg}.Line(t.Context(), "come: "+v.Text, 500*time.Millisecond)
	if err != nil || stats.RTT <= 0 {
		t.Errorf("%+v, %v", stats, err)
	}
}

// TestRelayThatIsNoneIsNamed: a relay of the settings that does not exist is named with the setting that mends it, also
// while another one helps; one that only does not answer is not, then.
func TestRelayThatIsNoneIsNamed(t *testing.T) {
	held := relay.Status{Relay: "good.example:1", Held: true}
	none, silent := relay.Status{Relay: "none.example:1", Nowhere: true}, relay.Status{Relay: "silent.example:1"}
	for _, tt := range []struct {
		relays    []relay.Status
		want, not string
	}{
		{[]relay.Status{none}, "There is no relay none.example:1: no server has that name. Correct it in the settings, under Network (net.relays).", ""},
		{[]relay.Status{held, none, silent}, "There is no relay none.example:1", "silent"},
		{[]relay.Status{none, silent}, "The relay silent.example:1 does not answer.", ""},
		{[]relay.Status{{Relay: "full.example:1", Refused: "it is full"}}, "The relay full.example:1 does not help: it is full.", ""},
		{[]relay.Status{{Relay: "theirs.example:1", Nowhere: true}}, "", "theirs"}, // of the game host before us
		{[]relay.Status{held}, "", "relay"},
	} {
		v := &Inviter{relays: tt.relays, relaysDue: true, net: config.Net{Relays: []string{"good.example:1", "none.example:1", "silent.example:1", "full.example:1"}}}
		got := v.relayTrouble()
		if !strings.Contains(got, tt.want) || tt.not != "" && strings.Contains(got, tt.not) {
			t.Errorf("%+v: %q", tt.relays, got)
		}
		if words, _ := v.byRelay(); strings.Contains(words, "does not") || strings.Contains(words, "There is no") {
			t.Errorf("%+v: it is said twice: %q", tt.relays, words)
		}
	}
}

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

// evening is one session with a player called Ben and his local player; it returns what is
// said.
func evening(t *testing.T, key byte) (told []string) {
	t.Helper()
	m := NewMeetings()
	notify := m.Notified(func(text string) { told = append(told, text) }, func(notice.Notice) {})
	r := room.Room{Players: []room.Player{
		{Machine: 0, Nickname: "Ann", Present: true, Key: [32]byte{key, 1}}, // this machine: its key may change
		{Machine: 1, Nickname: "Ben", Present: true, Key: [32]byte{key}},
		{Machine: 1, Nickname: "Ben 2", Local: 1, Present: true, Key: [32]byte{key}},
		{Machine: 2, Nickname: "Cem", Present: true},
	}}
	for range 3 {
		notify(notice.RoomNotice{Room: r, Me: 0})
	}
	m.Close()
	return told
}

// TestAnotherKeyIsSaidOnce: by everybody who met the player before, not again next time, and
// of nobody else.
func TestAnotherKeyIsSaidOnce(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	for i, key := range []byte{1, 1, 2, 2, 1} {
		told := evening(t, key)
		if i == 2 || i == 4 {
			if len(told) != 1 || !strings.HasPrefix(told[0], "Ben has another key than last time") {
				t.Errorf("evening %d: %q", i, told)
			}
		} else if !slices.Equal(told, nil) {
			t.Errorf("evening %d: %q", i, told)
		}
	}
}
