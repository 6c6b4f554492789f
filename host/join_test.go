package host

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/client"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/membership"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

func TestEveryoneSeesTheSameRoom(t *testing.T) {
	for n := 1; n <= 15; n++ {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			s := newSim(t, nil)
			for i := range n {
				c := s.join(nil)
				me := want[event.Welcomed](t, "client", c.seen).Me
				if me.Machine != i+1 || int(me.Seat) != i+1 || me.Nickname != names[i] || me.Firmware != testFirmware(byte(i+1)) {
					t.Errorf("client %d is welcomed as %+v", i+1, me)
				}
				if got, ok := s.host.Machine(c.id); !ok || got != me.Machine {
					t.Errorf("line %d is of machine %d (%v), want %d", c.id, got, ok, me.Machine)
				}
				if got, ok := s.host.Peer(me.Machine); !ok || got != c.id {
					t.Errorf("machine %d is at line %d (%v), want %d", me.Machine, got, ok, c.id)
				}
			}
			s.alike()
			if got := count[event.PlayerJoined](s.seen); got != n {
				t.Errorf("%d joined, want %d", got, n)
			}
			if got := s.clients[0].Settings().Options; !slices.Equal(got, []room.Option{{Key: "a", Value: "1"}, {Key: "b", Value: "2"}}) {
				t.Errorf("the options arrived as %v", got)
			}
		})
	}
}

// A refusal tells the player why and what to do, and so the game host.
func TestRefusals(t *testing.T) {
	other := room.CoreID{Name: "melonDS DS", Version: "1.2.0", SHA256: [32]byte{1, 2, 3, 4}}
	bios := []room.BIOSHash{{Name: "bios7.bin", SHA256: [32]byte{7, 7, 7, 7}}}
	tests := []struct {
		name   string
		host   func(*Config)
		join   func(*client.Config)
		before func(*sim)
		code   room.Code
		client []string // in what the client is told
		hosted []string // in what the game host is told
	}{
		{
			name: "no password", host: func(c *Config) { c.Password = "swordfish" },
			code: room.CodePassword, client: []string{`"Friday"`, "asks for a password"}, hosted: []string{"10.0.0.1", "asks for a password"},
		},
		{
			name: "wrong password", host: func(c *Config) { c.Password = "swordfish" }, join: func(c *client.Config) { c.Password = "catfish" },
			code: room.CodePassword, client: []string{`"Friday"`, "not the password"}, hosted: []string{"Bob", "wrong password"},
		},
		{
			name: "another core", join: func(c *client.Config) { c.Core = other },
			code:   room.CodeCore,
			client: []string{"DeSmuME 0.9.11 (build c0de0000)", "your computer on melonDS DS 1.2.0 (build 01020304)", "choose DeSmuME", "sudo apt install libretro-desmume"},
			hosted: []string{"Bob cannot join", "DeSmuME 0.9.11 (build c0de0000)", "Bob's computer on melonDS DS 1.2.0 (build 01020304)"},
		},
		{
			name: "another build of the core", join: func(c *client.Config) { c.Core.SHA256[0] = 0xc1 },
			code:   room.CodeCore,
			client: []string{"(build c0de0000)", "(build c1de0000)", "all must have the same build", "libretro-desmume"},
			hosted: []string{"Bob's computer on DeSmuME 0.9.11 (build c1de0000)"},
		},
		{
			name: "a core without a package", host: func(c *Config) { c.Settings.Core = other },
			code: room.CodeCore, client: []string{"choose melonDS DS on your computer"}, hosted: []string{"Bob's"},
		},
		{
			name: "the room's BIOS is missing", host: func(c *Config) { c.Settings.BIOS = bios },
			code:   room.CodeBIOS,
			client: []string{"your computer does not have the room's bios7.bin (07070707)", "same BIOS files"},
			hosted: []string{"Bob's computer does not have", "bios7.bin"},
		},
		{
			name: "another BIOS", host: func(c *Config) { c.Settings.BIOS = bios },
			join: func(c *client.Config) { c.BIOS = []room.BIOSHash{{Name: "bios7.bin", SHA256: [32]byte{8, 8, 8, 8}}} },
			code: room.CodeBIOS, client: []string{"bios7.bin of your computer (08080808) is not the room's (07070707)"}, hosted: []string{"Bob's"},
		},
		{
			name: "a BIOS where the room has none", join: func(c *client.Config) { c.BIOS = bios },
			code: room.CodeBIOS, client: []string{"your computer uses a bios7.bin (07070707), the room none"}, hosted: []string{"Bob's computer uses"},
		},
		{
			name: "full room", host: func(c *Config) { c.Settings.Seats = 2 }, before: func(s *sim) { s.join(nil) },
			code: room.CodeFull, client: []string{"all 2 seats are taken", "ask the game host"}, hosted: []string{"Carol cannot join", "all 2 seats"},
		},
		{
			name: "game being prepared", before: func(s *sim) { s.join(nil); s.ready(); s.prepare() },
			code: room.CodeRunning, client: []string{"just beginning", "try again"}, hosted: []string{"Carol cannot join"},
		},
		{
			name: "game running", host: func(c *Config) { c.Settings.NoLateJoin = true },
			before: func(s *sim) { s.join(nil); s.ready(); s.prepare(); s.install() },
			code:   room.CodeRunning, client: []string{"a game is running", "when the game is over"}, hosted: []string{"Carol cannot join"},
		},
		{
			name: "game running, and not ours", join: func(c *client.Config) { c.ROM = &room.ROMID{SHA256: [32]byte{7}, Title: "Other"} },
			before: func(s *sim) { s.join(nil); s.ready(); s.prepare(); s.install() },
			code:   room.CodeRunning, client: []string{"a game is running", "nobody in it plays Other"}, hosted: []string{"Carol cannot join"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newSim(t, tt.host)
			if tt.before != nil {
				tt.before(s)
			}
			members := len(s.host.Roster())
			c := s.connect(tt.join)
			s.pump()
			r := want[event.Refused](t, "the client", c.seen)
			says(t, "the client", r.Error(), tt.client...)
			f := want[event.JoinFailed](t, "the game host", s.seen)
			says(t, "the game host", f.Words, tt.hosted...)
			if r.Code != tt.code || c.Phase() != room.PhaseClosed || c.linked {
				t.Errorf("code %d, want %d; phase %v, linked %v", r.Code, tt.code, c.Phase(), c.linked)
			}
			if got := len(s.host.Roster()); got != members {
				t.Errorf("%d in the room, want %d", got, members)
			}
			if _, ok := last[event.RoomLost](c.seen); ok {
				t.Error("the client was told of a refusal, and then of a lost room")
			}
		})
	}
}

