package session

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/roms"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// In a game that goes on from a kept moment, the cartridges hold what they held then, and what
// is saved from there becomes the current save. A player whose save is another by now is asked
// before, and the present one is set aside: it stays in the folder, whatever is saved later.

// aside is the question to a room's players before a kept moment goes on.
type aside struct {
	looking bool
	looked  []ds.Seat // our seats whose saves were looked at; nil: none were
	differ  []notice.SaveDiffers
}

// SetAside lets a game go on from a kept moment although our save is another than then.
func (c *Control) SetAside() {
	c.do(func(s *session, now time.Time) error {
		s.cfg.SetAside = true
		s.reportStatus(now)
		return nil
	})
}

// checkCartridges looks, in the lobby of a game that goes on, whether our saves are those of
// then, and asks our player if not.
func (s *session) checkCartridges() {
	r := s.room.Room()
	own := s.cartridgesOf(r.Settings, r.Players)
	seats := seatsOf(own)
	if r.Phase != room.PhaseLobby || !s.games.ready || s.aside.looking || s.over || len(own) == 0 || slices.Equal(seats, s.aside.looked) {
		return
	}
	s.aside.looking = true
	cfg := s.cfg
	s.Background(func() (func(), func()) {
		var differ []notice.SaveDiffers
		var failed error
		for _, c := range own {
			switch differs, err := c.Differs(cfg.OpenSaves, cfg.Unwritten); {
			case err != nil:
				failed = err
			case differs:
				differ = append(differ, notice.SaveDiffers{Seat: c.Seat, Game: roms.Title(c.ROM), At: c.Place.Since()})
			}
		}
		return func() {
			s.aside = aside{looked: seats, differ: differ}
			for _, c := range own {
				s.saves.SetPlace(c.Console, c.Place)
			}
			if failed != nil {
				s.Say("%v", failed) // again at the start, which fails then
			}
			for _, d := range differ {
				if !s.cfg.SetAside {
					s.notify(d)
				}
			}
			s.reportStatus(time.Now())
		}, nil
	})
}
