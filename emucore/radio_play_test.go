package emucore

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/nettplay/nettplay/internal/air"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// seeded is a shared game between test cores in which nearly everything is left
// to a seed.
func seeded(t testing.TB, consoles int, frames int64, seed uint64) *radioGame {
	r := rand.New(rand.NewPCG(seed, uint64(consoles)))
	g := pocketGame(
		t, consoles, frames,
		"radio", "mac", "radio_stagger", fmt.Sprint(r.IntN(4)), "radio_on_at", fmt.Sprint(r.IntN(4)),
		"radio_rounds", fmt.Sprint(1+r.IntN(2)), "radio_at_us", fmt.Sprint([]int{0, 2000, 8000, 16300}[r.IntN(4)]),
		"radio_payload", fmt.Sprint(r.IntN(97)), "radio_stretch", fmt.Sprint([]int{0, 2, 16}[r.IntN(3)]),
		"radio_garbage", "enabled", "radio_runahead", []string{"enabled", "disabled"}[r.IntN(2)],
	)
	if late := r.IntN(3); late > 0 { // clients look for a game that is not there yet
		g.seats[0] = map[string]string{"testcore_radio_on_at": fmt.Sprint(12 * late)}
	}
	g.air.Skew, g.seed = int(seed%3), seed
	g.every = max(1, frames/4)
	return g
}

// TestRadioRepeats: on the air the same happens in every run, whoever is fast or
// slow: in parallel and one console at a time, delayed at random, on one
// processor and on more.
func TestRadioRepeats(t *testing.T) {
	for i, size := range []struct {
		consoles int
		frames   int64
	}{{2, 150}, {4, 90}, {16, 40}} { // with each skew
		t.Run(fmt.Sprint(size.consoles), func(t *testing.T) {
			checkLeaks(t)
			g := seeded(t, size.consoles, size.frames, uint64(i))
			ways := waysOf(g.seed)
			if size.consoles < 16 || long() {
				ways = append(ways, way{procs: 1, jitter: 5000}, way{})
			}
			repeats(t, g, ways...)
		})
	}
}

// repeats plays a game in several ways, which must make no difference.
func repeats(t *testing.T, g *radioGame, ways ...way) (want radioRun) {
	t.Helper()
	for i, w := range ways {
		got := g.playAs(t, w)
		if i == 0 {
			want = got
		}
		if err := got.differs(&want); err != nil {
			t.Fatalf("%d consoles, seed %d, %v and %v: %v", g.consoles, g.seed, ways[0], w, err)
		}
	}
	if len(want.trace) == 0 {
		t.Fatal("nothing was sent")
	}
	return want
}

// way is how a game is played when it must make no difference.
type way struct {
	serial bool
	procs  int // GOMAXPROCS; 0: as it is
	jitter int // workers wait up to so many microseconds at random points
}

func (w way) String() string {
	how := map[bool]string{false: "parallel", true: "serial"}[w.serial]
	return fmt.Sprintf("%s, GOMAXPROCS %d, delays to %d us", how, w.procs, w.jitter)
}

// waysOf are two ways, one console at a time and in parallel, with different numbers of
// processors. Nine seeds go through all of these with each skew (seeded).
func waysOf(seed uint64) []way {
	procs := [...]int{1, 4, 2}
	one, other := procs[seed/3%3], procs[(seed/3+1)%3]
	return []way{{serial: true, procs: one, jitter: 5000}, {procs: other, jitter: 5000}}
}

func (g *radioGame) playAs(t *testing.T, w way) radioRun {
	t.Helper()
	other := *g
	other.air.Serial = w.serial
	other.seats = map[int]map[string]string{}
	for s := range g.consoles {
		other.seats[s] = map[string]string{
			"testcore_jitter_us": fmt.Sprint(w.jitter), "testcore_jitter_in": fmt.Sprint(600 * g.consoles),
		}
		maps.Copy(other.seats[s], g.seats[s])
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(w.procs))
	return other.play(t)
}

// TestRadioHealthy: what the consoles say of a game that nothing disturbs.
func TestRadioHealthy(t *testing.T) {
	g := pocketGame(t, 3, 200, "radio", "mac")
	r := g.open(t)
	for _, err := range r.run(g.frames) {
		must.Succeed(t, err)
	}
	for i, c := range r.on {
		p := reportOf(t, c)
		if p.rounds < 130 || p.lost > 0 || p.disagreed > 0 || p.garbled > 0 {
			t.Errorf("seat %d: %+v", i, p)
		}
	}
	st := r.status()
	for i, c := range st.Consoles[:g.consoles] {
		if c.GiveUps > 0 || c.HostGiveUps > 0 || c.Fallen > 0 || (c.Grants > 0) != (i > 0) {
			t.Errorf("seat %d: %+v", i, c)
		}
	}
}