// TestRoomTellsItsCore: whoever comes with another core is told the room's, to the byte, and where
// the game host got it; whoever may not come in for another reason is not.
func TestRoomTellsItsCore(t *testing.T) {
	source := room.CoreSource{Name: "nightly", Version: "2026-11-20"}
	s := newSim(t, func(c *Config) { c.CoreSource, c.Settings.Spectators = source, 1 })
	other := func(c *client.Config) { c.Core.SHA256[0]++ }
	for name, c := range map[string]*simClient{"a player": s.connect(other), "a spectator": s.watch(other)} {
		s.pump()
		r := want[event.Refused](t, name, c.seen)
		if used := (room.UsedCore{CoreID: testCore, Source: source}); r.Core != used {
			t.Errorf("%s is told %+v, want %+v", name, r.Core, used)
		}
	}
	full := newSim(t, func(c *Config) { c.Settings.Seats, c.CoreSource = 2, source })
	full.join(nil)
	c := full.connect(other)
	full.pump()
	if r := want[event.Refused](t, "one too many", c.seen); r.Core != (room.UsedCore{}) {
		t.Errorf("one too many is told %+v", r.Core)
	}
}

// A peer that connects and then says nothing does not keep its place in the queue.
func TestSilentJoiners(t *testing.T) {
	s := newSim(t, nil)
	s.host.Connected(s.now, 50, "10.9.9.9:1") // never says hello
	late := s.connect(nil)                    // says hello after 4 s, then nothing
	late.mute = true
	hello := late.Outgoing()[0].Data
	s.wait(4 * time.Second)
	s.host.Receive(s.now, late.id, hello)
	s.wait(time.Second)
	f := want[event.JoinFailed](t, "the game host", s.seen)
	if f.Peer != 50 || f.Code != room.CodeTimeout {
		t.Fatalf("after 5 s: %+v", f)
	}
	says(t, "the game host", f.Words, "10.9.9.9", "did not answer for 5 seconds")
	s.wait(13 * time.Second)
	if count[event.JoinFailed](s.seen) > 1 {
		t.Fatalf("after 18 s: %+v", s.seen)
	}
	s.wait(time.Second)
	if f = want[event.JoinFailed](t, "the game host", s.seen); f.Peer != late.id || f.Code != room.CodeTimeout {
		t.Fatalf("after 19 s: %+v", f)
	}
	says(t, "the client", want[event.Refused](t, "the client", late.seen).Error(), "did not answer the room for 15 seconds")
	if len(s.host.peers) != 0 {
		t.Errorf("%d lines are kept", len(s.host.peers))
	}
}

