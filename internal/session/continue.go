package session

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/savestate"
)

// A game goes on from a kept moment by a start whose consoles all come from the game host, as
// they do from the donor of a resync. Machines that have the moment themselves fetch nothing.

// OpenSeat lets anybody play a console of the kept moment that is to go on, or only its own
// player again; for the game host, in the lobby.
func (c *Control) OpenSeat(seat ds.Seat, open bool) {
	c.asHost(func(s *session, now time.Time) error { return s.host.OpenSeat(now, seat, open) })
}

// continued is the purpose of the assembly of such a start.
type continued struct{ roundStart }

// continuing are the room's settings for a game that goes on from a moment.
func continuing(s room.Settings, l *replay.Log, open []string) (_ room.Settings, err error) {
	if l.Settings.Core.SHA256 != s.Core.SHA256 {
		return s, fmt.Errorf("this moment was kept with another core: %v, and this is %v", l.Settings.Core, s.Core)
	}
	if s.Continues, err = l.Kept().Opened(open...); err != nil {
		return s, err
	}
	last := s.Continues.Seats[len(s.Continues.Seats)-1].Seat
	s.Seats, s.MinPlayers = max(s.Seats, int(last)+1), len(s.Continues.Seats)
	s.RTC, s.Skew, s.Options, s.BIOS = l.Settings.RTC, l.Settings.Skew, l.Settings.Options, l.Settings.BIOS
	return s, nil
}

// continues tells whether the consoles come from a kept moment.
func (a *assembly) continues() bool {
	return a.resyncing() == nil && a.plan.Settings.Continues.Any()
}

// giver is the machine that has a console at first: its owner's, or, with a kept moment, the
// game host's.
func (s *session) giver(a *assembly, plan room.SeatPlan) int {
	if a.continues() {
		return s.gameHost
	}
	return plan.Machine
}

// describe has the moment's consoles ready: on the game host for all others, elsewhere for the
// case that this machine has the same. Before, saves that are others than then are set aside.
func (p continued) describe(a *assembly) {
	s := p.s
	a.describing = true
	own := s.ownCartridges(a.plan)
	s.background(func() (func(), func()) {
		said, err := setAside(own, s.cfg)
		var manifests []savestate.Manifest
		switch {
		case err != nil:
		case s.host != nil:
			manifests, err = offerMoment(s.cfg.Host.Continue, s.store)
		default:
			expectMoment(s.cfg.Moments, a.plan.Settings.Continues, s.store)
		}
		return func() {
			for _, c := range own {
				s.saves.SetPlace(c.console, c.place)
			}
			for _, line := range said {
				s.say("%s", line)
			}
			if s.assembly != a {
				return
			}
			if a.describing = false; err != nil {
				s.giveUp(err)
				return
			}
			for _, m := range manifests {
				if err := s.know(s.me(), m); err != nil {
					s.giveUp(err)
					return
				}
			}
			s.fetchLacking(a)
		}, nil
	})
}

func (p continued) openRadio(a *assembly) (*game.Radio, error) { return p.s.savedRadio(a, 0) }

// assembled makes sure, on the game host, that the consoles come out as they were.
func (p continued) assembled(a *assembly, hashes []room.SeatHash) error {
	if p.s.host != nil {
		for _, seat := range p.s.cfg.Host.Continue.Seats {
			if h, here := a.hashes[seat.Plan.Seat]; here && replay.HashOf(h) != seat.Hash {
				return fmt.Errorf("the console of seat %v does not come out of the kept moment as it was", seat.Plan.Seat)
			}
		}
	}
	return p.roundStart.assembled(a, hashes)
}

// offerMoment puts the parts of a moment into the store, and describes its consoles with them.
func offerMoment(l *replay.Log, store *savestate.Store) (list []savestate.Manifest, err error) {
	if l == nil {
		return nil, errors.New("the kept moment is not on this machine")
	}
	for _, seat := range l.Seats {
		m := seat.Start
		m.Parts = slices.Clone(m.Parts)
		for i, p := range m.Parts {
			raw, err := l.Part(seat, p.SHA256)
			if err != nil {
				return nil, err
			}
			if m.Parts[i], err = store.Put(p.Kind, raw); err != nil {
				return nil, err
			}
		}
		list = append(list, m)
	}
	return list, nil
}

// expectMoment has the store expect the parts of a moment, if this machine has it. Parts that
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

// agreesWithMoment compares a manifest with what the room was told of the moment.
func (a *assembly) agreesWithMoment(m savestate.Manifest) error {
	if !a.continues() {
		return nil
	}
	_, state := m.Part(savestate.KindState)
	sram, _ := m.Part(savestate.KindSRAM)
	if want, _ := keptSave(a.plan.Settings.Continues, m.Seat); !state || want != sram.SHA256 {
		return fmt.Errorf("manifest of seat %v is not of the kept moment that goes on", m.Seat)
	}
	return nil
}

// purposeOf is that of a round's start.
func (s *session) purposeOf(p event.Prepare) purpose {
	if p.Settings.Continues.Any() {
		return continued{roundStart{s}}
	}
	return roundStart{s}
}
