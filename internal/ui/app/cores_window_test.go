package app

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/corecheck"
	"github.com/nettplay/nettplay/internal/testing/fixture"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
	"github.com/nettplay/nettplay/internal/testing/uitest"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// coreless is somebody who starts the program for the first time, with a game for the radio and
// without a core for it. Cores come from a server.
func coreless(t *testing.T, name string, cores *fixture.CoreServer, builds ...fixture.Core) *desk {
	d := newDesk(t, name, map[string][]byte{
		".config/nettplay/config.toml": fmt.Appendf(nil, "[core]\nsources = [%q]\n[net]\nport = %d\nbind = \"127.0.0.1\"\n[video]\nscale = 1\n", cores.Sources()[0], freePort(t)),
		"roms/multiplay.nds":           romstest.Multiplay,
	})
	d.env = append(d.env, "SSL_CERT_FILE="+cores.CertFile(t))
	if realCore != "" {
		return d
	}
	for _, b := range builds { // the test core cannot pass the check of a core that is new here
		book := corecheck.OpenBook(filepath.Join(d.dir, ".local/share/nettplay/core-verdicts"))
		must.Succeed(t, book.Keep(corecheck.Verdict{Core: sha256.Sum256(b.Library)}))
	}
	return d
}

// realCore is the path of melonDS DS, if there is one.
var realCore = os.Getenv("NETTPLAY_TEST_CORE")

// builds are two builds of melonDS DS, or of the test core with a radio, of which the first is the
// older one.
func builds(t *testing.T) (older, newer fixture.Core) {
	path := realCore
	if path == "" {
		t.Log("NETTPLAY_TEST_CORE names no core: the test core stands in, which does not play the game over its radio")
		path = testcore.Wireless(t)
	}
	b := must.Read(t, path)
	newer = fixture.Core{Name: "melondsds", Version: "1.3.1", Date: "2026-11-20", Library: b}
	older = fixture.Core{Name: "melondsds", Version: "1.2.0", Date: "2025-01-05", Library: append(b[:len(b):len(b)], 0)} // which changes nothing but the hash
	return older, newer
}

// TestFromNothingToAWirelessGame: two players who have the program and a game, and no core with
// local wireless, play a game over the radio. Each gets the core at the first start by a press and
// a yes. The second one got an older build, and gets the room's by a press and a yes too.
func TestFromNothingToAWirelessGame(t *testing.T) {
	if os.Getenv("NETTPLAY_LONG") == "" {
		t.Skip("the screens' tests do without a window; NETTPLAY_LONG=1 does all of it")
	}
	t.Parallel()
	uitest.NeedDisplay(t)
	server, beacons := fixture.ServeCores(t), beaconPlace()
	older, newer := builds(t)
	ann, bob := coreless(t, "ann", server, older, newer), coreless(t, "bob", server, older, newer)
	host, other := byMouse{ann}, byKeys{bob}
	began := time.Now()

	first := func(p guest, name string, offered fixture.Core) {
		server.Release(offered)
		d := p.at()
		d.start(beacons)
		defer journey(t, "first start of "+name, p)()
		p.write("player.nickname", name, false)
		p.press("get wireless")
		d.until("the question", func(s seen) bool { return s.Asked == "Get melonDS DS "+offered.Version+"?" })
		if asked := strings.Join(server.Asked(), " "); strings.Contains(asked, "GET /test/cores/releases/download") && name == "Ann" {
			t.Errorf("something was fetched before the yes: %s", asked)
		}
		if s := d.now(); !s.says("127.0.0.1") {
			t.Errorf("the question does not say from where: %+v", s.Texts)
		}
		d.save("cores-question-" + name)
		p.press("yes")
		d.until("the core", func(s seen) bool { return s.Core == "melonDS DS" && s.Settled })
		d.save("cores-got-" + name)
		p.press("begin")
		comes(p, "home")
	}
	first(host, "Ann", newer)
	first(other, "Bob", older)
	server.Release(newer, older)

	host.press("Host")
	ann.until("the games", func(s seen) bool { return s.Screen == "games" })
	host.open("games", "nettplay multiplay")
	comes(host, "host")
	host.press("open")
	comes(host, "lobby")

	other.press("Join")
	other.open("rooms", "Ann's room")
	comes(other, "ended")
	bob.save("cores-ended")
	other.press("core")
	bob.until("the question", func(s seen) bool { return s.Asked == "Get melonDS DS 1.3.1 and join again?" })
	bob.save("cores-join-question")
	other.press("yes")
	comes(other, "lobby")
	bob.save("cores-lobby")
	other.press("ready")
	ann.until("nothing in the way", func(s seen) bool { return s.Present == 2 && len(s.Blocked) == 0 })
	host.press("start")
	frames := int64(60)
	if realCore != "" {
		frames = 900 // after 3 s each looks for the other's game
	}
	for _, d := range []*desk{ann, bob} {
		d.until("both consoles on the radio", func(s seen) bool { return s.Screen == "playing" && s.Agreed > frames && s.says("2 on wireless") })
		d.save("cores-plays")
	}
	t.Logf("from the first start to the radio: %d and %d presses, %v", ann.presses, bob.presses, time.Since(began).Round(time.Millisecond))
	kept, _ := filepath.Glob(filepath.Join(bob.dir, ".local/share/nettplay/cores/melondsds/*"))
	if len(kept) != 2 {
		t.Errorf("Bob keeps %d builds", len(kept))
	}
	for _, d := range []*desk{bob, ann} {
		d.end()
		if left := d.workers(); len(left) > 0 {
			t.Errorf("processes are left: %v", left)
		}
	}
}
