package moment

import (
	"errors"
	"fmt"
	"slices"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/savestate"
	"github.com/nettplay/nettplay/savestate/emustate"
)

// Settings are the room's for a game that goes on from a moment, in which anybody may play the
// consoles of some players.
func Settings(s room.Settings, l *replay.Log, open []string) (_ room.Settings, err error) {
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

// Offer puts the parts of a moment into the store, and describes its consoles with them, and with the cheats that act now.
func Offer(l *replay.Log, cheats room.Cheats, store *savestate.Store) (list []savestate.Manifest, err error) {
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

// Expect has a store expect the parts of a moment, if this machine has it. Parts that
// it has wrong are fetched.
func Expect(folder string, k room.Kept, store *savestate.Store) {
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

// Agrees is an error for a console that is not the one of the moment that a room was told of.
func Agrees(m savestate.Manifest, k room.Kept) error {
	_, state := m.Part(savestate.KindState)
	sram, _ := m.Part(savestate.KindSRAM)
	if want, _ := SaveOf(k, m.Seat); !state || want != sram.SHA256 {
		return fmt.Errorf("manifest of seat %v is not of the kept moment that goes on", m.Seat)
	}
	return nil
}

// SaveOf tells what the cartridge of a seat held in the kept moment, and whether one goes on.
func SaveOf(k room.Kept, seat ds.Seat) ([32]byte, bool) {
	i := slices.IndexFunc(k.Seats, func(s room.KeptSeat) bool { return s.Seat == seat })
	if i < 0 {
		return [32]byte{}, false
	}
	return k.Seats[i].SRAM, true
}
