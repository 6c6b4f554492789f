package host

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/client"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/membership"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// watched allows some spectators.
func watched(n int) func(*Config) {
	return func(cfg *Config) { cfg.Settings.Spectators, cfg.Settings.SpectateDelay = n, 2 }
}

// watch has somebody ask to watch.
func (s *sim) watch(change func(*client.Config)) *simClient {
	s.t.Helper()
	sc := s.connectSpectator(change)
	s.pump()
	return sc
}

// connectSpectator opens a connection for a new one.
func (s *sim) connectSpectator(change func(*client.Config)) *simClient {
	s.t.Helper()
	n := len(s.clients)
	cfg := client.Config{Config: membership.Config{Nickname: "Uma", Firmware: testFirmware(byte(n + 1)), Version: "1.0", Random: s.random, Iterations: 10}, Core: testCore}
	if change != nil {
		change(&cfg)
	}
	c, err := client.NewSpectator(cfg)
	must.Succeed(s.t, err)
	sc := &simClient{Client: c, s: s, id: ds.PeerID(n + 1), linked: true}
	s.clients = append(s.clients, sc)
	s.host.Connected(s.now, sc.id, "10.0.1.1:7000")
	c.Connected(s.now, sc.id)
	return sc
}

// refusedAs checks that somebody was not let in, and why.
func (c *simClient) refusedAs(code room.Code, words string) {
	c.s.t.Helper()
	for _, e := range c.seen {
		if r, ok := e.(event.Refused); ok {
			if r.Code != code || !strings.Contains(r.Error(), words) {
				c.s.t.Errorf("refused with %d %q, want %d and %q", r.Code, r.Error(), code, words)
			}
			return
		}
	}
	c.s.t.Errorf("not refused: %v", c.seen)
}

