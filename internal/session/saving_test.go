package session

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/session/notice"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// keepIn lets a player's saves be kept in a folder, and the game save often.
func keepIn(dir string) func(*Config) {
	return func(c *Config) {
		c.TestOptions = map[string]string{"testcore_sram_every": "200"}
		c.Input = func(int64) inputdelay.Input { return inputdelay.Input{} }
		c.OpenSaves = func(rom *emucore.ROM, console int) (*saves.Store, []byte, error) {
			s, err := saves.Open(dir, saves.GameOf(rom), saves.Options{Console: console})
			return s, nil, err
		}
	}
}

// kept are a player's saves of a game, the newest first.
func kept(t *testing.T, dir string, game *emucore.ROM) *saves.Kept {
	t.Helper()
	k, err := saves.Peek(dir, saves.GameOf(game), saves.Options{})
	if err != nil || k == nil {
		t.Fatalf("saves in %s: %v, %v", dir, k, err)
	}
	return k
}

// confirmed are the frames of the saves that count.
func confirmed(k *saves.Kept) (frames []int64) {
	for _, s := range k.Saves {
		if s.Confirmed {
			frames = append(frames, s.Frame)
		}
	}
	return frames
}

// Saves are kept while the game runs, of the same frames for all players, and the
// next game starts from them.
func TestSavesOfAllPlayersAreOfOneFrame(t *testing.T) {
	bubble(t, func(t *testing.T) {
		game := rom(t, romstest.Pad)
		dirs := []string{t.TempDir(), t.TempDir()}
		for range 2 {
			tb := newTable(t, modelCore(), game, 2)
			tb.settings.Frames = 650
			for _, dir := range dirs {
				tb.sit(keepIn(dir))
			}
			sameHashes(t, 650, tb.machines...)
		}
		var all [][]int64
		for _, dir := range dirs {
			k := kept(t, dir, game)
			all = append(all, confirmed(k))
			if len(k.Saves) != len(all[len(all)-1]) {
				t.Errorf("after games that ended well there are saves that are not confirmed: %+v", k.Saves)
			}
			sram, err := k.Read(k.Current().Number)
			// The cartridge counts: 0, 200, 400 and 600 in each of the two games.
			if err != nil || sram[0] != 8 {
				t.Errorf("the save is % x, %v", sram[:8], err)
			}
		}
		if !slices.Equal(all[0], all[1]) || len(all[0]) < 4 {
			t.Errorf("saves are of frames %v and %v", all[0], all[1])
		}
	})
}

// A player who vanishes leaves everybody with the save of the last frame that all had.
func TestSavesAfterAnEndThatWasNotGood(t *testing.T) {
	bubble(t, func(t *testing.T) {
		net := quickNet()
		game := rom(t, romstest.Pad)
		dirs := []string{t.TempDir(), t.TempDir()}
		tb := onNetwork(t, net, modelCore(), game, 2)
		for _, dir := range dirs {
			tb.sit(keepIn(dir))
		}
		for _, p := range tb.machines {
			p.until("a save is kept", func(n notice.Notice) bool { s, ok := n.(notice.Saved); return ok && s.Frame > 0 })
		}
		net.Cut("Ben")
		for _, p := range tb.machines {
			p.expect(notice.ResultLost)
		}
		if fa, fb := confirmed(kept(t, dirs[0], game)), confirmed(kept(t, dirs[1], game)); len(fa) == 0 || fa[0] != fb[0] {
			t.Fatalf("the players' saves are of frames %v and %v", fa, fb)
		}
	})
}

// A cartridge that is written to before the machines compare for the first time is
// kept like any other.
func TestSaveBeforeTheFirstComparison(t *testing.T) {
	bubble(t, func(t *testing.T) {
		game := rom(t, romstest.Pad)
		dirs := []string{t.TempDir(), t.TempDir()}
		tb := newTable(t, modelCore(), game, 2)
		for i, dir := range dirs {
			tb.sit(func(c *Config) {
				keepIn(dir)(c)
				c.TestOptions = nil
				if i == 1 {
					c.Input = pressAt(5, inputdelay.KeyA)
				}
			})
		}
		anna, ben := tb.machines[0], tb.machines[1]
		ben.until("the save is kept", func(n notice.Notice) bool { _, ok := n.(notice.Saved); return ok })
		ben.stop()
		ben.end()
		anna.end()
		if frames := confirmed(kept(t, dirs[1], game)); len(frames) == 0 {
			t.Fatal("no save is confirmed")
		}
	})
}

