package host

import (
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/client"
)

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
	s.must(s.host.Abort(s.now, "enough"))
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
