package session

import (
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/roms"
)

// games knows which games of the room's roster are on this machine.
type games struct {
	revision uint32 // the room's settings that were looked at
	looking  bool
	ready    bool
	roms.Found
}

// checkGames looks for the games of the roster whenever the room's settings have
// changed, and then says whether this machine can start. The search may read
// whole folders of ROMs, so it runs in the background.
func (s *session) checkGames(now time.Time) {
	r := s.room.Room()
	looks := r.Phase == room.PhaseLobby || s.client != nil && s.client.Waiting()
	if s.over || s.games.looking || !looks || (s.games.revision == r.Revision && s.games.ROMs != nil) {
		return
	}
	s.games.looking = true
	wanted := make([]room.ROMID, 0, len(r.Players))
	for _, p := range r.Players {
		wanted = append(wanted, p.ROM)
	}
	cfg := s.cfg // of which parts change in the course of a session
	s.background(func() (func(), func()) {
		found := games{revision: r.Revision, Found: cfg.search().Find(s.ctx, wanted)}
		if found.Problem == "" {
			found.Problem = cfg.checkTerms(r.Settings)
		}
		return func() {
			s.games = found
			s.games.ready = found.Problem == "" && len(found.Missing) == 0
			s.offerConsoles()
			s.reportStatus(time.Now())
			s.checkGames(time.Now()) // the room may have changed meanwhile
		}, nil
	})
}

// checkTerms tells what about the room's settings this machine cannot do.
func (c Config) checkTerms(settings room.Settings) string {
	cfg := emucore.Config{Core: c.Core, ROM: c.ROM, Firmware: c.Firmware, Options: options(settings), RTC: settings.RTC}
	if _, err := emucore.ProfileFor(c.Core.Name).ConsoleOptions(cfg); err != nil {
		return err.Error()
	}
	return ""
}

// options are the room's choices as the core wants them.
func options(settings room.Settings) map[string]string {
	m := make(map[string]string, len(settings.Options))
	for _, o := range settings.Options {
		m[o.Key] = o.Value
	}
	return m
}

// reportStatus tells the room how this machine stands.
func (s *session) reportStatus(now time.Time) {
	ready := s.games.ready && (s.ready || !s.cfg.AskReady)
	status := room.Status{Revision: s.games.revision, Ready: ready, Problem: s.games.Problem, Missing: s.games.Missing}
	if s.assembly != nil {
		status.Up, status.Down = s.assembly.progress()
	}
	s.room.Report(now, status)
}
