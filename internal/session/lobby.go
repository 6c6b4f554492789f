package session

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/roms"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// roomChanged shows the room as it is now, and does in the lobby what comes of that.
func (s *session) roomChanged(now time.Time) {
	s.notify(notice.RoomNotice{Room: s.seen(), Me: s.me()})
	s.seeBuilds()
	s.tellBlockers()
	s.tellBanned()
	s.tellCheats()
	s.noticeGame(now, s.room.Room())
	s.checkGames(now)
	s.checkCartridges()
	s.checkFit(now)
	s.autoStart(now)
}

// tellCheats tells which cheats are on, whenever that has changed.
func (s *session) tellCheats() {
	words, now := s.room.Room().Settings.Cheats.News(s.cheatsTold)
	if s.cheatsTold = now; words != "" {
		s.Say("%s", words)
	}
}

// games knows which games of the room's roster are on this machine.
type games struct {
	revision uint32 // the room's settings that were looked at
	looking  bool
	stop     context.CancelFunc // ends the search, which is for settings of this revision:
	wanted   uint32
	ready    bool
	cause    room.Cause // of a problem
	again    time.Time  // when to look for the missing games again; zero: nothing is missing
	roms.Found
}

// While a game is missing it is looked for again and again: the player may put it into a folder.
// The pause is a multiple of what the last search took, since folders may be large or slow.
const (
	lookPause  = 2 * time.Second
	lookFactor = 20
)

// due reports whether it is time to look for missing games again.
func (g *games) due(now time.Time) bool { return !g.again.IsZero() && !now.Before(g.again) }

// checkGames looks for the games of the roster whenever the room's settings have
// changed, or games are missing, and then says whether this machine can start. The search
// may read whole folders of ROMs, so it runs in the background.
func (s *session) checkGames(now time.Time) {
	r := s.room.Room()
	looks := r.Phase == room.PhaseLobby || s.client != nil && s.client.Waiting()
	known := s.games.revision == r.Revision && s.games.ROMs != nil
	if s.games.looking && s.games.wanted != r.Revision {
		s.games.stop() // and it is looked again: a search of all that is here may take long
	}
	if s.over || s.games.looking || !looks || known && !s.games.due(now) {
		return
	}
	ctx, stop := context.WithCancel(s.ctx)
	s.games.looking, s.games.stop, s.games.wanted = true, stop, r.Revision
	wanted := make([]room.ROMID, 0, len(r.Players))
	for _, p := range r.Players {
		wanted = append(wanted, p.ROM)
	}
	quick := !known
	cfg := s.cfg // of which parts change in the course of a session
	s.Background(func() (func(), func()) {
		search := roms.Search{Own: []*emucore.ROM{cfg.ROM}, Library: cfg.Library, Quick: quick}
		found := games{revision: r.Revision, Found: search.Find(ctx, wanted)}
		if found.Problem == "" {
			found.Problem = cfg.checkSettings(r.Settings)
			found.cause = room.CauseOptions
		}
		end := time.Now()
		if len(found.Missing) > 0 && cfg.Library != nil {
			found.again = end.Add(max(lookPause, lookFactor*end.Sub(now)))
			if quick {
				found.again = end // everything else is looked at behind the first answer
			}
		}
		return func() {
			stopped := ctx.Err() != nil
			stop()
			if stopped {
				s.games.looking = false
				s.checkGames(time.Now())
				return
			}
			same := known && slices.Equal(found.Missing, s.games.Missing) && slices.Equal(found.Near, s.games.Near) && found.Problem == s.games.Problem
			if same && s.games.revision == found.revision {
				s.games.again, s.games.looking = found.again, false
				return
			}
			s.games = found
			s.games.ready = found.Problem == "" && len(found.Missing) == 0
			s.tellUnsigned(wanted)
			s.checkFit(time.Now())
			s.offerConsoles()
			s.checkCartridges()
			s.reportStatus(time.Now())
			s.checkGames(time.Now()) // the room may have changed meanwhile
		}, nil
	})
}

