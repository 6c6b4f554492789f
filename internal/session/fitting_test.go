package session

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/emucore/savefile"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/savecommit"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// data is a save of 8 KiB with something at its end.
func data() []byte {
	b := bytes.Repeat([]byte{0x5a, 0, 0xff, 7}, 2048)
	b[len(b)-1] = 1
	return b
}

// erased is a save with so many erased bytes behind it.
func erased(sram []byte, n int) []byte {
	return append(bytes.Clone(sram), bytes.Repeat([]byte{0xff}, n)...)
}

// imported makes a save that of a player's game.
func imported(t *testing.T, dir string, game *emucore.ROM, sram []byte) {
	t.Helper()
	s, err := saves.Open(dir, saves.GameOf(game), saves.Options{})
	must.Succeed(t, err)
	must.Succeed(t, s.Import(sram, "old.sav"))
	must.Succeed(t, s.Close())
}

// chips has the core know of all games' chips what it is told here.
func chips(chip savefile.Chip) savecommit.FindChip {
	return func(context.Context, emucore.Config) (savefile.Chip, error) { return chip, nil }
}

// untouched presses nothing, so that cartridges hold at the end what they held at the beginning.
func untouched(dir string, chip savefile.Chip) func(*Config) {
	return func(c *Config) {
		keepIn(dir)(c)
		c.TestOptions, c.FindChip = nil, chips(chip)
		c.Input = func(int64) inputdelay.Input { return inputdelay.Input{} }
	}
}

// A save of any length is made as long as the chip, on all machines alike.
func TestSavesFitTheirCartridges(t *testing.T) {
	blank := erased(nil, 8<<10)
	for name, tt := range map[string]struct {
		save []byte
		chip savefile.Chip
		want []byte
		said string
	}{
		"as long as the chip":  {data(), savefile.Of(8 << 10), data(), ""},
		"a flash card's":       {erased(data(), 504<<10), savefile.Of(8 << 10), data(), "has 512 KB, and the cartridge holds 8 KB: the rest is blank"},
		"cut by a dumper":      {data()[:5000], savefile.Of(8 << 10), erased(data()[:5000], 8<<10-5000), ""},
		"no chip":              {data(), savefile.Of(0), blank, "has no backup memory for"},
		"several chips":        {erased(data(), 504<<10), savefile.Chip{Known: true, Min: 8 << 10, Max: 64 << 10}, data(), "the rest is blank"},
		"nothing is known":     {data(), savefile.Chip{}, data(), ""},
		"data behind the chip": {append(erased(data(), 100), 1), savefile.Of(8 << 10), blank, "without your save, which does not fit"},
	} {
		inBubble(t, name, func(t *testing.T) {
			game := rom(t, romstest.Pad)
			dirs := []string{t.TempDir(), t.TempDir()}
			imported(t, dirs[1], game, tt.save)
			tb := newTable(t, modelCore(), game, 2)
			tb.settings.Frames = 60
			for _, dir := range dirs {
				tb.sit(func(c *Config) {
					untouched(dir, tt.chip)(c)
					c.WithoutSave = true
				})
			}
			sameHashes(t, 60, tb.machines...)
			if got := tb.machines[1].report.SRAM; !bytes.Equal(got, tt.want) {
				t.Errorf("the cartridge held %d bytes, % x", len(got), got[:min(16, len(got))])
			}
			if tt.said != "" && !tb.machines[1].heardOf(tt.said) {
				t.Errorf("the player was told %q", tb.machines[1].said())
			}
			k := kept(t, dirs[1], game)
			first, err := k.Read(1)
			if err != nil || !bytes.Equal(first, tt.save) {
				t.Errorf("the save is not as it was: %d bytes, %v", len(first), err)
			}
			if now := k.Current(); bytes.Equal(tt.want, blank) && (now == nil || now.Number != 1) {
				t.Errorf("a blank cartridge has taken the place of the save: %+v", now)
			}
		})
	}
}

// misfitting is a room of two in whose lobby the second player's save does not fit.
func misfitting(t *testing.T, options map[string]string, control *Control) (tb *table, dir string, save []byte) {
	t.Helper()
	game := rom(t, romstest.Pad)
	dir, save = t.TempDir(), append(erased(data(), 500<<10), 1)
	imported(t, dir, game, save)
	tb = newTable(t, modelCore(), game, 2)
	tb.settings.Frames = 60
	for i, dir := range []string{t.TempDir(), dir} {
		tb.sit(func(c *Config) {
			untouched(dir, savefile.Of(8<<10))(c)
			if c.TestOptions = options; i == 1 {
				c.Control = control
			}
		})
	}
	tb.machines[1].until("its player is asked", func(n notice.Notice) bool {
		m, is := n.(notice.SaveMisfit)
		return is && m.Have == len(save) && m.Chip == 8<<10 && m.Console == 1 && m.ROM == game.SHA256
	})
	tb.machines[0].until("the game host knows whose save it is", func(n notice.Notice) bool {
		b, is := n.(notice.Blockers)
		return is && len(b.List) == 1 && b.List[0].Cause == room.CauseSave && b.List[0].Machine == 1 &&
			strings.HasPrefix(b.List[0].Words, "Ben: has a save of ") && strings.Contains(b.List[0].Words, "8 KB")
	})
	return tb, dir, save
}