func TestSilentRoom(t *testing.T) {
	s := newSim(t, nil)
	c := s.connect(nil)
	c.mute = true
	for range 300 {
		s.now = s.now.Add(50 * time.Millisecond)
		c.Tick(s.now)
	}
	says(t, "the client", want[event.RoomLost](t, "the client", c.Events()).Words, "the room did not answer for 15 seconds")
	if out := c.Outgoing(); out[len(out)-1].CloseWhy == "" {
		t.Error("the connection is left open")
	}
}

func TestCrowdAtTheDoor(t *testing.T) {
	s := newSim(t, nil)
	for id := ds.PeerID(1); id <= 100; id++ {
		s.host.Connected(s.now, id, "10.0.0.1:1")
	}
	if n := len(s.host.peers); n != maxJoining+maxReconnecting {
		t.Errorf("%d wait at the door, at most %d should", n, maxJoining+maxReconnecting)
	}
	if f := want[event.JoinFailed](t, "the game host", s.host.Events()); f.Code != room.CodeBusy {
		t.Errorf("the last was refused with %d", f.Code)
	}
}

// A peer that goes away at any step of joining leaves nothing behind.
func TestVanishWhileJoining(t *testing.T) {
	for steps := range 4 {
		s := newSim(t, nil)
		c := s.connect(nil)
		for range steps {
			for _, o := range c.Outgoing() {
				s.host.Receive(s.now, c.id, o.Data)
			}
			for _, o := range s.host.Outgoing() {
				c.deliver(o)
			}
		}
		s.seen = append(s.seen, s.host.Events()...)
		joined := c.Phase() == room.PhaseLobby
		c.vanish()
		says(t, "the client", want[event.RoomLost](t, "the client", c.seen).Words, "connection", "lost", "(timed out)")
		if joined {
			says(t, "the game host", want[event.PlayerLeft](t, "the game host", s.seen).Words, "Bob lost the connection (timed out)")
		} else {
			says(t, "the game host", want[event.JoinFailed](t, "the game host", s.seen).Words, "10.0.0.1 left while joining (timed out)")
		}
		if len(s.host.peers) != 0 || len(s.host.Roster()) != 1 {
			t.Errorf("after %d steps %d lines and %d players are left", steps, len(s.host.peers), len(s.host.Roster()))
		}
	}
}

func TestNamesAndAddressesAreUnique(t *testing.T) {
	s := newSim(t, nil)
	bob := func(c *client.Config) { c.Nickname, c.Firmware = "Bob", testFirmware(7) }
	first, second := s.join(bob), s.join(bob)
	third := s.join(func(c *client.Config) { c.Nickname, c.Firmware = "\u202ebo\x1bb\n", testFirmware(7) })
	none := s.join(func(c *client.Config) { c.Firmware.MAC = [6]byte{} })
	odd := s.join(func(c *client.Config) { c.Firmware.MAC[0] = 1 })

	if m := first.Me(); m.Nickname != "Bob" || m.Firmware.MAC != testFirmware(7).MAC || m.Note != "" {
		t.Errorf("the first to come lost what is his: %+v", m)
	}
	if m := second.Me(); m.Nickname != "Bob 2" || m.Firmware.MAC != testFirmware(8).MAC {
		t.Errorf("the second is %+v", m)
	}
	says(t, "the room", second.Me().Note, "Bob 2's console has another address", "is that of Bob's console", "save")
	if !chatted(first.seen, "Bob 2's console has another address") || chatted(first.seen, "00:09") {
		t.Errorf("of the changed address Bob is told %+v", first.seen)
	}
	if m := third.Me(); m.Nickname != "bob 3" {
		t.Errorf("the third is %q", m.Nickname)
	}
	if m := none.Me(); !room.Usable(m.Firmware.MAC) || m.Note != "" {
		t.Errorf("who came without an address has %x (%s)", m.Firmware.MAC, m.Note)
	}
	says(t, "the room", odd.Me().Note, "not one that a console can have")
	seen := map[[6]byte]bool{}
	for _, p := range s.host.Roster() {
		if seen[p.Firmware.MAC] {
			t.Errorf("address %x is there twice", p.Firmware.MAC)
		}
		seen[p.Firmware.MAC] = true
	}
}

