package app

import (
	"crypto/sha256"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/config"
	hostroom "github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/online"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/room"
	"github.com/nettplay/nettplay/internal/ui/screen/start"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// openRoom is one of the list, whose key is that of its number.
func openRoom(n byte, name, game string, ping int) online.Room {
	return online.Room{
		Key: relay.Locator{n}, Ping: time.Duration(ping) * time.Millisecond, Invite: "nettplay://join/" + name, By: sha256.Sum256([]byte(name)),
		Listing: relay.Listing{Room: name, Host: "Bob", Game: game, Core: "DeSmuME", ROM: [32]byte{n}, Seats: 4, Free: 2},
	}
}

// openRooms are rooms and friends of all kinds.
func openRooms() online.View {
	near, locked, runs := openRoom(1, "Bob's room", "Advance Racer DS", 24), openRoom(2, longName, "Monster Trainers: The Very Long Subtitle", 61), openRoom(3, "みんなの部屋", "ぽけっと だいぼうけん", 140)
	locked.Locked, runs.Playing = true, true
	none, core, full := openRoom(9, "Tennis tonight", "Tennis Stars", 12), openRoom(4, "The other core", "Pad test", 30), openRoom(5, "Full house", "Puzzle", 0)
	none.Why, core.Why, full.Why, full.Free = online.WhyGame, online.WhyCore, online.WhyFull, 0
	return online.View{
		Relays: []online.Relay{{Name: "relay.example.org:21206", Held: true, Told: true, RTT: 20 * time.Millisecond}},
		Rooms:  []online.Room{full, near, none, locked, core, runs},
		Friends: []online.Friend{
			{Nickname: "ながいなまえのひと", State: online.InLobby, Game: "Monster Trainers: The Very Long Subtitle of This Edition", Invite: "nettplay://join/friend"},
			{Nickname: "Dora", State: online.There},
			{Nickname: "Emil"},
		},
	}
}

// onlineScene shows what relays know.
func onlineScene(change func(m *Shell)) func(t *testing.T) *Shell {
	return withGames(func(m *Shell) {
		m.Config.Net.Relays, m.Config.Net.Friends = []string{"relay.example.org:21206"}, true
		m.Go(screen.Online)
		m.online.See(openRooms())
		change(m)
	})
}

func onlineScenes() []scene {
	return []scene{
		{"online", large, onlineScene(func(m *Shell) { m.online.Chosen = relay.Locator{1} })},
		{"online-small", small, onlineScene(func(m *Shell) { m.online.Chosen = relay.Locator{4} })},
		{"online-password", small, onlineScene(func(m *Shell) { m.online.Chosen = relay.Locator{2}; m.online.JoinRoom() })},
		{"online-next", small, onlineScene(func(m *Shell) {
			view := openRooms()
			first, next := openRoom(1, longName, "Racer", 10), openRoom(1, "みんなの部屋", "Racer", 20)
			next.Key = relay.Locator{7}
			view.Rooms = []online.Room{first, next}
			m.online.See(view)
			m.online.Match()
			measured(m)
			m.session.Over(notice.Report{}, refused(hostroom.CodeFull, "every seat is taken"))
		})},
		{"online-none", small, onlineScene(func(m *Shell) { m.Config.Net.Friends = false; m.online.See(online.View{Relays: openRooms().Relays}) })},
		{"online-looking", small, onlineScene(func(m *Shell) { m.online.See(online.View{}) })},
		{"online-silent", small, onlineScene(func(m *Shell) {
			m.online.See(online.View{Relays: []online.Relay{{Name: "relay.example.org:21206"}}})
			m.Tick(now.Add(time.Minute))
		})},
		{"online-no-relay", small, withGames(func(m *Shell) { m.Go(screen.Online) })},
		{"online-no-match", small, onlineScene(func(m *Shell) { m.online.See(online.View{Relays: openRooms().Relays}); m.online.Match() })},
		{"host-everybody-tall", tall, atHome(func(m *Shell) {
			m.Config.Net.Relays = []string{"relay.example.org:21206"}
			m.games.PickFor(start.ForHost)
			m.games.Pick(m.Games.Games[0])
			m.host.Form.Open = true
		})},
	}
}

// names are the rooms as they are listed.
func roomNames(h *hand) (list []string) {
	h.rest()
	for _, text := range h.texts() {
		if slices.ContainsFunc(openRooms().Rooms, func(r online.Room) bool { return r.Room == text }) {
			list = append(list, text)
		}
	}
	return list
}

// clickWidget clicks a widget.
func clickWidget(t *testing.T, h *hand, name string) {
	t.Helper()
	h.rest()
	i := slices.IndexFunc(h.ui.Targets(), func(g widgets.Target) bool { return g.Name == name })
	if i < 0 {
		t.Fatalf("no %s: %+v", name, h.ui.Targets())
	}
	at := h.ui.Targets()[i].Rect.Center()
	h.click(at.X, at.Y)
}

// joins expects a session that joins by an invitation.
func joins(t *testing.T, m *Shell, invitation, password string) {
	t.Helper()
	for _, c := range calls(m) {
		if open, ok := opening(c); ok && open.Join != nil && open.Join.Address == invitation && open.Join.Password == password && m.Current == screen.Joining {
			return
		}
	}
	t.Errorf("nobody joins %s by %q: %v", invitation, password, m.Current)
}

// TestOpenRoomsStandStill: those that can be joined are first, by ping, and do not change
// places when a ping changes a little.
func TestOpenRoomsStandStill(t *testing.T) {
	m := onlineScene(func(*Shell) {})(t)
	h := newHand(t, m, tall, 1)
	want := []string{"Bob's room", longName, "みんなの部屋"}
	if got := roomNames(h); len(got) != 6 || !slices.Equal(got[:3], want) {
		t.Fatalf("the list is %q", got)
	}
	before, view := roomNames(h), openRooms()
	for i := range view.Rooms {
		view.Rooms[i].Ping += time.Duration(8*(i%2)) * time.Millisecond
	}
	m.online.See(view)
	if got := roomNames(h); !slices.Equal(got, before) {
		t.Errorf("%q, not %q", got, before)
	}
	view.Rooms[1].Ping = time.Second
	m.online.See(view)
	if got := roomNames(h); got[2] != "Bob's room" {
		t.Errorf("a room that is far now: %q", got)
	}
}

// TestPlayOnline: by mouse, by keys and by pad, into a room of the list, a friend's and the quick
// match's; and not into one that cannot be joined.
func TestPlayOnline(t *testing.T) {
	at := func() (*Shell, *hand) {
		m := homeShell(t)
		fullShelf(m)
		m.Config.Net.Relays, m.Config.Net.Friends = []string{"relay.example.org:21206"}, true
		h := newHand(t, m, large, 1)
		h.clickText("Play online")
		if c := calls(m); !wants(c, "Seek", start.Seek{On: true, Rooms: true}) {
			t.Fatalf("nobody looks: %v", c)
		}
		m.online.See(openRooms())
		return m, h
	}
	m, h := at()
	h.clickText("Bob's room")
	clickWidget(t, h, "join")
	joins(t, m, "nettplay://join/Bob's room", "")

	m, h = at()
	h.clickText("Tennis tonight")
	h.press("Return")
	if h.rest(); m.Current != screen.Online || !h.says("You cannot join: "+online.WhyGame+".") {
		t.Errorf("at %v it says %q", m.Current, h.texts())
	}
	m.online.See(online.View{Relays: openRooms().Relays})
	if h.rest(); !h.says("This room is no longer open.") {
		t.Errorf("it says %q", h.texts())
	}

	m, h = at()
	h.rest()
	focus(t, h, "rooms")
	h.press("Down", "Down", "Return")
	if h.rest(); m.Current != screen.Online {
		t.Fatal("a locked room is joined without its password")
	}
	h.rest()
	h.write("secret")
	h.press("Return")
	joins(t, m, "nettplay://join/"+longName, "secret")

	m, h = at()
	h.rest()
	focus(t, h, "join friend")
	h.pad(widgets.NavAccept)
	joins(t, m, "nettplay://join/friend", "")

	m, h = at()
	h.rest()
	focus(t, h, "match")
	h.pad(widgets.NavAccept)
	measured(m)
	joins(t, m, "nettplay://join/Bob's room", "")
	if got := m.Current; got != screen.Joining {
		t.Errorf("at %v", got)
	}
}

// measured answers a quick match's question how far rooms are: they are as near as they say.
func measured(m *Shell) {
	for _, c := range calls(m) {
		if c.name == "AskRooms" {
			rooms := c.args[0].([]online.Room)
			m.online.Matched(rooms[:min(len(rooms), online.Tried)])
		}
	}
}

// TestNobodyToMatch: without a room for the game one is opened that everybody may find.
func TestNobodyToMatch(t *testing.T) {
	m := onlineScene(func(*Shell) {})(t)
	m.online.See(online.View{Relays: openRooms().Relays})
	m.online.Match()
	if m.Question == nil {
		t.Fatal("nothing is offered")
	}
	m.Question = nil
	calls(m)
	m.online.See(openRooms())
	m.online.Match()
	if m.online.Matched(nil); m.Question == nil || m.Wait != "" || kinds(calls(m)) != "AskRooms" {
		t.Fatal("nothing is offered where no room answers")
	}
	m.Question.Do()
	m.Question = nil
	calls(m)
	m.host.OpenRoom()
	i := slices.IndexFunc(calls(m), func(c call) bool {
		open, ok := opening(c)
		return ok && open.Host != nil && open.Host.Open
	})
	if i < 0 || m.Config.Room.Open {
		t.Errorf("the room is listed: %v; and all later ones: %v", i >= 0, m.Config.Room.Open)
	}
}

// refused is the end of a session that a room did not let in.
func refused(code hostroom.Code, words string) error {
	return notice.Refused(hostroom.Refusal{Code: code, Sentence: words})
}

// entering is the room that is on its way in.
func entering(t *testing.T, m *Shell) room.OpenSession {
	t.Helper()
	for _, c := range calls(m) {
		if open, ok := opening(c); ok && open.Join != nil && m.Current == screen.Joining {
			return open
		}
	}
	t.Fatalf("nobody joins: %v, %+v", m.Current, m.Trouble)
	return room.OpenSession{}
}

// TestQuickMatchGoesOn: to the next room if one is full by now, does not answer or has another core; each step is
// said, none has more time than it needs, after three a room is offered.
func TestQuickMatchGoesOn(t *testing.T) {
	m := onlineScene(func(*Shell) {})(t)
	view := openRooms()
	view.Rooms = nil
	for i, name := range []string{"Ann's room", "Bob's room", "Cem's room", "Dora's room"} {
		r := openRoom(1, name, "Advance Racer DS", 10*(i+1))
		r.Key = relay.Locator{byte(i), 1}
		view.Rooms = append(view.Rooms, r)
	}
	m.online.See(view)
	calls(m)
	m.online.Match()
	measured(m)
	ends := []error{refused(hostroom.CodeFull, "every seat is taken"), refused(hostroom.CodeGone, "the room is closed"), refused(hostroom.CodeCore, "it plays on another core")}
	for i, end := range ends {
		open := entering(t, m)
		if open.Join.Address != view.Rooms[i].Invite || !open.Hurry {
			t.Fatalf("try %d: %+v", i, open.Join)
		}
		if i > 0 {
			lines := m.session.Room.Lines
			want := view.Rooms[i-1].Room + " cannot be joined: " + ends[i-1].Error() + ". Trying " + view.Rooms[i].Room + "."
			if len(lines) != 1 || lines[0].Text != want {
				t.Errorf("try %d says %+v, not %q", i, lines, want)
			}
		}
		m.session.Notice(notice.Unanswered{})
		if m.session.Room.Unanswered {
			t.Error("an answer is offered that nobody waits for")
		}
		m.session.Over(notice.Report{}, end)
	}
	if m.Current != screen.Online || m.Question == nil || m.Question.Yes != "Open a room" {
		t.Errorf("after three: at %v, asks %+v", m.Current, m.Question)
	}
}

// TestQuickMatchStays: a room that was entered is none that others are tried after, nor is a failure of this machine.
func TestQuickMatchStays(t *testing.T) {
	for _, in := range []bool{true, false} {
		m := onlineScene(func(*Shell) {})(t)
		view := openRooms()
		view.Rooms = []online.Room{openRoom(1, "Ann's room", "Racer", 10), openRoom(1, "Bob's room", "Racer", 20)}
		m.online.See(view)
		calls(m)
		m.online.Match()
		measured(m)
		entering(t, m)
		err := refused(hostroom.CodeBanned, "you are banned from this room")
		if in {
			m.session.Notice(notice.RoomNotice{})
		} else {
			err = errors.New("no memory")
		}
		m.session.Over(notice.Report{}, err)
		if m.Current != screen.Ended {
			t.Errorf("in the room %v: at %v", in, m.Current)
		}
	}
}

// TestFriendsRoomAsksForItsPassword: as a room of the list does, which says so beforehand; and again after a wrong one.
func TestFriendsRoomAsksForItsPassword(t *testing.T) {
	m := onlineScene(func(*Shell) {})(t)
	h := newHand(t, m, large, 1)
	h.rest()
	focus(t, h, "join friend")
	h.pad(widgets.NavAccept)
	for _, try := range []struct {
		given string
		end   error
		says  string
	}{
		{"", refused(hostroom.CodePassword, "the room asks for a password"), "has a password"},
		{"wrong", refused(hostroom.CodePassword, "this is not the password of the room"), "This is not the password of the room."},
		{"secret", nil, ""},
	} {
		joins(t, m, "nettplay://join/friend", try.given)
		if try.end == nil {
			break
		}
		m.session.Over(notice.Report{}, try.end)
		m.online.See(openRooms())
		if h.rest(); m.Current != screen.Online || !slices.ContainsFunc(h.texts(), func(text string) bool { return strings.Contains(text, try.says) }) {
			t.Fatalf("after %q: at %v it says %q", try.given, m.Current, h.texts())
		}
		h.write(map[string]string{"": "wrong", "wrong": "secret"}[try.given])
		h.press("Return")
	}
}

// TestLookingEnds: nobody looks for rooms behind another screen, nor for friends but on the first one, and there
// are none of an earlier time.
func TestLookingEnds(t *testing.T) {
	m := onlineScene(func(*Shell) {})(t)
	calls(m)
	m.GoBack()
	at(t, m, screen.Home)
	if c := calls(m); !wants(c, "Seek", start.Seek{On: true}) {
		t.Errorf("somebody still looks for rooms: %v", c)
	}
	m.Go(screen.About)
	if c := calls(m); !wants(c, "Seek", start.Seek{}) {
		t.Errorf("somebody still looks: %v", c)
	}
	m.Go(screen.Online)
	if h := newHand(t, m, large, 1); len(roomNames(h)) > 0 {
		t.Errorf("rooms of before: %q", roomNames(h))
	}
	m.settings.Set(func(c *config.Config) { c.Net.Relays = nil })
	h := newHand(t, m, large, 1)
	h.rest()
	focus(t, h, "Relays")
	h.press("Return")
	if m.Current != screen.Settings {
		t.Errorf("at %v", m.Current)
	}
}
