package session

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/emucore/savefile"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/roms"
	"github.com/nettplay/nettplay/internal/savecommit"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// A save is made as long as the chip that the cartridge has on the room's core, on the machine that it
// belongs to, before a game: what comes of that is what all machines get. In the lobby we look whether our
// saves fit, and ask our player about one that does not.

// fitting is what is known of our saves' fit.
type fitting struct {
	looking bool
	looked  []cartridge // those of ours that were looked at; nil: none were
	misfits []misfit    // that our player is asked about
	again   time.Time   // when to look again, since a save does not fit; zero: not at all
	then    []func()    // to be done when we have looked
	without map[[32]byte]bool
	said    map[string]bool
}

// cartridge is one of our own, with the game that is in it.
type cartridge struct {
	seat    ds.Seat
	console int
	game    [32]byte
}

// misfit is a save that does not fit its cartridge.
type misfit struct {
	notice.SaveMisfit
	save [32]byte // SHA-256 of it
}

// misfitPause is the time after which a save that does not fit is looked at again: its player may have
// chosen another in another program.
const misfitPause = 2 * time.Second

// WithoutSave has our games begin without those saves of ours that do not fit their cartridges. They stay
// as they are, in files beside our saves.
func (c *Control) WithoutSave() {
	c.do(func(s *session, now time.Time) error {
		for _, m := range s.fitting.misfits {
			s.fitting.without[m.save] = true
		}
		s.fitting.misfits, s.fitting.again = nil, time.Time{}
		s.offerConsoles()
		s.reportStatus(now)
		return nil
	})
}

// SavesChanged says that saves of ours are others now.
func (c *Control) SavesChanged() {
	c.do(func(s *session, now time.Time) error {
		if !s.fitting.looking {
			s.fitting.looked = nil
			s.checkFit(now)
		}
		return nil
	})
}

// fitter returns what makes our saves fit.
func (s *session) fitter() savecommit.Fitter {
	find := s.cfg.FindChip
	if find == nil && s.cfg.Start == nil {
		find = emucore.FindChip
	}
	return savecommit.Fitter{Find: find, Chips: s.cfg.Chips}
}

// probe returns the console that is asked for a cartridge's chip.
func (s *session) probe(cfg emucore.Config) emucore.Config {
	s.cfg.assembly().Tweak(&cfg)
	return cfg
}

// playsWithout tells which saves are not to be used, by SHA-256: those that our player said so of.
func (s *session) playsWithout() func(save [32]byte) bool {
	all, some := s.cfg.WithoutSave, make(map[[32]byte]bool, len(s.fitting.without))
	for save := range s.fitting.without {
		some[save] = true
	}
	return func(save [32]byte) bool { return all || some[save] }
}

// fitted returns what a cartridge begins with. It runs on any goroutine.
func fitted(ctx context.Context, f savecommit.Fitter, probe emucore.Config, place savecommit.Place, sram []byte, without func([32]byte) bool) ([]byte, error) {
	v := f.Fit(ctx, probe, sram, place.Played())
	switch {
	case v.Misfit == nil:
		return v.Image, nil
	case !without(sha256.Sum256(sram)):
		return nil, fmt.Errorf("the save of %s does not fit: %w", saves.GameOf(probe.ROM).Title, v.Misfit)
	case place.Keeps():
		if _, err := place.SetAside(sram); err != nil {
			return nil, fmt.Errorf("your save could not be set aside: %w", err)
		}
	}
	return nil, nil
}

// ownCartridges are ours in the room as it is, but for a game that goes on from a kept moment: its
// cartridges are the moment's.
func (s *session) ownCartridges(r room.Room) (list []cartridge) {
	if s.fitter().Find == nil || s.cfg.OpenSaves == nil || r.Settings.Continues.Any() {
		return nil
	}
	for _, p := range r.Players {
		if p.Machine == s.me() {
			list = append(list, cartridge{p.Seat, 1 + p.Local, p.ROM.SHA256})
		}
	}
	return list
}

// fitKnown tells whether we have looked at our saves.
func (s *session) fitKnown() bool {
	own := s.ownCartridges(s.room.Room())
	return len(own) == 0 || !s.fitting.looking && slices.Equal(own, s.fitting.looked)
}

