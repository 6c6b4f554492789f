package launch

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/udp"
	"github.com/nettplay/nettplay/internal/relay"
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