// Nobody's save keeps a room from starting: its player plays without it, and it stays.
func TestPlayWithoutASaveThatDoesNotFit(t *testing.T) {
	bubble(t, func(t *testing.T) {
		control := NewControl()
		tb, dir, save := misfitting(t, map[string]string{"testcore_sram_every": "20"}, control)
		control.WithoutSave()
		sameHashes(t, 60, tb.machines...)
		k := kept(t, dir, tb.rom)
		if now := k.Current(); now == nil || now.Size != 8<<10 || now.Origin != saves.Played {
			t.Errorf("what the game saved is not kept: %+v", now)
		}
		aside, _ := filepath.Glob(filepath.Join(k.Dir, "set aside *.sav"))
		if len(aside) != 1 {
			t.Fatalf("set aside: %q", aside)
		}
		if b, err := os.ReadFile(aside[0]); err != nil || !bytes.Equal(b, save) {
			t.Errorf("%d bytes are set aside, %v", len(b), err)
		}
	})
}

// Or chooses another one, in whatever program.
func TestChooseAnotherSave(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb, dir, _ := misfitting(t, nil, nil)
		imported(t, dir, tb.rom, data())
		sameHashes(t, 60, tb.machines...)
		if got := tb.machines[1].report.SRAM; !bytes.Equal(got, data()) {
			t.Errorf("the cartridge held %d bytes", len(got))
		}
	})
}

// A blank save that DeSmuME left is none to a core that has no backup memory for the game; and one that is
// not blank waits.
func TestSaveOfAnotherCore(t *testing.T) {
	path := os.Getenv("NETTPLAY_TEST_CORE")
	if path == "" {
		t.Skip("needs NETTPLAY_TEST_CORE")
	}
	game := rom(t, romstest.Pad)
	for _, deleted := range []bool{true, false} {
		dir, save := t.TempDir(), bytes.Repeat([]byte{1, 2}, 256)
		imported(t, dir, game, save)
		if deleted {
			s, err := saves.Open(dir, saves.GameOf(game), saves.Options{})
			must.Succeed(t, err)
			must.Succeed(t, errors.Join(s.Delete(), s.Close()))
		}
		tb := newTable(t, model.Core(t, path), game, 2)
		tb.settings.Frames = 60
		tb.sit(func(c *Config) { keepIn(dir)(c); c.TestOptions = nil })
		tb.sit(nil)
		sameHashes(t, 60, tb.machines...)
		if sram, err := kept(t, dir, game).Read(1); err != nil || !bytes.Equal(sram, save) {
			t.Errorf("the save is %d bytes now, %v", len(sram), err)
		}
		if waits := tb.machines[0].heardOf("has no backup memory for"); waits == deleted {
			t.Errorf("deleted: %v; its player was told %q", deleted, tb.machines[0].said())
		}
	}
}

// Somebody who comes into a running game is asked before, too, and comes in.
func TestLateJoinerWithASaveThatDoesNotFit(t *testing.T) {
	bubble(t, func(t *testing.T) {
		game, dir := rom(t, romstest.Pad), t.TempDir()
		imported(t, dir, game, append(erased(data(), 100), 1))
		tb := onNetwork(t, quickNet(), modelCore(), game, 2)
		tb.settings.Seats, tb.settings.Frames = 4, 700
		tb.sit(wireless)
		tb.sit(wireless)
		tb.machines[0].untilFrame(60)
		control := NewControl()
		carla := tb.sit(func(c *Config) {
			wireless(c)
			c.Control, c.FindChip = control, chips(savefile.Of(8<<10))
			c.OpenSaves = func(rom *emucore.ROM, console int) (*saves.Store, []byte, error) {
				s, err := saves.Open(dir, saves.GameOf(rom), saves.Options{Console: console})
				return s, nil, err
			}
		})
		carla.until("its player is asked", func(n notice.Notice) bool { _, is := n.(notice.SaveMisfit); return is })
		control.WithoutSave()
		carla.untilPlaying()
		alikeEnds(t, tb.machines...)
	})
}
