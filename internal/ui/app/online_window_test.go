package app

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/netip"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/relay/service"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/uitest"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// runRelay runs a relay on the loopback, over IPv4 and IPv6, until the test ends. It returns its
// port.
func runRelay(t *testing.T) int {
	t.Helper()
	udp, err := net.ListenUDP("udp", &net.UDPAddr{})
	must.Succeed(t, err)
	ctx, stop := context.WithCancel(context.Background())
	var jobs sync.WaitGroup
	jobs.Go(func() { _, _ = service.Run(ctx, service.Config{Limits: relay.Limits{}.WithDefaults(), UDP: udp}) })
	t.Cleanup(func() { stop(); jobs.Wait() })
	return udp.LocalAddr().(*net.UDPAddr).Port
}

// relayWithoutUDP runs the relay's program until the test ends. Players reach its WebSockets and no UDP, which it has at an
// address that nobody is told. It returns the port.
func relayWithoutUDP(t *testing.T) int {
	t.Helper()
	exe := filepath.Join(t.TempDir(), "nettplay-relay")
	// As its own tests are built: it is linked, and hardly anything compiled for this.
	if out, err := exec.Command("go", "build", "-ldflags=-w", "-o", exe, "../../../cmd/nettplay-relay").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	relay := exec.Command(exe, "--listen", "127.0.0.2:0", "--websocket", ":0", "--drain", "0s")
	out, err := relay.StdoutPipe()
	must.Succeed(t, err)
	must.Succeed(t, relay.Start())
	lines := bufio.NewScanner(out)
	t.Cleanup(func() {
		_ = relay.Process.Signal(syscall.SIGTERM)
		for lines.Scan() { // to its end
		}
		if err := relay.Wait(); err != nil {
			t.Errorf("the relay: %v", err)
		}
	})
	for lines.Scan() {
		if at, found := strings.CutPrefix(lines.Text(), "taking WebSockets on TCP "); found {
			return int(netip.MustParseAddrPort(at).Port())
		}
	}
	t.Fatal("the relay does not listen")
	return 0
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
	uitest.NeedDisplay(t)
	needCore(t)
	needIPv6(t)
	port, beacons := runRelay(t), beaconPlace()
	ann, bob := newDesk(t, "ann", onlineFiles(t, "Ann", "127.0.0.1", port)), newDesk(t, "bob", onlineFiles(t, "Bobby", "::1", port))
	ann.start(beacons)
	bob.start(beacons)
	host, guest := byKeys{ann}, byMouse{bob}
	host.press("Host")
	ann.until("the games", func(s seen) bool { return s.Screen == "games" })
	host.key("Return")
	comes(host, "host")
	host.press("more")
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

func needIPv6(t *testing.T) {
	t.Helper()
	l, err := net.ListenPacket("udp", "[::1]:0")
	if err != nil {
		t.Skipf("no IPv6 here: %v", err)
	}
	l.Close()
}

// TestQuickMatchInWindows: a quick match without a room opens one, and brings another player into it. Neither reaches the
// relay by UDP, nor the other player: all goes by WebSocket through the relay's program, and the lobby says so.
func TestQuickMatchInWindows(t *testing.T) {
	t.Parallel()
	uitest.NeedDisplay(t)
	needCore(t)
	needIPv6(t)
	port, beacons := relayWithoutUDP(t), beaconPlace()
	ann, bob := newDesk(t, "ann", onlineFiles(t, "Ann", "127.0.0.1", port)), newDesk(t, "bob", onlineFiles(t, "Bobby", "::1", port))
	ann.start(beacons)
	bob.start(beacons)
	host, guest := byMouse{ann}, byMouse{bob}
	host.press("Play online")
	ann.until("no room", func(s seen) bool { return s.says("No room is open right now.") })
	host.press("match")
	ann.until("an offer", func(s seen) bool { return s.Asked != "" })
	host.press("Open a room")
	comes(host, "host")
	host.press("open")
	comes(host, "lobby")
	host.press("answer") // below which it is said
	ann.until("what that costs", func(s seen) bool {
		return s.says("by WebSocket because this network blocks UDP") && s.says("choose a higher delay")
	})

	began, presses := time.Now(), bob.presses
	guest.press("Play online")
	bob.until("Ann's room", func(s seen) bool { return slices.Contains(s.Items, "Ann's room") })
	guest.press("match")
	comes(guest, "lobby")
	bob.until("the way and what it costs", func(s seen) bool {
		return s.says("by WebSocket, as a network here blocks UDP: a lost packet holds up the others for")
	})
	bob.save("match-lobby")
	ann.save("match-host")
	guest.press("ready")
	ann.until("nothing in the way", func(s seen) bool { return s.Present == 2 && len(s.Blocked) == 0 })
	host.press("start")
	for _, d := range []*desk{ann, bob} {
		d.until("the game through the relay", func(s seen) bool { return s.Screen == "playing" && s.Frame > 0 && s.Relay != "" })
		d.save("match-plays")
	}
	t.Logf("from Play online to playing by WebSocket: %d presses, %v", bob.presses-presses, time.Since(began).Round(time.Millisecond))
	bob.end()
	ann.end()
}
