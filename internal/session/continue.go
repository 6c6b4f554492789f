package session

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/assembly"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/savecommit"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/savestate"
	"github.com/nettplay/nettplay/savestate/emustate"
)

// A game goes on from a kept moment by a start whose consoles all come from the game host, as
// they do from the donor of a resync. Machines that have the moment themselves fetch nothing.

// OpenSeat lets anybody play a console of the kept moment that is to go on, or only its own
// player again; for the game host, in the lobby.
func (c *Control) OpenSeat(seat ds.Seat, open bool) {
	c.asHost(func(s *session, now time.Time) error { return s.host.OpenSeat(now, seat, open) })
}

// continued is the purpose of the assembly of such a start.
type continued struct {
	roundStart
	kept room.Kept
}

// Giver is the game host for all consoles.
func (p continued) Giver(room.SeatPlan) int { return p.s.gameHost }

// Describe has the moment's consoles ready: on the game host for all others, elsewhere for the
// case that this machine has the same. Before, saves that are others than then are set aside.
func (p continued) Describe(a *assembly.Assembly) {
	s := p.s
	a.Hold()
	own, store := s.cartridgesOf(a.Plan.Settings, s.room.Room().Players), s.assembler.Store()
	cfg, hosts := s.cfg, s.host != nil
	s.Background(func() (func(), func()) {
		said, err := setAside(own, cfg.OpenSaves, cfg.Unwritten, cfg.SetAside)
		var manifests []savestate.Manifest
		switch {
		case err != nil:
		case hosts:
			manifests, err = offerMoment(cfg.Host.Continue, a.Plan.Settings.Cheats, store)
		default:
			expectMoment(cfg.Moments, a.Plan.Settings.Continues, store)
		}
		return func() {
			for _, c := range own {
				s.saves.SetPlace(c.Console, c.Place)
			}
			for _, line := range said {
				s.Say("%s", line)
			}
			for i := 0; i < len(manifests) && err == nil && a.Current(); i++ {
				err = a.Know(s.me(), manifests[i])
			}
			if err != nil && a.Current() {
				a.GiveUp(err)
			}
			a.Described()
		}, nil
	})
}

// Radio makes the air of the moment.
func (p continued) Radio(a *assembly.Assembly) (*game.Radio, error) { return p.s.savedRadio(a) }

// Assembled makes sure, on the game host, that the consoles come out as they were.
func (p continued) Assembled(a *assembly.Assembly, hashes []room.SeatHash) error {
	if p.s.host != nil {
		for _, seat := range p.s.cfg.Host.Continue.Seats {
			if h, here := a.Hash(seat.Plan.Seat); here && replay.HashOf(h) != seat.Hash {
				return fmt.Errorf("the console of seat %v does not come out of the kept moment as it was", seat.Plan.Seat)
			}
		}
	}
	return p.roundStart.Assembled(a, hashes)
}

// Agrees compares a manifest with what the room was told of the moment.
func (p continued) Agrees(m savestate.Manifest) error {
	_, state := m.Part(savestate.KindState)
	sram, _ := m.Part(savestate.KindSRAM)
	if want, _ := keptSave(p.kept, m.Seat); !state || want != sram.SHA256 {
		return fmt.Errorf("manifest of seat %v is not of the kept moment that goes on", m.Seat)
	}
	return nil
}

// momentSettings are the room's for a game that goes on from a moment, in which anybody may play the
// consoles of some players.
func momentSettings(s room.Settings, l *replay.Log, open []string) (_ room.Settings, err error) {
	if !l.Settings.Core.Alike(s.Core) {
		return s, fmt.Errorf("this moment was kept with another core: %v, and this is %v", l.Settings.Core, s.Core)
	}
	if s.Continues, err = l.Kept().Opened(open...); err != nil {
		return s, err
	}
	last := s.Continues.Seats[len(s.Continues.Seats)-1].Seat
	s.Seats, s.MinPlayers = max(s.Seats, int(last)+1), len(s.Continues.Seats)
	s.RTC, s.Skew, s.Options, s.BIOS = l.Settings.RTC, l.Settings.Skew, l.Settings.Options, l.Settings.BIOS
	if len(s.Cheats.List) == 0 {
		s.Cheats, err = l.Cheats() // which the game host may change: they are no part of a state
	}
	return s, err
}

