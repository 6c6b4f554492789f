package assembly

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/nettplay/nettplay/emucore"
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

// Standing is a console that stands between two frames.
type Standing struct {
	Seat    ds.Seat
	Config  emucore.Config // what the room has agreed on for it
	Console game.Console
}

// Describing reports whether consoles are still put into the store before anything is fetched.
func (a *Assembly) Describing() bool { return a != nil && a.describing }

// Reads reports whether the game's consoles are read, also after Close: they have to stand.
func (a *Assembly) Reads() bool { return a != nil && (a.reads || a.Evidence.Reading()) }

// Hold has nothing fetched before [Assembly.Described].
func (a *Assembly) Hold() { a.describing = true }

// Described fetches what is known and not here, and hands on what is.
func (a *Assembly) Described() {
	if a.describing = false; !a.Current() || a.failed {
		return
	}
	for _, plan := range a.Plan.Seats {
		from := a.source(plan)
		if m, known := a.manifests[plan.Seat]; known && a.exchanges[from] != nil {
			a.fetch(from, m)
		}
	}
	a.assembler.handOn()
}

// CaptureAll describes all our consoles as they stand, with the air, to the others; or calls
// failed. The air is held until that is done.
func (a *Assembly) CaptureAll(list []Standing, radio *game.Radio, failed func(error)) {
	radio = radio.Hold()
	s := a.assembler
	a.reads = true
	s.session.Background(func() (func(), func()) {
		manifests, errs := captureStanding(list, radio, s.store)
		radio.Close()
		return func() {
			if a.reads = false; !a.Current() {
				return
			}
			err := errors.Join(errs...)
			for _, m := range manifests {
				if err == nil {
					err = a.Know(s.session.Me(), m)
				}
			}
			if err != nil {
				failed(err)
			}
		}, nil
	})
}

// CaptureSame puts our own consoles as they stand into the store, so that of the donor's
// only that is fetched which differs. A console that is gone is fetched like any other.
func (a *Assembly) CaptureSame(all []Standing, radio *game.Radio) {
	radio = radio.Hold()
	var list []game.Console
	for _, c := range all {
		list = append(list, c.Console)
	}
	s := a.assembler
	handsOn := s.hosting() // to those who lack something
	a.Hold()
	a.reads = true
	s.session.Background(func() (func(), func()) {
		if handsOn {
			captureStanding(all, radio, s.store)
		} else {
			game.Expect(list, radio, s.store)
		}
		radio.Close()
		return func() {
			a.reads = false
			a.Described()
		}, nil
	})
}

// KnowJoins makes the consoles known that come in with a resync: the game host that let
// them in has had them before, and the late joiner has its own, of which it also tells one
// that has taken its place.
func (a *Assembly) KnowJoins(incoming map[ds.Seat]savestate.Manifest) {
	for _, plan := range a.Resync().Joins {
		m, have := incoming[plan.Seat]
		if !have {
			continue // it comes from the game host
		}
		m.Frame = a.Frame()
		if err := a.Know(plan.Machine, m); err != nil {
			a.GiveUp(err)
			return
		}
	}
}

// StandIn makes up, on the game host, the consoles of a machine that was coming in and is gone,
// if nobody here has heard of them: an earlier game host had, and all would wait for them. They are
// as switched off, without a save, and leave the game right after. Where machines may know them
// from the earlier game host nothing is made up.
func (a *Assembly) StandIn(machine int) {
	if a == nil || a.Resync() == nil || a.rewired || !a.assembler.hosting() {
		return
	}
	for _, p := range a.Resync().Joins {
		if _, known := a.manifests[p.Seat]; known || p.Machine != machine {
			continue
		}
		s := a.Plan.Settings
		m := savestate.Manifest{Seat: p.Seat, Frame: a.Frame(), ROM: p.ROM.SHA256, Core: s.Core.SHA256, RTC: s.RTC, Firmware: p.Firmware, Options: s.Options}
		if err := emustate.AddCheats(&m, s.Cheats.Of(m.ROM), a.assembler.store); err != nil {
			a.GiveUp(err)
			return
		}
		a.manifests[m.Seat] = m
		for _, x := range a.exchanges {
			if err := x.Offer(m); err != nil {
				a.GiveUp(err)
				return
			}
		}
	}
}

// Air is the air that came with the consoles.
func (a *Assembly) Air() ([]byte, error) {
	for _, plan := range a.Plan.Seats {
		m := a.manifests[plan.Seat]
		p, ok := m.Part(savestate.KindAir)
		if !ok {
			continue
		}
		air, ok := a.assembler.store.Get(p.SHA256)
		if !ok {
			return nil, fmt.Errorf("%v: %w", p, emustate.ErrNotHere)
		}
		return air, nil
	}
	return nil, errors.New("the consoles came without the radio between them")
}

// captureStanding describes consoles as they stand, side by side, and the air beside the
// first of them. A console that could not be described has an error in its place. It runs on any
// goroutine.
func captureStanding(list []Standing, radio *game.Radio, store *savestate.Store) ([]savestate.Manifest, []error) {
	manifests, errs := make([]savestate.Manifest, len(list)), make([]error, len(list))
	air, airErr := radio.Save()
	_ = game.Together(list, func(i int, c Standing) error {
		manifests[i], errs[i] = captureNow(c, store)
		return nil
	})
	if len(list) > 0 && radio != nil && errs[0] == nil {
		part, err := store.Put(savestate.KindAir, air)
		parts := append(manifests[0].Parts, part)
		slices.SortFunc(parts, func(a, b savestate.Part) int { return cmp.Compare(a.Kind, b.Kind) })
		manifests[0].Parts = parts
		errs[0] = cmp.Or(airErr, err, manifests[0].Validate())
	}
	return manifests, errs
}

// captureNow describes a console between two frames.
func captureNow(c Standing, store *savestate.Store) (savestate.Manifest, error) {
	if c.Config.ROM == nil {
		return savestate.Manifest{}, fmt.Errorf("the game of seat %v is not on this computer any more", c.Seat)
	}
	state, err := c.Console.Save()
	if err != nil {
		return savestate.Manifest{}, err
	}
	if c.Config.SRAM, err = c.Console.SRAM(); err != nil {
		return savestate.Manifest{}, err
	}
	return emustate.Capture(c.Seat, c.Config, &state, store)
}