func TestSixteenOfTheSame(t *testing.T) {
	s := newSim(t, nil)
	long := strings.Repeat("あ", 40)
	for range 15 {
		s.join(func(c *client.Config) { c.Nickname, c.Firmware.MAC = long, [6]byte{0, 9, 0xbf, 0xff, 0xff, 0xfa} })
	}
	nicks, macs := map[string]bool{}, map[[6]byte]bool{}
	for _, p := range s.host.Roster() {
		nicks[p.Nickname], macs[p.Firmware.MAC] = true, true
		if len(p.Nickname) > room.MaxName {
			t.Errorf("%q has %d bytes", p.Nickname, len(p.Nickname))
		}
	}
	if len(nicks) != 16 || len(macs) != 16 {
		t.Errorf("%d names and %d addresses for 16 players", len(nicks), len(macs))
	}
}

func TestNoRandomNumbers(t *testing.T) {
	cfg := Config{Config: membership.Config{Nickname: "Ann", Firmware: testFirmware(0)}, Settings: testSettings(), ROM: testROM}
	if _, err := New(cfg); err == nil {
		t.Error("a room was opened without random numbers")
	}
	if _, err := client.New(client.Config{Config: membership.Config{Firmware: testFirmware(1)}}); err == nil {
		t.Error("a join began without random numbers")
	}
	// Enough for the room, not for a challenge.
	cfg.Random = &finite{rand.NewChaCha8([32]byte{}), 16 + 32 + 3}
	h, err := New(cfg)
	must.Succeed(t, err)
	h.Connected(time.Unix(1, 0), 1, "")
	hello, _ := message.Encode(&message.Hello{Speaker: room.Speaker{Protocol: message.Protocol, Program: "1.0"}})
	h.Receive(time.Unix(1, 0), 1, hello)
	says(t, "the game host", want[event.JoinFailed](t, "the game host", h.Events()).Words, "no random numbers")
}

type finite struct {
	r    *rand.ChaCha8
	left int
}

func (f *finite) Read(b []byte) (int, error) {
	if len(b) > f.left {
		return 0, fmt.Errorf("used up")
	}
	f.left -= len(b)
	return f.r.Read(b)
}

func TestBadConfigs(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"seats: 1":               func(c *Config) { c.Settings.Seats = 1 },
		"seats: 17":              func(c *Config) { c.Settings.Seats = 17 },
		"players needed":         func(c *Config) { c.Settings.MinPlayers = 17 },
		"input delay: 31":        func(c *Config) { c.Settings.Delay = 31 },
		"clock at the start":     func(c *Config) { c.Settings.RTC = room.MinRTC - 1 },
		"hash reports: 0":        func(c *Config) { c.Settings.HashEvery = 0 },
		"skew: 17":               func(c *Config) { c.Settings.Skew = 17 },
		"frames of a game":       func(c *Config) { c.Settings.Frames = -1 },
		`core option "a" stands`: func(c *Config) { c.Settings.Options = []room.Option{{Key: "a"}, {Key: "a"}} },
		`bios file "x" stands`:   func(c *Config) { c.Settings.BIOS = []room.BIOSHash{{Name: "x"}, {Name: "x"}} },
		"firmware nickname: 11":  func(c *Config) { c.Firmware.Nickname = "abcdefghijk" },
		"firmware language 6":    func(c *Config) { c.Firmware.Language = 6 },
		"no day 31 in month 4":   func(c *Config) { c.Firmware.BirthMonth, c.Firmware.BirthDay = 4, 31 },
		"the password has 257":   func(c *Config) { c.Password = strings.Repeat("x", 257) },
	} {
		cfg := Config{Config: membership.Config{Nickname: "Ann", Firmware: testFirmware(0), Random: rand.NewChaCha8([32]byte{})}, Settings: testSettings(), ROM: testROM}
		change(&cfg)
		if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