// A room goes on when one of its players is game host after the one that was; not when
// somebody else says so, nor a game host of before.
func TestRoomContinues(t *testing.T) {
	made := func(host int, epoch uint32, keys ...byte) room.Room {
		r := room.Room{Host: host, Epoch: epoch}
		for m, k := range keys {
			r.Players = append(r.Players, room.Player{Machine: m, Seat: ds.Seat(m), Sign: [32]byte{k}})
		}
		return r
	}
	before := made(0, 3, 10, 11, 12)
	for name, tt := range map[string]struct {
		after room.Room
		want  bool
	}{
		"the same":                   {before, true},
		"the next one":               {made(1, 4, 10, 11, 12), true},
		"an earlier game host":       {made(0, 2, 10, 11, 12), false},
		"another one of that time":   {made(1, 3, 10, 11, 12), false},
		"another machine":            {made(1, 4, 10, 99, 12), false},
		"somebody who was not there": {made(3, 4, 10, 11, 12, 13), false},
		"nobody":                     {made(5, 4, 10, 11), false},
	} {
		if got := tt.after.Continues(before); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// A spectator comes in the middle of a game, is seen by all, hears what is said, is told
// nothing of the game, takes no seat, and holds up nothing when it falls silent.
func TestSpectator(t *testing.T) {
	s := playing(t, 1, watched(2))
	uma := s.watch(nil)
	if uma.Phase() != room.PhasePlaying || uma.Me().Nickname != "" || uma.Decisions() != nil {
		t.Fatalf("phase %v, player %+v, decisions %v", uma.Phase(), uma.Me(), uma.Decisions())
	}
	s.wait(time.Second)
	for who, r := range map[string]room.Room{"game host": s.host.Room(), "Bob": s.clients[0].Room(), "Uma": uma.Room()} {
		if len(r.Players) != 2 || !slices.Equal(r.Spectators, []room.Spectator{{Number: 0, Nickname: "Uma", Program: "1.0"}}) {
			t.Errorf("%s sees %d players and %v", who, len(r.Players), r.Spectators)
		}
	}
	if _, err := s.host.Decide(s.now, timeline.Decision{Kind: timeline.SetDelay, Delay: 7}); err != nil {
		t.Fatal(err)
	}
	s.must(s.host.Chat(s.now, "hello"))
	s.pump()
	if !slices.ContainsFunc(uma.seen, func(e event.Event) bool { l, ok := e.(event.ChatLine); return ok && l.Text == "hello" }) {
		t.Error("the spectator does not hear what is said")
	}
	for _, m := range uma.told {
		switch m.(type) {
		case *message.Decision, *message.Prepare, *message.Begin, *message.SaveOrder:
			t.Errorf("the spectator was told %v", message.KindOf(m))
		}
	}
	uma.mute = true
	s.wait(40 * time.Second)
	if n := len(s.host.Room().Spectators); n != 0 || s.host.Phase() != room.PhasePlaying {
		t.Errorf("%d spectators, phase %v", n, s.host.Phase())
	}
	if uma.linked {
		t.Error("the connection of one that is silent stays open")
	}
}

// A limited number of spectators may watch, with the core and the password of the room. A
// spectator is no player: a message that only players say ends its connection alone.
func TestWhoMayWatch(t *testing.T) {
	s := newSim(t, nil)
	s.watch(nil).refusedAs(room.CodeFull, "nobody may watch")

	s = newSim(t, func(cfg *Config) { watched(1)(cfg); cfg.Password = "pass" })
	s.watch(nil).refusedAs(room.CodePassword, "asks for a password")
	s.watch(func(c *client.Config) { c.Password = "wrong" }).refusedAs(room.CodePassword, "not the password")
	s.watch(func(c *client.Config) { c.Password, c.Core.SHA256[0] = "pass", 1 }).refusedAs(room.CodeCore, "your computer")
	first := s.watch(func(c *client.Config) { c.Password, c.Nickname = "pass", "Ann" })
	if first.Phase() != room.PhaseLobby || first.Room().Spectators[0].Nickname != "Ann 2" {
		t.Fatalf("%v %v", first.Phase(), first.Room().Spectators)
	}
	s.watch(func(c *client.Config) { c.Password = "pass" }).refusedAs(room.CodeFull, "as many watch")

	b, err := message.Encode(&message.LocalPlayers{})
	s.must(err)
	s.host.Receive(s.now, first.id, b)
	s.pump()
	if len(s.host.Room().Spectators) != 0 || first.linked || first.Phase() != room.PhaseClosed {
		t.Errorf("a spectator that wants seats is still there")
	}
}

// Spectators are removed by number, banned if wanted, and go by themselves.
func TestSpectatorsGo(t *testing.T) {
	s := newSim(t, watched(3))
	a, b := s.watch(nil), s.watch(nil)
	if got := s.host.Room().Spectators; len(got) != 2 || got[1].Nickname != "Uma 2" {
		t.Fatalf("%v", got)
	}
	a.Leave(s.now, "dinner")
	s.pump()
	if c := s.watch(nil); c.Phase() != room.PhaseLobby || s.host.Room().Spectators[0].Number != 0 {
		t.Errorf("the free number was not given again: %v", s.host.Room().Spectators)
	}
	if s.host.KickSpectator(s.now, 7, "", false) == nil {
		t.Error("nobody was removed")
	}
	s.host.Proven(b.id, [32]byte{8})
	s.must(s.host.KickSpectator(s.now, 1, "noise", true))
	s.pump()
	if e, ok := b.seen[len(b.seen)-1].(event.RoomClosed); !ok || e.Reason != message.ClosedKicked || !strings.Contains(e.Words, "noise") {
		t.Errorf("%v", b.seen)
	}
	back := s.connectSpectator(nil)
	s.host.Proven(back.id, [32]byte{8})
	s.pump()
	back.refusedAs(room.CodeBanned, "you are banned")
	s.host.Close(s.now, "")
	s.pump()
	for _, c := range s.clients {
		if c.linked {
			t.Error("a connection is still open")
		}
	}
}

// knows is what a machine has been told of the players at other machines: how many of their
// consoles' addresses, and all places where they can be reached.
func knows(c *simClient) (consoles int, places []string) {
	me := c.Me() // nobody, when it watches
	for _, p := range c.Room().Players {
		if me.Present && p.Machine == me.Machine {
			continue
		}
		if p.Firmware.MAC != [6]byte{} {
			consoles++
		}
		places = append(places, p.Addrs...)
	}
	return consoles, places
}

func knowsOnly(t *testing.T, who string, c *simClient, consoles int, places ...string) {
	t.Helper()
	if n, got := knows(c); n != consoles || !slices.Equal(got, places) {
		t.Errorf("%s knows %d consoles and %q, want %d and %q", who, n, got, consoles, places)
	}
}

// Where players can be reached, and their consoles' addresses, is for those who play with them:
// not for whoever comes into the room, or watches. These know only who would be game host
// next, once there is a game to follow. Who takes over the room knows all.
func TestAddressesAreForThoseWhoNeedThem(t *testing.T) {
	s := newSim(t, func(c *Config) { c.Settings.Spectators = 2; c.Addrs = []string{"203.0.113.1:1", "192.168.7.1:1"} })
	away := func(addr string) func(*client.Config) {
		return func(c *client.Config) { c.Addrs = []string{addr} }
	}
	bob, carol := s.join(away("192.168.1.2:1")), s.join(away("192.168.1.3:1"))
	uma := s.watch(nil)
	s.wait(time.Second)
	for who, c := range map[string]*simClient{"Carol": carol, "Uma": uma} {
		knowsOnly(t, who+" in the lobby", c, 0)
	}
	knowsOnly(t, "Bob, who takes over the room", bob, 2, "203.0.113.1:1", "192.168.7.1:1", "10.0.0.2:7000", "192.168.1.3:1")
	s.ready()
	s.prepare()
	s.install()
	s.alike()
	mallory := s.join(nil)
	s.alike()
	knowsOnly(t, "Carol in the game", carol, 3, "203.0.113.1:1", "192.168.7.1:1", "10.0.0.1:7000", "192.168.1.2:1", "10.0.0.4:7000")
	knowsOnly(t, "Uma", uma, 0, "10.0.0.1:7000", "192.168.1.2:1")
	knowsOnly(t, "Mallory, who waits", mallory, 0, "10.0.0.1:7000", "192.168.1.2:1")
	carol.Leave(s.now, "")
	s.pump()
	s.abort("enough")
	s.alike()
	knowsOnly(t, "Mallory after the game", mallory, 0)
	s.handOver()
	if n, places := knows(mallory); n != 0 || len(places) != 2 {
		t.Errorf("to follow Bob, Mallory knows %d consoles and %q", n, places)
	}
	if r := s.host.Room(); r.Players[len(r.Players)-1].Firmware.MAC == [6]byte{} {
		t.Error("Bob, who is game host now, does not know the others' consoles")
	}
}

// Addresses of a local network are for those who are in it.
func TestLocalAddressesStayLocal(t *testing.T) {
	addrs := []string{"198.51.100.7:1", "192.168.1.2:1", "[fe80::1]:1", "[2001:db8::1]:1", "a name"}
	public := []string{"198.51.100.7:1", "[2001:db8::1]:1", "a name"}
	for _, tt := range []struct {
		name, from, seen string
		want             []string
	}{
		{"behind the same router", "198.51.100.7", "198.51.100.7:1", addrs},
		{"both in the game host's network", "192.168.1.9", "192.168.1.2:1", addrs},
		{"the game host's own, from its network", "192.168.1.9", "", addrs},
		{"from elsewhere", "203.0.113.9", "198.51.100.7:1", public},
		{"from elsewhere, in the game host's network", "203.0.113.9", "192.168.1.2:1", public},
		{"the game host's own, from elsewhere", "203.0.113.9", "", public},
		{"in the game host's network, from elsewhere", "192.168.1.9", "198.51.100.7:1", public},
		{"both behind one relay", bare(mailbox(1)), mailbox(2), public},
	} {
		if got := reachableFrom(tt.from, tt.seen, addrs); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