// offerMoment puts the parts of a moment into the store, and describes its consoles with them, and with the cheats that act now.
func offerMoment(l *replay.Log, cheats room.Cheats, store *savestate.Store) (list []savestate.Manifest, err error) {
	if l == nil {
		return nil, errors.New("the kept moment is not on this computer")
	}
	for _, seat := range l.Seats {
		m := seat.Start
		m.Parts = slices.DeleteFunc(slices.Clone(m.Parts), func(p savestate.Part) bool { return p.Kind == savestate.KindCheats })
		for i, p := range m.Parts {
			raw, err := l.Part(seat, p.SHA256)
			if err != nil {
				return nil, err
			}
			if m.Parts[i], err = store.Put(p.Kind, raw); err != nil {
				return nil, err
			}
		}
		if err := emustate.AddCheats(&m, cheats.Of(m.ROM), store); err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, nil
}

// expectMoment has a store expect the parts of a moment, if this machine has it. Parts that
// it has wrong are fetched.
func expectMoment(folder string, k room.Kept, store *savestate.Store) {
	list, _ := replay.Moments(folder)
	for _, e := range list {
		if e.Err != nil || !e.Kept.Same(k) {
			continue
		}
		l, err := replay.OpenMoment(e.Path)
		if err != nil {
			continue
		}
		for _, seat := range l.Seats {
			for _, p := range seat.Start.Parts {
				if raw, err := l.Part(seat, p.SHA256); err == nil {
					_ = store.Expect(p.Kind, raw) // else it is fetched
				}
			}
		}
		l.Close()
		return
	}
}

// keptSave tells what the cartridge of a seat held in the kept moment, and whether one goes on.
func keptSave(k room.Kept, seat ds.Seat) ([32]byte, bool) {
	i := slices.IndexFunc(k.Seats, func(s room.KeptSeat) bool { return s.Seat == seat })
	if i < 0 {
		return [32]byte{}, false
	}
	return k.Seats[i].SRAM, true
}

// A keptCartridge is that of one of our own consoles, when a kept moment goes on.
type keptCartridge struct {
	Seat    ds.Seat
	Console int
	ROM     *emucore.ROM
	Then    [32]byte         // SHA-256 of what it held in the moment
	Place   savecommit.Place // of its saves
	sram    []byte           // the save of now; nil for none
}

// Differs opens the cartridge's save, and tells whether it is another than then. Where nothing
// can be kept, nothing can be lost.
func (c *keptCartridge) Differs(open savecommit.Opener, left *saves.Unwritten) (differs bool, err error) {
	c.Place, c.sram, _, err = c.Place.Open(c.ROM, c.Console, open, left)
	return err == nil && c.Place.Keeps() && len(c.sram) > 0 && sha256.Sum256(c.sram) != c.Then, err
}

// setAside opens the saves of cartridges, and sets those aside that are others than then, if
// it may. It returns what the player is to be told.
func setAside(list []*keptCartridge, open savecommit.Opener, left *saves.Unwritten, may bool) (said []string, err error) {
	for _, c := range list {
		differs, err := c.Differs(open, left)
		switch {
		case err != nil:
			return said, err
		case !differs:
			continue
		case !may:
			return said, fmt.Errorf("the save of seat %v is not the one of the kept moment, and may not be set aside", c.Seat)
		}
		path, err := c.Place.SetAside(c.sram)
		if err != nil {
			return said, fmt.Errorf("your save could not be set aside: %w", err)
		}
		said = append(said, fmt.Sprintf("The game continues with the kept save. Your present one is set aside in %s", path))
	}
	return said, nil
}
