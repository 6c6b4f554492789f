package app

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/relay/service"
	"github.com/nettplay/nettplay/internal/ui/maintest"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// runRelay runs a relay on the loopback, over IPv4 and IPv6, until the test ends. It returns its
// port.
func runRelay(t *testing.T) int {
	t.Helper()
	udp, err := net.ListenUDP("udp", &net.UDPAddr{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var jobs sync.WaitGroup
	jobs.Go(func() { _, _ = service.Run(ctx, service.Config{Limits: relay.Limits{}.WithDefaults(), UDP: udp}) })
	t.Cleanup(func() { stop(); jobs.Wait() })
	return udp.LocalAddr().(*net.UDPAddr).Port
}

// onlineFiles are a player's, at one address of this machine, with a relay.
func onlineFiles(t *testing.T, name, bind string, port int) map[string][]byte {
	files := playerFiles(name, freePort(t), romstest.Pad)
	const path = ".config/nettplay/config.toml"
	text := strings.Replace(string(files[path]), `"127.0.0.1"`, fmt.Sprintf("%q\nforward = false\nstun = []\nrelays = [\"127.0.0.1:%d\", \"[::1]:%d\"]", bind, port, port), 1)
	files[path] = []byte(text + "[room]\nannounce = false\n")
	return files
}

// TestPlayOnlineInWindows: a room that everybody may find is found in another window, by a few
// clicks, and played in through the relay: one has IPv4 alone and the other IPv6, so there is no
// direct way.
func TestPlayOnlineInWindows(t *testing.T) {
	t.Parallel()
	maintest.NeedDisplay(t)
	needCore(t)
	if l, err := net.ListenPacket("udp", "[::1]:0"); err != nil {
		t.Skipf("no IPv6 here: %v", err)
	} else {
		l.Close()
	}
	port, beacons := runRelay(t), beaconPlace()
	ann, bob := newDesk(t, "ann", onlineFiles(t, "Ann", "127.0.0.1", port)), newDesk(t, "bob", onlineFiles(t, "Bobby", "::1", port))
	ann.start(beacons)
	bob.start(beacons)
	host, guest := byKeys{ann}, byMouse{bob}
	host.press("Host")
	ann.until("the games", func(s seen) bool { return s.Screen == "games" })
	host.key("Return")
	comes(host, "host")
	host.press("everybody")
	host.press("open")
	comes(host, "lobby")

	began, presses := time.Now(), bob.presses
	guest.press("Play online")
	bob.until("Ann's room", func(s seen) bool { return slices.Contains(s.Items, "Ann's room") })
	bob.save("online")
	guest.choose("rooms", "Ann's room")
	guest.press("join")
	comes(guest, "lobby")
	guest.press("ready")
	ann.until("nothing in the way", func(s seen) bool { return s.Present == 2 && len(s.Blocked) == 0 })
	host.press("start")
	for _, d := range []*desk{ann, bob} {
		d.until("the game through the relay", func(s seen) bool { return s.Screen == "playing" && s.Frame > 0 && s.Relay != "" })
		d.save("online-plays")
	}
	t.Logf("from Play online to playing: %d presses, %v", bob.presses-presses, time.Since(began).Round(time.Millisecond))
	bob.end()
	ann.end()
}
