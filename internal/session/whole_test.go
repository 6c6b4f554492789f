package session

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/impair"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// overENet makes the players of a room talk over real sockets.
func (tb *table) overENet() {
	tb.listen = func(string) link.Link {
		l, err := link.Listen(link.Config{Bind: "127.0.0.1"})
		if err != nil {
			tb.t.Fatal(err)
		}
		return l
	}
}

// playThrough plays a whole game and returns the consoles' hashes at its end.
func (tb *table) playThrough(frames int64) []game.Hash {
	tb.t.Helper()
	tb.settings.Frames = frames
	began := time.Now()
	for range tb.players {
		tb.sit(nil)
	}
	hashes := sameHashes(tb.t, frames, tb.machines...)
	for _, p := range tb.machines {
		p.log()
	}
	tb.t.Logf("%d frames with %d players took %v", frames, tb.players, time.Since(began).Round(time.Millisecond))
	return hashes
}

// Whole games on the default core, with different random input on all sides:
// all machines end with the same consoles, and so does a second game.
func TestWholeGame(t *testing.T) {
	core, game := desmume(t), rom(t, romstest.Pad)
	for _, players := range []int{2, 3} {
		t.Run(fmt.Sprint(players, " players"), func(t *testing.T) {
			left(t)
			frames := int64(600 / players)
			if long() {
				frames = 10_000
			}
			over := newTable(t, core, game, players)
			over.overENet()
			first := over.playThrough(frames)
			again := newTable(t, core, game, players).playThrough(frames)
			if !slices.Equal(first, again) {
				t.Errorf("the same game ends with %v and with %v", first, again)
			}
			if slices.Equal(first[:1], first[1:2]) {
				t.Error("two players' consoles are the same, so their inputs do not count")
			}
		})
	}
}

// Over a line with 100 ms +-50 ms and 5 % loss in each direction there is neither
// a desync nor a deadlock, and the game is the same as over a good one.
func TestBadLine(t *testing.T) {
	left(t)
	core, game, frames := desmume(t), rom(t, romstest.Pad), int64(150)
	if long() {
		frames = 3000
	}
	tb := newTable(t, core, game, 2)
	tb.overENet()
	tb.settings.Frames = frames
	tb.sit(nil)
	relay, err := impair.Start(impair.Config{
		Target: tb.addr, Seed: 7, Delay: 100 * time.Millisecond, Jitter: 50 * time.Millisecond, Loss: 0.05, Duplicate: 0.01, Reorder: 0.01,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer relay.Close()
	tb.addr = relay.Addr()
	tb.sit(nil)
	bad := sameHashes(t, frames, tb.machines...)
	for _, p := range tb.machines {
		p.log()
	}
	if good := newTable(t, core, game, 2).playThrough(frames); !slices.Equal(bad, good) {
		t.Errorf("over a bad line the game ends with %v, over a good one with %v", bad, good)
	}
}

// The same in the network in memory, with four machines and the fast test core.
func TestBadMemoryLine(t *testing.T) {
	left(t)
	net := link.NewMemory(3, link.Impairment{Delay: 40 * time.Millisecond, Jitter: 20 * time.Millisecond, Loss: 0.05, Duplicate: 0.02, Reorder: 0.02})
	tb := onNetwork(t, net, pocket(t), rom(t, romstest.Pad), 4)
	tb.settings.Delay = 6
	tb.playThrough(200)
}

// At the DS' own speed a second of play takes a second.
func TestRealSpeed(t *testing.T) {
	left(t)
	tb := newTable(t, pocket(t), rom(t, romstest.Pad), 2)
	tb.settings.Frames = 90
	for range 2 {
		tb.sit(func(c *Config) { c.MaxSpeed = false })
	}
	tb.machines[0].untilPlaying()
	began := time.Now()
	sameHashes(t, 90, tb.machines...)
	if took := time.Since(began); took < 1200*time.Millisecond {
		t.Errorf("90 frames took only %v", took)
	}
}