// tellUnsigned tells once of each game whose dump may have lost what Download Play needs.
func (s *session) tellUnsigned(wanted []room.ROMID) {
	for _, id := range wanted {
		rom := s.games.ROMs[id.SHA256]
		if rom == nil || !rom.Unsigned || slices.Contains(s.unsigned, id.SHA256) {
			continue
		}
		s.unsigned = append(s.unsigned, id.SHA256)
		s.Say("Your dump of %s ends where the game does. It plays, but Download Play, with one cartridge for several consoles, may need a full dump.", id.Title)
	}
}

// checkSettings returns the problem of this machine with the room's settings, "" for none.
func (c Config) checkSettings(settings room.Settings) string {
	cfg := emucore.Config{Core: c.Core, ROM: c.ROM, Firmware: c.Firmware, Options: settings.Options, RTC: settings.RTC, Cheats: settings.Cheats.List}
	if _, err := emucore.ProfileFor(c.Core.Name).ConsoleOptions(cfg); err != nil {
		return err.Error()
	}
	return ""
}

// autoStart starts the game when enough players are there and ready.
func (s *session) autoStart(now time.Time) {
	if s.host == nil || s.cfg.Host.AutoStart == 0 || s.spectators.Lingers() || s.host.Phase() != room.PhaseLobby || !s.farewell.IsZero() {
		return
	}
	present := 0
	for _, p := range s.host.Roster() {
		if p.Present {
			present++
		}
	}
	if present >= s.cfg.Host.AutoStart && len(s.host.Blockers()) == 0 {
		if err := s.host.Start(now); err != nil {
			s.Say("%v", err)
		}
	}
}

// tellBlockers tells the game host what is in the way of a start, or of one bad line, when that has changed.
func (s *session) tellBlockers() {
	if s.host == nil {
		return
	}
	s.delaying.lines.TellBad(s.host.Room(), s.notify)
	list := append([]room.Blocker{}, s.host.Blockers()...) // not nil: it was told
	if s.blockers == nil || !slices.Equal(list, s.blockers) {
		s.blockers = list
		s.notify(notice.Blockers{List: list})
	}
}

// localPlayers returns our local players but the primary one, as the room is told of them.
func (c Config) localPlayers() []room.LocalPlayer {
	var list []room.LocalPlayer
	for _, o := range c.LocalPlayers {
		list = append(list, room.LocalPlayer{Nickname: o.Firmware.Nickname, Firmware: o.Firmware})
	}
	return list
}

// seatOwn notes which of our players sits where.
func (s *session) seatOwn() {
	s.locals = make(map[ds.Seat]int)
	for _, p := range s.room.Room().Players {
		if p.Machine == s.me() {
			s.locals[p.Seat] = p.Local
		}
	}
}

// own are our seats in the order of our players.
func (s *session) own() []ds.Seat {
	return slices.SortedFunc(maps.Keys(s.locals), func(a, b ds.Seat) int { return s.locals[a] - s.locals[b] })
}

// localPlayer returns our local player in a seat, nil for our primary player and all other seats.
func (s *session) localPlayer(seat ds.Seat) *LocalPlayer {
	if n := s.locals[seat]; n >= 1 && n <= len(s.cfg.LocalPlayers) {
		return &s.cfg.LocalPlayers[n-1]
	}
	return nil
}

// sitWith changes who plays at this machine besides us, in the lobby.
func (s *session) sitWith(now time.Time, list []LocalPlayer) error {
	cfg := s.cfg
	cfg.LocalPlayers = slices.Clone(list)
	err := s.room.SetLocalPlayers(now, cfg.localPlayers())
	if !errors.Is(err, room.ErrPhase) {
		s.cfg.LocalPlayers = cfg.LocalPlayers // who has no seat is not asked for input
	}
	return err
}

// sample asks for our own seats' input.
func (s *session) sample(seat ds.Seat, frame int64) inputdelay.Input {
	if other := s.localPlayer(seat); other != nil {
		return other.Input(frame)
	}
	return s.cfg.Input(frame)
}
