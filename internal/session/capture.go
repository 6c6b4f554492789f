package session

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/savestate"
	"github.com/nettplay/nettplay/savestate/emustate"
)

// Consoles that are alike need not travel. All machines stand at the frame of a resync, and most
// of them have, byte for byte, what the donor is about to send. So each of them has its
// store expect its own consoles' states and its air before it asks for anything: what the
// donor names by the same hash is here then. All the same everyone installs the donor's
// bytes, since what differs by a byte is fetched.

// standing is a console that stands between two frames.
type standing struct {
	seat    ds.Seat
	cfg     emucore.Config
	console game.Console
}

// standing are our own consoles that a resync replaces.
func (s *session) standing(a *assembly) []standing {
	var list []standing
	for _, plan := range a.plan.Seats {
		if !a.resyncing().Joined(plan.Seat) {
			list = append(list, standing{plan.Seat, s.consoleConfig(a.plan.Settings, plan), s.game.Consoles()[plan.Seat]})
		}
	}
	return list
}

// captureStanding describes consoles as they stand, side by side, and the air beside the
// first of them. A console that could not be described has an error in its place. It runs on any
// goroutine.
func captureStanding(list []standing, radio *game.Radio, store *savestate.Store) ([]savestate.Manifest, []error) {
	manifests, errs := make([]savestate.Manifest, len(list)), make([]error, len(list))
	air, airErr := captureAir(radio, store)
	_ = game.Together(list, func(i int, c standing) error {
		manifests[i], errs[i] = captureNow(c.seat, c.cfg, c.console, store)
		return nil
	})
	if len(list) > 0 && radio != nil && errs[0] == nil {
		manifests[0].Parts = append(manifests[0].Parts, air)
		errs[0] = cmp.Or(airErr, manifests[0].Validate())
	}
	return manifests, errs
}

// captureAir puts the air, which is stopped, into a store.
func captureAir(r *game.Radio, store *savestate.Store) (savestate.Part, error) {
	b, err := r.Save()
	if b == nil || err != nil {
		return savestate.Part{}, err
	}
	return store.Put(savestate.KindAir, b)
}

// settleParts packs, in the background, what was not sent since it was here.
func (s *session) settleParts(manifests map[ds.Seat]savestate.Manifest, then func()) {
	parts, _ := partsOf(manifests)
	pack := s.store.PackExpected(parts)
	s.background(func() (func(), func()) {
		pack()
		return then, nil
	})
}

// fetchLacking fetches what is known of a start and not here, and hands on what is.
func (s *session) fetchLacking(a *assembly) {
	for _, plan := range a.plan.Seats {
		from := s.source(plan)
		if m, known := a.manifests[plan.Seat]; known && a.exchanges[from] != nil {
			s.fetch(a, from, m)
		}
	}
	s.handOn()
}

// source is the machine from which a seat's console comes here: the one that has it, or the
// game host, which hands it on.
func (s *session) source(plan room.SeatPlan) int {
	if s.host == nil {
		return s.gameHost
	}
	return s.giver(s.assembly, plan)
}

// handOn tells all exchanges that something has come.
func (s *session) handOn() {
	for _, x := range s.exchanges {
		x.Available()
	}
}

// fetch gets what lacks of a seat's console.
func (s *session) fetch(a *assembly, from int, m savestate.Manifest) {
	for _, p := range m.Parts {
		if s.lacks(p) {
			a.waiting[p] = true
		}
	}
	a.exchanges[from].Fetch(m.Parts)
	if s.host != nil {
		s.settleParts(a.manifests, s.handOn) // it may have become the game host just now
	}
}

// consoleConfig is what the room has agreed on for a console.
func (s *session) consoleConfig(settings room.Settings, plan room.SeatPlan) emucore.Config {
	return emucore.Config{
		Core: s.cfg.Core, ROM: s.games.ROMs[plan.ROM.SHA256], Options: options(settings),
		Firmware: plan.Firmware, RTC: settings.RTC,
	}
}

// captureOff describes one of our own consoles, switched off, with the save that is
// current, and calls done with it, unless the session is over before.
func (s *session) captureOff(plan room.SeatPlan, cfg emucore.Config, done func(savestate.Manifest, error)) {
	if cfg.SRAM = s.backup(plan.Seat); cfg.ROM == nil {
		done(savestate.Manifest{}, fmt.Errorf("%v is not on this machine any more", plan.ROM))
		return
	}
	console, open, left := saving{s}.Console(plan.Seat), s.cfg.OpenSaves, s.cfg.Unwritten
	have := s.saves.Place(console)
	s.background(func() (func(), func()) {
		place, sram, trouble, err := have.Open(cfg.ROM, console, open, left)
		if cfg.SRAM == nil {
			cfg.SRAM = sram
		}
		var m savestate.Manifest
		if err == nil {
			m, err = emustate.Capture(plan.Seat, cfg, nil, s.store)
		}
		return func() {
			s.saves.SetPlace(console, place)
			if trouble != nil {
				s.say("Your save cannot be kept in this game: %v", trouble)
			}
			done(m, err)
		}, nil
	})
}

// captureNow describes a console between two frames.
func captureNow(seat ds.Seat, cfg emucore.Config, c game.Console, store *savestate.Store) (savestate.Manifest, error) {
	if cfg.ROM == nil {
		return savestate.Manifest{}, fmt.Errorf("the game of seat %v is not on this machine any more", seat)
	}
	state, err := c.Save()
	if err != nil {
		return savestate.Manifest{}, err
	}
	if cfg.SRAM, err = c.SRAM(); err != nil {
		return savestate.Manifest{}, err
	}
	return emustate.Capture(seat, cfg, &state, store)
}

// captureAll describes all our consoles as they stand, with the air, to the others.
func (s *session) captureAll(a *assembly) {
	list, radio := s.standing(a), s.game.Radio().Hold()
	s.background(func() (func(), func()) {
		manifests, errs := captureStanding(list, radio, s.store)
		radio.Close()
		return func() {
			if s.assembly != a {
				return
			}
			err := errors.Join(errs...)
			for _, m := range manifests {
				if err == nil {
					err = s.know(s.me(), m)
				}
			}
			if err != nil {
				s.cannotGive(err)
			}
		}, nil
	})
}

// captureSame puts our own consoles as they stand into the store, so that of the donor's
// only that is fetched which differs. A console that is gone is fetched like any other.
func (s *session) captureSame(a *assembly) {
	all, radio := s.standing(a), s.game.Radio().Hold()
	var list []game.Console
	for _, c := range all {
		list = append(list, c.console)
	}
	handsOn := s.host != nil // to those who lack something
	a.describing = true
	s.background(func() (func(), func()) {
		if handsOn {
			captureStanding(all, radio, s.store)
		} else {
			game.Expect(list, radio, s.store)
		}
		radio.Close()
		return func() {
			if a.describing = false; s.assembly == a && !a.failed {
				s.fetchLacking(a)
			}
		}, nil
	})
}

// knowJoins makes the consoles known that come in with a resync: the game host that let
// them in has had them before, and the late joiner has its own, of which it also tells one
// that has taken its place.
func (s *session) knowJoins(a *assembly) {
	for _, plan := range a.resyncing().Joins {
		m, have := s.incoming[plan.Seat]
		if !have {
			continue // it comes from the game host
		}
		m.Frame = a.resyncing().Frame()
		if err := s.know(plan.Machine, m); err != nil {
			s.giveUp(err)
			return
		}
	}
}
