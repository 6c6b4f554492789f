package session

import (
	"bytes"
	"slices"
	"testing"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/saves"
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
	k, err := saves.Look(dir, saves.GameOf(game), saves.Options{})
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
	inBubble(t, "", func(t *testing.T) {
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
	inBubble(t, "", func(t *testing.T) {
		net := quickNet()
		game := rom(t, romstest.Pad)
		dirs := []string{t.TempDir(), t.TempDir()}
		tb := onNetwork(t, net, modelCore(), game, 2)
		for _, dir := range dirs {
			tb.sit(keepIn(dir))
		}
		for _, p := range tb.machines {
			p.until("a save is kept", func(n Notice) bool { s, ok := n.(Saved); return ok && s.Frame > 0 })
		}
		net.Cut("Ben")
		for _, p := range tb.machines {
			p.expect(ResultLost)
		}
		if fa, fb := confirmed(kept(t, dirs[0], game)), confirmed(kept(t, dirs[1], game)); len(fa) == 0 || fa[0] != fb[0] {
			t.Fatalf("the players' saves are of frames %v and %v", fa, fb)
		}
	})
}

// A cartridge that is written to before the machines compare for the first time is
// kept like any other.
func TestSaveBeforeTheFirstComparison(t *testing.T) {
	inBubble(t, "", func(t *testing.T) {
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
		ben.until("the save is kept", func(n Notice) bool { _, ok := n.(Saved); return ok })
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

// The last save of a console that cannot be asked any more counts as of the frame after
// which it was seen, and not of the older one after which it changed: a save of that frame
// may be there already.
func TestLastKnownSave(t *testing.T) {
	v := newSaving()
	v.note(game.Hashed{Seat: 1, Frame: 240, SRAM: []byte{1}})
	v.note(game.Hashed{Seat: 1, Frame: 270})
	v.note(game.Hashed{Seat: 0, Frame: 300})
	if last := v.last(1); last.frame != 270 || !slices.Equal(last.sram, []byte{1}) {
		t.Errorf("%+v", last)
	}
	if last := v.last(0); last.sram != nil {
		t.Errorf("%+v of a cartridge that did not change", last)
	}
}

// aboutToKeep is a session in whose game something was just written into its cartridge.
func aboutToKeep(t *testing.T) (*session, *quiet, *saves.Store) {
	t.Helper()
	cartridge := rom(t, romstest.Pad)
	store, err := saves.Open(t.TempDir(), saves.GameOf(cartridge), saves.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	r := &quiet{}
	s := bare(r)
	s.game = emptyGame(t, 1, 0)
	s.stores[1] = opened{cartridge.SHA256, store}
	s.saving.note(game.Hashed{Seat: 0, Frame: 100, SRAM: bytes.Repeat([]byte{7}, 512)})
	return s, r, store
}

// When a line breaks while saves are written, the room's order comes again, and what was
// said of the first one counts: the save is the current one all the same, and the room is
// not told so before.
func TestAnOrderToKeepComesTwice(t *testing.T) {
	s, r, store := aboutToKeep(t)
	s.saveOrder(host.SaveCommit{Frame: 120})
	s.saveOrder(host.SaveCommit{Frame: 120}) // while it is written
	s.jobsDone()
	s.saveOrder(host.SaveCommit{Frame: 120}) // and after that
	s.saveOrder(host.SaveCommit{Frame: 120, Commit: true})
	s.jobsDone()
	if sram, _, err := store.Current(); len(sram) != 512 || err != nil {
		t.Errorf("the save is not current: %d bytes, %v", len(sram), err)
	}
	if len(r.kept) != 3 {
		t.Errorf("the room was told %q", r.kept)
	}
	s.saveOrder(host.SaveCommit{Frame: 120, Commit: true})
	s.jobsDone()
	if len(r.kept) != 4 {
		t.Errorf("that it is current was told %d times", len(r.kept)-2)
	}
}

// A commit that comes while the save is still written is done when it is.
func TestACommitWaitsForTheDisk(t *testing.T) {
	s, r, store := aboutToKeep(t)
	s.saveOrder(host.SaveCommit{Frame: 120})
	s.saveOrder(host.SaveCommit{Frame: 120, Commit: true})
	if len(r.kept) != 0 {
		t.Errorf("the room was told %q before anything was written", r.kept)
	}
	s.jobsDone()
	if sram, _, err := store.Current(); len(sram) != 512 || err != nil {
		t.Errorf("the save is not current: %d bytes, %v", len(sram), err)
	}
}

// A write after the frame of a commit is committed the next time; so is one that could not
// be committed.
func TestLaterChangesAreKeptNextTime(t *testing.T) {
	v := newSaving()
	write := func(frame int64) {
		v.note(game.Hashed{Seat: 0, Frame: frame, Hash: ds.Hash{SRAM: uint64(frame)}})
	}
	write(0)
	write(30)
	write(60)
	v.committedUpTo(30)
	if v.changed != 60 || v.first != 31 {
		t.Errorf("kept as of frame 30: changed from %d to %d", v.first, v.changed)
	}
	v.committedUpTo(60)
	if v.changed != -1 {
		t.Errorf("all is kept, and frame %d is not", v.changed)
	}
	write(90)
	if v.changed != 90 || v.first != 90 {
		t.Errorf("changed from %d to %d", v.first, v.changed)
	}
}
