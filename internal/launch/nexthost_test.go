package launch

import (
	"context"
	"testing"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/relay/service"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/fixture"
)

// inviter is the inviter of a session, with what it told, and where the session tells its notices.
func inviter(t *testing.T, cfg config.Config, s *Session) (v *Inviter, told chan Invitation) {
	t.Helper()
	told = make(chan Invitation, 100)
	v = Machine{Settings: cfg}.Invite(&s.Config, func(i Invitation) { told <- i })
	t.Cleanup(v.Close)
	s.Config.Notify = v.Notified(func(notice.Notice) {})
	return v, told
}

// until is the next invitation that is so.
func until(t *testing.T, told chan Invitation, what string, is func(Invitation) bool) Invitation {
	t.Helper()
	for late := time.After(time.Minute); ; {
		select {
		case now := <-told:
			if is(now) {
				return now
			}
		case <-late:
			t.Fatalf("there is no invitation that is %s", what)
		}
	}
}

// installation has what follows be of another installation, with settings that name some relays.
func installation(t *testing.T, relays ...string) config.Config {
	t.Helper()
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	cfg := settings()
	cfg.Net.Bind, cfg.Net.Forward, cfg.Net.STUN, cfg.Net.Relays = "127.0.0.1", false, nil, relays
	return cfg
}

// The next game host invites to the room as the first one did: with the same code, by the same relays though its
// settings name none; and who has the first one's invitation gets to the next. An answer is not made any more.
func TestNextHostInvites(t *testing.T) {
	by, _ := fixture.RunRelay(t, service.Config{})
	first := installation(t, by)
	ann := open(t, first, Play{Host: &Host{}, Input: nothing})
	a, told := inviter(t, first, &ann)
	was := until(t, told, "with a code", func(i Invitation) bool { return i.Code != "" })

	second := installation(t)
	bob := open(t, second, Play{Join: &Join{Address: Address(was.Text)}, Input: nothing})
	b, told := inviter(t, second, &bob)
	if i := until(t, told, "an answer", func(Invitation) bool { return true }); !i.Answer {
		t.Fatalf("Bob invites before he hosts: %+v", i)
	}
	door := ann.Config.Host.Door
	a.Close()
	ann.Config.Link.Close()
	bob.Config.Link.SetRoom(door.Secret, door.Neighbours)
	bob.Config.Notify(notice.Opened{Addr: bob.Config.Link.Addr(), Door: door})
	now := until(t, told, "with the code", func(i Invitation) bool { return i.Code == was.Code && i.CodeAt == was.CodeAt })
	if now.Answer || now.Text == was.Text {
		t.Errorf("Bob's invitation is %+v", now)
	}
	if err := b.LetIn(was.Text); err == nil {
		t.Error("an invitation is taken for an answer")
	}

	third := installation(t, by)
	go func() {
		for range bob.Config.Link.Events() { // somebody must read them
		}
	}()
	for _, typed := range []string{now.Text, now.Code, now.CodeAt, was.Text} {
		s := open(t, third, Play{Join: &Join{Address: Address(typed)}, Input: nothing})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		_, err := s.Config.Link.Dial(ctx, s.Config.Join.Addr)
		if typed == was.Text {
			to, moved := s.Config.Join.Moved.Moved(ctx, s.Config.Join.Addr, err)
			if err == nil || !moved {
				t.Fatalf("by the first invitation: %v; moved: %v", err, moved)
			}
			_, err = s.Config.Link.Dial(ctx, to)
		}
		if err != nil {
			t.Errorf("by %s: %v", typed, err)
		}
		cancel()
		s.Config.Link.Close()
	}
}

// A room without a relay has its invitation from the next game host, too; and one that was joined by its address.
func TestNextHostInvitesWithoutRelay(t *testing.T) {
	cfg := installation(t)
	bob := open(t, cfg, Play{Join: &Join{Address: "127.0.0.1:9"}, Input: nothing})
	_, told := inviter(t, cfg, &bob)
	bob.Config.Notify(notice.Opened{Door: room.Door{Secret: [16]byte{1}, Neighbours: true}})
	v := until(t, told, "an invitation", func(i Invitation) bool { return i.Text != "" })
	if v.Answer || v.Code != "" {
		t.Errorf("it is %+v", v)
	}
	bob.Config.Notify(notice.Opened{Door: room.Door{Secret: [16]byte{2}}}) // a room has one door
	select {
	case v = <-told:
		t.Errorf("another one is %+v", v)
	default:
	}
}

// What a stranger's room says of its relays is not asked unless it can be one.
func TestRelaysOfADoorAreBounded(t *testing.T) {
	got := boundRelays("a:1", "a:1", "no port", "@evil:1", "b:2", "c:3", "d:4")
	if len(got) != room.MaxRelays || got[0] != "a:1" || got[2] != "c:3" {
		t.Errorf("%q", got)
	}
}