// pressAt holds keys in one frame.
func pressAt(frame int64, keys inputdelay.Keys) func(int64) inputdelay.Input {
	return func(f int64) inputdelay.Input {
		if f == frame {
			return inputdelay.Input{Keys: keys}
		}
		return inputdelay.Input{}
	}
}

// A save that a disk does not take at a game's end is told, stays in memory, and the next
// game begins with it; it is written as soon as there is room.
func TestSaveThatTheDiskDoesNotTake(t *testing.T) {
	bubble(t, func(t *testing.T) {
		game := rom(t, romstest.Pad)
		dirs, away := []string{t.TempDir(), t.TempDir()}, filepath.Join(t.TempDir(), "away")
		var left saves.Unwritten
		play := func(full bool) []string {
			tb := newTable(t, modelCore(), game, 2)
			tb.settings.Frames = 250
			for i, dir := range dirs {
				tb.sit(func(c *Config) {
					keepIn(dir)(c)
					c.Unwritten = &left
					c.Input = func(frame int64) inputdelay.Input {
						if i == 0 && full && frame == 150 { // from here on the disk takes nothing
							errorOn(t, os.Rename(dir, away))
							errorOn(t, os.WriteFile(dir, nil, 0o600))
						}
						return inputdelay.Input{}
					}
				})
			}
			sameHashes(t, 250, tb.machines...)
			return tb.machines[0].report.Unsaved
		}
		if lost := play(true); len(lost) != 1 || !strings.Contains(lost[0], "seat 1 could not be kept") || len(left.List()) != 1 {
			t.Fatalf("the report says %q; in memory is %+v", lost, left.List())
		}
		errorOn(t, os.Remove(dirs[0]))
		errorOn(t, os.Rename(away, dirs[0]))
		if lost := play(false); len(lost) > 0 || len(left.List()) > 0 {
			t.Errorf("the report says %q; in memory is %+v", lost, left.List())
		}
		for _, dir := range dirs {
			k := kept(t, dir, game)
			// The cartridge counts: 0 and 200 in each of the two games.
			if sram, err := k.Read(k.Current().Number); err != nil || sram[0] != 4 {
				t.Errorf("the save is % x, %v", sram[:8], err)
			}
		}
	})
}

// A save that the disk took neither in the game nor at its end is written before the program ends, if the disk takes it then.
func TestSaveThatTheDiskTakesInTheEnd(t *testing.T) {
	bubble(t, func(t *testing.T) {
		game := rom(t, romstest.Pad)
		dir, away := t.TempDir(), filepath.Join(t.TempDir(), "away")
		tb := newTable(t, modelCore(), game, 2)
		tb.settings.Frames = 250
		tb.sit(func(c *Config) {
			keepIn(dir)(c)
			c.Input = func(frame int64) inputdelay.Input {
				if frame == 150 {
					errorOn(t, os.Rename(dir, away))
					errorOn(t, os.WriteFile(dir, nil, 0o600))
				}
				return inputdelay.Input{}
			}
		})
		tb.sit(keepIn(t.TempDir()))
		tb.machines[0].until("the save is in memory only", func(n notice.Notice) bool { _, ok := n.(notice.Unsaved); return ok })
		errorOn(t, os.Remove(dir))
		errorOn(t, os.Rename(away, dir))
		sameHashes(t, 250, tb.machines...)
		if lost := tb.machines[0].report.Unsaved; len(lost) > 0 {
			t.Errorf("the report says %q", lost)
		}
		k := kept(t, dir, game)
		if sram, err := k.Read(k.Current().Number); err != nil || sram[0] != 2 {
			t.Errorf("the save is % x, %v", sram[:8], err)
		}
	})
}

func errorOn(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
}
