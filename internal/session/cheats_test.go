package session

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/cheat"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/roms"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/spectate"
	"github.com/nettplay/nettplay/internal/testing/memnet"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// cheating sees what the consoles of a machine are started with.
type cheating struct {
	mu      sync.Mutex
	started []int // cheats, console by console
}

func (c *cheating) tweak(cfg *emucore.Config) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.started = append(c.started, len(cfg.Cheats))
}

// all checks that at least so many consoles were started, each with so many cheats.
func (c *cheating) all(t *testing.T, what string, consoles, cheats int) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.started) < consoles {
		t.Errorf("%s: %d consoles were started, not %d", what, len(c.started), consoles)
	}
	for _, n := range c.started {
		if n != cheats {
			t.Errorf("%s: consoles were started with %v cheats", what, c.started)
			return
		}
	}
}

// Cheats are on all machines' consoles from the first frame on, in those that a resync makes, in a late joiner's and in
// what a recording plays; all are told of them.
func TestCheatsAreAgreedOn(t *testing.T) {
	bubble(t, func(t *testing.T) {
		core, game := modelCore(), rom(t, romstest.Pad)
		tb := onNetwork(t, memnet.New(5, memnet.Impairment{Delay: 10 * time.Millisecond}), core, game, 2)
		tb.settings.Seats, tb.settings.Frames, tb.settings.Spectators = 3, 450, 1
		tb.settings.Cheats = room.Cheats{Game: roms.ID(game).SHA256, List: []cheat.Cheat{
			{Name: "Coins", Code: []uint32{0x02001234, 99}}, {Name: "Lives", Code: []uint32{0x12001238, 9}},
		}}
		r := replay.NewRecorder(replay.Config{Path: filepath.Join(t.TempDir(), "cheats.nplog")})
		looks := make([]cheating, 3)
		var options Config
		sit := func(n int) *machine {
			return tb.sit(func(c *Config) {
				wireless(c)
				if n == 0 {
					c.Recorder, options = r, *c
				}
				plain := c.TestTweak
				c.TestTweak = func(cfg *emucore.Config) {
					plain(cfg)
					looks[n].tweak(cfg)
				}
				if n == 1 {
					c.TestOptions["testcore_desync_at"], c.TestOptions["testcore_desync_what"] = "60", "ram"
				}
			})
		}
		anna, ben := sit(0), sit(1)
		anna.untilSaid("take their consoles from")
		seen, saw := make(chan string, 100), cheating{}
		uma := tb.watch("Uma", func(c *spectate.WatchConfig) {
			likeWireless(c)
			plain := c.TestTweak
			c.TestTweak = func(cfg *emucore.Config) {
				plain(cfg)
				saw.tweak(cfg)
			}
			c.Notify = func(n notice.Notice) {
				if m, is := n.(notice.Message); is && m.From == "" {
					seen <- m.Text
				}
			}
		})
		anna.untilFrame(150)
		carla := sit(2)
		carla.untilPlaying()
		alikeEnds(t, anna, ben, carla)
		uma.sawAll(anna)
		uma.end()
		saw.all(t, "Uma, who watches,", 2, 2)
		close(seen)
		told := false
		for text := range seen {
			told = told || text == "2 cheats on, for all who play this game: Coins, Lives."
		}
		if !told {
			t.Error("Uma was not told")
		}
		looks[0].all(t, "Anna", 2+2+3, 2) // the start, the repair, and what lets Carla in
		looks[1].all(t, "Ben", 2+2+3, 2)
		looks[2].all(t, "Carla", 3, 2)
		for _, p := range tb.machines {
			if !strings.Contains(strings.Join(p.said(), "\n"), "2 cheats on, for all who play this game: Coins, Lives.") {
				t.Errorf("%s was not told: %q", p.name, p.said())
			}
		}
		must.Succeed(t, r.Close())
		l := openLog(t, r.Path())
		if c, err := l.Cheats(); err != nil || len(c.List) != 2 || c.Game != game.SHA256 || c.List[0].Name != "Coins" {
			t.Errorf("the recording has %+v, %v", c, err)
		}
		var again cheating
		s := replayed(t, onModel(t, player.Config{Log: l, Core: core, ROMs: romsOf(game), TestOptions: options.TestOptions, TestTweak: func(cfg *emucore.Config) {
			options.TestTweak(cfg)
			again.tweak(cfg)
		}}))
		if s.Difference != nil || s.Frame != l.Length() || s.Proofs == 0 {
			t.Errorf("played again: %+v, %v", s, s.Difference)
		}
		again.all(t, "the recording", 3, 2)
	})
}

