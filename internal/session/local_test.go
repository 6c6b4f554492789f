package session

import (
	"bytes"
	"slices"
	"testing"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// beside is a further player at a machine, who plays what a seed says.
func beside(name string, mac byte, seed uint64) LocalPlayer {
	script := inputdelay.RandomScript(seed, 20_000)
	return LocalPlayer{
		Firmware: ds.Firmware{Nickname: name, MAC: [6]byte{0, 9, 0xbf, 7, 7, mac}, Language: 1, BirthMonth: 1, BirthDay: 1},
		Input:    script.At,
	}
}

// Two machines with two players each: all four consoles are alike on both, and each
// hears its own player.
func TestTwoMachinesOfTwo(t *testing.T) {
	bubble(t, func(t *testing.T) {
		play := func(seed uint64) []game.Hash {
			tb := newTable(t, modelCore(), rom(t, romstest.Pad), 4)
			tb.settings.Frames = 60
			anna := tb.sit(func(c *Config) { c.LocalPlayers = []LocalPlayer{beside("Annabel", 1, 70)} })
			ben := tb.sit(func(c *Config) { c.LocalPlayers = []LocalPlayer{beside("Bert", 2, seed)} })
			var mine [2][]ds.Seat
			for i, p := range []*machine{anna, ben} {
				p.until("the game begins", func(n notice.Notice) bool {
					playing, ok := n.(notice.Playing)
					mine[i] = playing.Mine
					return ok
				})
			}
			if !slices.Equal(mine[0], []ds.Seat{0, 1}) || !slices.Equal(mine[1], []ds.Seat{2, 3}) {
				t.Errorf("the machines' own seats are %v", mine)
			}
			a, b := anna.expect(notice.ResultOK), ben.expect(notice.ResultOK)
			var list []game.Hash
			for i, s := range a.Seats {
				if s.Frames != 60 || s.Hash == 0 || s.Hash != b.Seats[i].Hash || s.Owner != b.Seats[i].Owner {
					t.Errorf("%s has %+v, %s %+v", anna.name, s, ben.name, b.Seats[i])
				}
				list = append(list, s.Hash)
			}
			return list
		}
		first, second := play(71), play(72)
		if len(first) != 4 || len(second) != 4 {
			t.Fatalf("%d and %d consoles", len(first), len(second))
		}
		for seat := range first {
			if same := first[seat] == second[seat]; same == (seat == 3) {
				t.Errorf("only Bert pressed other buttons; seat %d is the same: %v", seat, same)
			}
		}
	})
}

// A local player who joins in the lobby has a save of their own on that machine.
func TestSitDownInTheLobby(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Save), 3)
		tb.settings.Frames = 240
		dir := t.TempDir()
		control := NewControl()
		open := func(c *Config) {
			c.OpenSaves = func(rom *emucore.ROM, console int) (*saves.Store, []byte, error) {
				return saves.OpenOrCopy(dir, saves.GameOf(rom), saves.Options{Console: console, Doing: "a test"})
			}
			c.Control = control
		}
		anna := tb.sit(nil)
		ben := tb.sit(open)
		ben.until("Ben is in the room", func(n notice.Notice) bool {
			r, ok := n.(notice.RoomNotice)
			return ok && r.Me == 1 && len(r.Room.Players) == 2
		})
		bert := beside("Bert", 2, 0)
		bert.Input = pressAt(30, inputdelay.KeyA)
		control.LocalPlayers([]LocalPlayer{bert})
		ben.until("Bert is there", func(n notice.Notice) bool {
			r, ok := n.(notice.RoomNotice)
			return ok && slices.ContainsFunc(r.Room.Players, func(p room.Player) bool { return p.Nickname == "Bert" && p.Machine == 1 && p.Local == 1 })
		})
		anna.expect(notice.ResultOK)
		ben.expect(notice.ResultOK)
		all, err := saves.All(dir)
		must.Succeed(t, err)
		var kept []int
		for _, k := range all {
			b, err := k.Read(k.Current().Number)
			// The cartridge counts presses of A: Bert's was the only one on his console.
			if err != nil || k.Console == 1 && !bytes.Equal(b, ben.report.SRAM) || (b[0] == 1) != (k.Console == 2) {
				t.Errorf("the save of console %d is % x, Ben's is % x: %v", k.Console, b[:4], ben.report.SRAM[:4], err)
			}
			kept = append(kept, k.Console)
		}
		if slices.Sort(kept); !slices.Equal(kept, []int{1, 2}) {
			t.Errorf("saves of the consoles %v are kept on Ben's machine", kept)
		}
	})
}
