package assembly

import (
	"errors"
	"fmt"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/savestate"
	"github.com/nettplay/nettplay/savestate/emustate"
)

// Install builds all consoles once everything for them is here.
func (a *Assembly) Install() {
	if a.describing || a.building || a.failed || len(a.manifests) < len(a.Plan.Seats) || len(a.waiting) > 0 {
		return
	}
	a.building = true
	if a.assembler.cfg.Core.Wireless {
		var err error
		if a.radio, err = a.Radio(a); err != nil {
			a.GiveUp(err)
			return
		}
	}
	for _, plan := range a.Plan.Seats {
		a.installSeat(plan)
	}
}

// MissingGame is the error of a console whose game is gone since it was found here.
type MissingGame struct{ ROM room.ROMID }

func (e *MissingGame) Error() string {
	return fmt.Sprintf("%v is not on this computer any more", e.ROM)
}

func (a *Assembly) installSeat(plan room.SeatPlan) {
	s, m := a.assembler, a.manifests[plan.Seat]
	rom := s.session.ROM(plan.ROM.SHA256)
	if rom == nil {
		a.GiveUp(&MissingGame{plan.ROM})
		return
	}
	radio := a.radio.Hold()
	tweak := func(cfg *emucore.Config) {
		radio.Connect(cfg, plan.Seat)
		cfg.Rollback = s.cfg.Returns && a.Plan.Settings.Sync == room.Rollback
		if s.cfg.Tweak != nil {
			s.cfg.Tweak(cfg)
		}
	}
	s.session.Background(func() (func(), func()) {
		console, hash, err := s.build(m, rom, tweak)
		if err == nil {
			a.Evidence.Received(m, console)
		}
		drop := func() {
			if console != nil {
				console.Close()
			}
			radio.Close()
		}
		return func() {
			if !a.Current() || a.failed {
				drop()
				return
			}
			radio.Close()
			if err != nil {
				a.GiveUp(err)
				return
			}
			a.consoles[plan.Seat], a.hashes[plan.Seat] = console, hash
			a.Installed()
		}, drop
	})
}

// build is [emustate.Install], once more if somebody else kills the console meanwhile: that
// says nothing of the console. It runs on any goroutine.
func (s *Assembler) build(m savestate.Manifest, rom *emucore.ROM, tweak func(*emucore.Config)) (game.Console, ds.Hash, error) {
	m.Core = s.cfg.Core.SHA256 // the room's, as was checked when it came; ours may be another build of that
	console, hash, err := emustate.Install(s.ctx, s.cfg.Start.OrProcess(), m, s.cfg.Core, rom, s.store, tweak)
	var crash *emucore.CrashError
	if errors.As(err, &crash) && crash.Signal == "SIGKILL" && s.ctx.Err() == nil {
		return emustate.Install(s.ctx, s.cfg.Start.OrProcess(), m, s.cfg.Core, rom, s.store, tweak)
	}
	return console, hash, err
}

// Installed tells the room once all consoles stand, and those that they replace are read.
func (a *Assembly) Installed() {
	if !a.Complete() || a.Evidence.Reading() {
		return
	}
	hashes := make([]room.SeatHash, 0, len(a.Plan.Seats))
	for _, plan := range a.Plan.Seats {
		hashes = append(hashes, room.SeatHash{Seat: plan.Seat, Hash: a.hashes[plan.Seat]})
	}
	if err := a.Assembled(a, hashes); err != nil {
		a.GiveUp(err)
	}
}