// fitProblem returns the reason why our saves keep the room from starting, "" for none.
func (s *session) fitProblem() string {
	if len(s.fitting.misfits) == 0 || s.room.Room().Settings.Continues.Any() {
		return ""
	}
	m := s.fitting.misfits[0]
	return fmt.Sprintf("has a save of %s of %s, with data beyond the %s that the cartridge holds, and is asked whether to play without it or to choose another",
		m.Game, savefile.SizeWords(m.Have), savefile.SizeWords(m.Chip))
}

// checkFit looks whether our saves fit their cartridges, in the lobby and before we come into a game
// that runs, and asks our player if one does not.
func (s *session) checkFit(now time.Time) {
	r := s.room.Room()
	own := s.ownCartridges(r)
	waits := r.Phase == room.PhaseLobby || s.client != nil && s.client.Waiting()
	due := !s.fitting.again.IsZero() && !now.Before(s.fitting.again)
	if !waits || !s.games.ready || s.fitting.looking || s.over || len(own) == 0 || slices.Equal(own, s.fitting.looked) && !due {
		return
	}
	s.fitting.looking = true
	fitter, open, left, without := s.fitter(), s.cfg.OpenSaves, s.cfg.Unwritten, s.playsWithout()
	type look struct {
		cartridge
		probe emucore.Config
		place savecommit.Place
		fit   savecommit.Fitted
		save  [32]byte
		err   error
	}
	var looks []*look
	for _, c := range own {
		if rom := s.games.ROMs[c.game]; rom != nil {
			cfg := emucore.Config{Core: s.cfg.Core, ROM: rom, Options: r.Settings.Options, Firmware: s.cfg.Firmware, RTC: r.Settings.RTC}
			looks = append(looks, &look{cartridge: c, probe: s.probe(cfg), place: s.saves.Place(c.console)})
		}
	}
	s.Background(func() (func(), func()) {
		for _, l := range looks {
			var sram []byte
			var played bool
			if l.place, sram, played, l.err = l.place.Peek(l.probe.ROM, l.console, open, left); l.err == nil {
				l.fit, l.save = fitter.Fit(s.ctx, l.probe, sram, played), sha256.Sum256(sram)
			}
		}
		return func() {
			before := s.fitting
			s.fitting.looking, s.fitting.looked, s.fitting.then = false, own, nil
			s.fitting.misfits, s.fitting.again = nil, time.Time{}
			for _, l := range looks {
				s.saves.SetPlace(l.console, l.place)
				title := roms.Title(l.probe.ROM)
				switch f := l.fit; {
				case l.err != nil: // again at the start, which fails then
				case f.Misfit != nil && !without(l.save):
					n := notice.SaveMisfit{Console: l.console, Game: title, ROM: l.game, Have: f.Misfit.Have, Chip: f.Misfit.Chip}
					s.fitting.misfits = append(s.fitting.misfits, misfit{n, l.save})
					s.fitting.again = time.Now().Add(misfitPause)
					if !slices.Contains(before.misfits, misfit{n, l.save}) {
						s.notify(n)
					}
				case f.Misfit != nil:
					s.sayOnce("You play %s without your save, which does not fit the cartridge. It is set aside, in a file beside your saves.", title)
				case f.Waits:
					s.sayOnce("%s has no backup memory for %s: the game starts without your save, which stays as it is.", s.cfg.Core.Name, title)
				case f.Cut > 0:
					s.sayOnce("Your save of %s has %s, and the cartridge holds %s: the rest is blank, and left out.", title, savefile.SizeWords(len(f.Image)+f.Cut), savefile.SizeWords(len(f.Image)))
				}
			}
			for _, then := range before.then {
				then()
			}
			s.offerConsoles()
			s.reportStatus(time.Now())
			s.checkFit(time.Now()) // the room may have changed meanwhile
		}, nil
	})
}

// sayOnce tells the player something that stays true.
func (s *session) sayOnce(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !s.fitting.said[text] {
		s.fitting.said[text] = true
		s.Say("%s", text)
	}
}