// Cheats act on consoles that play their game, not on those of others.
func TestCheatsAreOfOneGame(t *testing.T) {
	bubble(t, func(t *testing.T) {
		core, pad, save := modelCore(), rom(t, romstest.Pad), rom(t, romstest.Save)
		tb := newTable(t, core, pad, 2)
		tb.settings.Frames = 60
		tb.settings.Cheats = room.Cheats{Game: roms.ID(pad).SHA256, List: []cheat.Cheat{{Name: "Coins", Code: []uint32{0x02001234, 99}}}}
		var look struct {
			sync.Mutex
			by map[[32]byte]int
		}
		look.by = map[[32]byte]int{}
		see := func(c *Config) {
			c.Library = emucore.NewLibrary([]string{filepath.Dir(pad.Path), filepath.Dir(save.Path)})
			c.TestTweak = func(cfg *emucore.Config) {
				look.Lock()
				defer look.Unlock()
				look.by[cfg.ROM.SHA256] += 1 + 100*len(cfg.Cheats)
			}
		}
		anna := tb.sit(see)
		ben := tb.sit(func(c *Config) { see(c); c.ROM = save })
		alikeEnds(t, anna, ben)
		if n := look.by[pad.SHA256]; n < 202 || n%101 != 0 || look.by[save.SHA256] < 2 || look.by[save.SHA256] > 99 {
			t.Errorf("consoles and cheats by game: %v", look.by)
		}
	})
}

// A code that the core does not take is said before the start.
func TestCheatsThatTheCoreDoesNotTake(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Pad), 2)
		long := cheat.Cheat{Name: "Long"}
		for i := range uint32(100) {
			long.Code = append(long.Code, 0x02000000+4*i, i)
		}
		tb.settings.Cheats = room.Cheats{Game: tb.rom.SHA256, List: []cheat.Cheat{long}}
		anna := tb.sit(nil)
		anna.until("the blocker", func(n notice.Notice) bool {
			b, is := n.(notice.Blockers)
			return is && slices.ContainsFunc(b.List, func(b room.Blocker) bool {
				return b.Cause == room.CauseOptions && strings.Contains(b.Words, `cheat "Long": it has 100 lines`)
			})
		})
		anna.stop()
		anna.end()
	})
}

// A kept moment goes on with its cheats, or with others that the game host chose for it: they are in no state.
func TestAKeptMomentHasItsCheats(t *testing.T) {
	bubble(t, func(t *testing.T) {
		core, game := modelCore(), rom(t, romstest.Pad)
		coins := room.Cheats{Game: game.SHA256, List: []cheat.Cheat{{Name: "Coins", Code: []uint32{0x02001234, 99}}}}
		anna, ben := newEvening(t), newEvening(t)
		first := firstEvening(t, core, game, 300, anna.at("Anna", func(c *Config) { c.Host.Settings.Cheats = coins }), ben.at("Ben"))
		sameHashes(t, 300, first...)
		goOn := func(l *replay.Log, cheats room.Cheats) {
			var look cheating
			tb := newTable(t, core, game, 2)
			tb.settings.Frames, tb.settings.Cheats = 60, cheats
			see := func(c *Config) {
				c.SetAside = true
				plain := c.TestTweak
				c.TestTweak = func(cfg *emucore.Config) {
					if plain != nil {
						plain(cfg)
					}
					look.tweak(cfg)
				}
			}
			tb.sit(anna.at("Anna", goesOn(l), see))
			tb.sit(ben.at("Ben", see))
			sameHashes(t, 60, tb.machines...)
			look.all(t, "a moment that goes on", 4, max(1, len(cheats.List)))
		}
		l := anna.moment(t)
		if c, err := l.Cheats(); err != nil || c.Words() != "Coins" {
			t.Errorf("the moment has %+v, %v", c, err)
		}
		goOn(l, room.Cheats{})
		two := coins
		two.List = append(cheat.Clone(coins.List), cheat.Cheat{Name: "Lives", Code: []uint32{0x02001238, 9}})
		goOn(anna.moment(t), two)
	})
}
