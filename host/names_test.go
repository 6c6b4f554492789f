package host

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/client"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/membership"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/testing/must"
)

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
