package session

import (
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/assembly"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/savestate"
	"github.com/nettplay/nettplay/savestate/emustate"
)

// The session's part of assemblies, for whatever purpose: package assembly has the rest. The
// purposes are [roundStart], [continued], [resync] and [lateJoin].

// assembling is the assembler's view of the session.
type assembling struct{ *session }

// Me is this machine.
func (v assembling) Me() int { return v.me() }

// GameHost is the game host's machine.
func (v assembling) GameHost() int { return v.gameHost }

// ROM is a game of the roster.
func (v assembling) ROM(sha [32]byte) *emucore.ROM { return v.games.ROMs[sha] }

// assembly returns the settings by which this machine makes consoles.
func (c Config) assembly() assembly.Config {
	return assembly.Config{
		Core: c.Core, Start: c.Start, Upload: c.Upload, Returns: c.Depth > 0,
		Tweak: func(cfg *emucore.Config) {
			cfg.TestOptions = c.TestOptions
			if c.TestTweak != nil {
				c.TestTweak(cfg)
			}
		},
	}
}

// assemble begins to make consoles alike on some machines.
func (s *session) assemble(p assembly.Purpose, plan event.Prepare, machines []int) {
	s.drop()
	coming := []map[ds.Seat]savestate.Manifest{s.incoming}
	for _, n := range s.lateJoiners {
		coming = append(coming, n.manifests)
	}
	s.assembler.Start(p, plan, machines, coming...)
}

// workAssembly moves an assembly on, and tells the room and the player how much has moved.
func (s *session) workAssembly(now time.Time) {
	a := s.assembler.Current()
	if a == nil {
		return
	}
	if now.Sub(s.reported) >= 200*time.Millisecond {
		s.reported = now
		s.reportStatus(now)
		up, down := a.Progress()
		if up.Total > 0 || down.Total > 0 {
			s.notify(notice.Transfer{Up: up, Down: down})
		}
	}
	a.Install()
}

// dropForAnother forgets a resync that came to nothing, with its game host or the one who
// was to give its consoles, since another one takes its place. Consoles that differ are read
// again there, at another frame, and by another one who gives its own.
func (s *session) dropForAnother() {
	a := s.assembler.Current()
	s.drop()
	if a != nil {
		s.reports.Again(a.Evidence)
	}
}

// drop forgets a round that is not to be played, and its consoles.
func (s *session) drop() {
	if a := s.assembler.Current(); a != nil {
		s.reports.Dropped(a.Evidence)
		a.Close()
	}
}

// consoleConfig returns the settings that the room has agreed on for a console.
func (s *session) consoleConfig(settings room.Settings, plan room.SeatPlan) emucore.Config {
	return emucore.Config{
		Core: s.cfg.Core, ROM: s.games.ROMs[plan.ROM.SHA256], Options: settings.Options,
		Firmware: plan.Firmware, RTC: settings.RTC, Cheats: settings.Cheats.Of(plan.ROM.SHA256),
	}
}

// captureOff describes one of our own consoles, switched off, with the save that is
// current as it fits the cartridge, and calls done with it, unless the session is over before.
func (s *session) captureOff(plan room.SeatPlan, cfg emucore.Config, done func(savestate.Manifest, error)) {
	if cfg.ROM == nil {
		done(savestate.Manifest{}, &assembly.MissingGame{ROM: plan.ROM})
		return
	}
	if s.fitting.looking {
		s.fitting.then = append(s.fitting.then, func() { s.captureOff(plan, cfg, done) })
		return
	}
	if s.localPlayer(plan.Seat) == nil {
		cfg.SRAM = s.cfg.SRAM
	}
	console, open, left := saving{s}.Console(plan.Seat), s.cfg.OpenSaves, s.cfg.Unwritten
	have, store := s.saves.Place(console), s.assembler.Store()
	agreed := s.room.Room().Settings.Core.SHA256 // ours may be another build of it
	fitter, probe, without := s.fitter(), s.probe(cfg), s.playsWithout()
	s.Background(func() (func(), func()) {
		place, sram, trouble, err := have.Open(cfg.ROM, console, open, left)
		if cfg.SRAM == nil && err == nil {
			cfg.SRAM, err = fitted(s.ctx, fitter, probe, place, sram, without)
		}
		var m savestate.Manifest
		if err == nil {
			m, err = emustate.Capture(plan.Seat, cfg, nil, store)
			m.Core = agreed
		}
		return func() {
			s.saves.SetPlace(console, place.Began(cfg.SRAM))
			if trouble != nil {
				s.Say("Your save cannot be kept in this game: %v", trouble)
			}
			done(m, err)
		}, nil
	})
}

// standing are our own consoles that a resync replaces.
func (s *session) standing(a *assembly.Assembly) []assembly.Standing {
	var list []assembly.Standing
	for _, plan := range a.Plan.Seats {
		if !a.Resync().Joined(plan.Seat) {
			list = append(list, assembly.Standing{Seat: plan.Seat, Config: s.consoleConfig(a.Plan.Settings, plan), Console: s.game.Consoles()[plan.Seat]})
		}
	}
	return list
}

// savedRadio makes the air that came with the consoles.
func (s *session) savedRadio(a *assembly.Assembly) (*game.Radio, error) {
	air, err := a.Air()
	if err != nil {
		return nil, err
	}
	return game.NewRadio(game.RadioConfig{
		Frame: a.Frame(), Skew: a.Plan.Settings.Skew, Serial: s.cfg.Serial, Trace: s.cfg.Trace, Saved: air,
	})
}