// TestRadioGrants: whether clients pass their time beside their host or after
// it makes no difference to what is sent.
func TestRadioGrants(t *testing.T) {
	for _, runahead := range []string{"enabled", "disabled"} {
		// Replies have nothing in them of the core's hash, which counts polls.
		g := pocketGame(t, 3, 200, "radio", "mac", "radio_runahead", runahead, "radio_payload", "0")
		with := g.play(t)
		g.air.Plain = true
		plain := g.play(t)
		if len(with.trace) != len(plain.trace) {
			t.Fatalf("%d packets, %d without grants", len(with.trace), len(plain.trace))
		}
		for i := range with.trace {
			if !samePacket(with.trace[i], plain.trace[i]) {
				t.Fatalf("runahead %s, packet %d: %v, without grants %v", runahead, i, with.trace[i], plain.trace[i])
			}
		}
	}
}

// samePacket leaves out in which round a packet was sent.
func samePacket(a, b air.Record) bool {
	a.Round, b.Round = 0, 0
	return a == b
}

// TestRadioScrub: what a core leaves uninitialised in packets is cleared.
func TestRadioScrub(t *testing.T) {
	g := pocketGame(t, 3, 80, "radio", "mac", "radio_garbage", "enabled")
	a, b := g.play(t), g.play(t)
	if err := a.differs(&b); err != nil {
		t.Error(err)
	}
	g.profile.Scrub = nil
	a, b = g.play(t), g.play(t)
	if a.differs(&b) == nil {
		t.Error("there was nothing to clear")
	}
}

// TestRadioRealCore plays ROMs of ours that use their radio on the core that
// NETTPLAY_TEST_CORE names, which should be melonDS DS.
func TestRadioRealCore(t *testing.T) {
	for _, name := range []string{"multiplay.nds", "broadcast.nds"} {
		t.Run(name, func(t *testing.T) {
			for _, consoles := range []int{2, 3, 4} {
				frames := int64(600)
				if long() {
					frames = 3600
				}
				g := realGame(t, name, consoles, frames)
				g.every = 100
				a, b := g.play(t), g.play(t)
				if err := a.differs(&b); err != nil {
					t.Fatalf("%d consoles: %v", consoles, err)
				}
				g.air.Serial = true
				c := g.play(t)
				if err := a.differs(&c); err != nil {
					t.Fatalf("%d consoles, serial: %v", consoles, err)
				}
				t.Logf("%d consoles: %d rounds, %d packets", consoles, a.status.Rounds, a.status.Packets)
				for i, c := range a.status.Consoles[:consoles] {
					t.Logf("seat %d: %+v", i, c)
					// Clients are granted some time, the host is not: that is seat 0.
					client := name == "multiplay.nds" && i > 0
					if c.Sent < uint64(frames)/2 || c.HostGiveUps > 0 || c.Fallen > 0 || (c.Grants > 0) != client {
						t.Errorf("seat %d: %+v", i, c)
					}
				}
				g.air = air.Config{Skew: 1, Plain: true}
				d := g.play(t)
				if !slices.Equal(a.hashes, d.hashes) || !slices.EqualFunc(a.trace, d.trace, samePacket) {
					t.Errorf("%d consoles: with grants not the same as without", consoles)
				}
			}
		})
	}
}

// TestRadioQuietRealCore: on a silent air the core that NETTPLAY_TEST_CORE names is
// asked at one poll in eight, and what it makes of that is the same in every run.
func TestRadioQuietRealCore(t *testing.T) {
	const frames = 200
	g := quietGame(t, 3, frames)
	a := g.play(t)
	g.air.Serial = true
	b := g.play(t)
	if err := a.differs(&b); err != nil {
		t.Error(err)
	}
	st := a.status
	for i, c := range st.Consoles[:g.consoles] {
		if c.Sent > 3 || c.Stops > 8*frames || c.Stops < 3*frames {
			t.Errorf("seat %d: %+v", i, c)
		}
	}
}

// realGame is a game of a ROM of ours on the core that NETTPLAY_TEST_CORE names.
func realGame(t testing.TB, rom string, consoles int, frames int64) *radioGame {
	t.Helper()
	path := os.Getenv("NETTPLAY_TEST_CORE")
	if path == "" {
		t.Skip("NETTPLAY_TEST_CORE names no core with local wireless")
	}
	file := filepath.Join(testcore.Root(), "roms-test", rom)
	if _, err := os.Stat(file); err != nil {
		t.Skipf("NOT TESTED: there is no %s", file)
	}
	return realGameOf(t, path, file, consoles, frames)
}

// quietGame is consoles on that core whose radios only listen.
func quietGame(t testing.TB, consoles int, frames int64) *radioGame {
	t.Helper()
	path := os.Getenv("NETTPLAY_TEST_CORE")
	if path == "" {
		t.Skip("NETTPLAY_TEST_CORE names no core with local wireless")
	}
	rom, err := romstest.Quiet(romstest.Broadcast)
	must.Succeed(t, err)
	file := filepath.Join(t.TempDir(), "quiet.nds")
	must.Succeed(t, os.WriteFile(file, rom, 0o600))
	return realGameOf(t, path, file, consoles, frames)
}

func realGameOf(t testing.TB, path, file string, consoles int, frames int64) *radioGame {
	t.Helper()
	core := opened(t, path)
	if !core.Wireless {
		t.Skipf("NOT TESTED: %s has no local wireless", core.Name)
	}
	r, err := OpenROM(file)
	must.Succeed(t, err)
	return &radioGame{consoles: consoles, frames: frames, air: air.Config{Skew: 1}, core: core, rom: r, lobby: true}
}
