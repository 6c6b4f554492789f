package session

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// stats returns this machine's counts of the running game.
func (s *session) stats() message.Stats {
	g := s.game
	ms := func(f float64) time.Duration { return time.Duration(f * float64(time.Millisecond)) }
	steps := g.Steps().Report()
	_, sent, received := s.traffic()
	return message.Stats{
		Stalls: g.Stalls().Count, StallTime: ms(g.Stalls().MS),
		Sent: sent, Received: received, StepP50: ms(steps.P50), StepP99: ms(steps.P99),
	}
}

// traffic adds up all connections that there were, and finds the slowest of those that there are;
// when none is left, of all.
func (s *session) traffic() (slowest link.Stats, sent, received int64) {
	s.measureConnections()
	var here, all []link.Stats
	for _, peer := range s.connected() {
		here = append(here, s.measured[peer])
	}
	for _, stats := range s.measured {
		sent, received, all = sent+stats.Sent, received+stats.Received, append(all, stats)
	}
	if len(here) == 0 {
		here = all
	}
	if len(here) > 0 { // else we play alone
		slowest = slices.MaxFunc(here, func(a, b link.Stats) int { return cmp.Compare(a.RTT, b.RTT) })
	}
	return slowest, sent, received
}

// measureConnections keeps the newest figures of each connection, since one that is gone
// has none.
func (s *session) measureConnections() {
	for machine, peer := range s.connected() {
		if stats, ok := s.cfg.Link.Stats(peer); ok {
			s.measured[peer] = stats
			if s.game != nil {
				s.game.MeasureLoss(machine, stats.Loss)
			}
			if s.host != nil {
				loss := int(math.Round(1000 * max(stats.Loss, stats.LossIn)))
				s.host.Measured(machine, room.Beat{Ping: stats.RTT, Jitter: stats.Jitter, Loss: loss, Way: s.routeWords(stats.Route)})
			}
		}
	}
}

// ways tells how the game went to the other machines where it did not go directly.
func (s *session) ways() (list []string) {
	for _, peer := range s.connected() {
		if way := s.measured[peer].Route; !way.IsDirect() {
			list = append(list, s.routeWords(way))
		}
	}
	return list
}

// paths are the ways to other game clients, of which one of each two tells.
func (s *session) paths() (list []room.Path) {
	if s.client == nil {
		return nil
	}
	links := s.client.PeerLinks()
	for machine := range ds.MaxMachines {
		if stats, ok := s.cfg.Link.Stats(links[machine]); ok {
			list = append(list, room.Path{Machine: machine, RTT: stats.RTT, Way: s.routeWords(stats.Route)})
		}
	}
	return list
}

// routeWords are a way in words, with the name of the player whose machine carries.
func (s *session) routeWords(w link.Route) string {
	players := s.room.Room().Players
	i := slices.IndexFunc(players, func(p room.Player) bool { return p.Key == w.PeerRelay && p.Local == 0 })
	if w.PeerRelay.IsZero() || i < 0 {
		return w.String()
	}
	return w.Words(players[i].Nickname)
}

// keep remembers what the game leaves behind, before its consoles are closed.
func (s *session) keep() {
	g := s.game
	g.Settle()
	slowest, sent, received := s.traffic()
	stalls := g.Stalls()
	stalls.MS = math.Round(stalls.MS*100) / 100
	s.last = notice.Report{
		Frames: g.OwnFrames(), Stalls: stalls, Ways: s.ways(), RTT: game.Milliseconds(slowest.RTT),
		BytesSent: sent, BytesReceived: received, Step: g.Steps().Report(), Radio: g.Radio().Report(), Rollbacks: g.Rollbacks(),
	}
	for _, seat := range g.Seats() {
		s.last.Seats = append(s.last.Seats, seat.Report())
		if seat.Mine {
			s.last.Delay = seat.Delay
		}
		if seat.Busy {
			continue // it is in the middle of a frame, or hangs
		}
		if picture := seat.Console.Video(); len(picture.Pix) > 0 {
			s.last.Screens = append(s.last.Screens, notice.Screen{
				Seat: seat.Seat, Nickname: seat.Nickname, Mine: seat.Mine, Frames: seat.Frame, Image: picture.Image(),
			})
		}
		if seat.Mine && s.localPlayer(seat.Seat) == nil {
			// A cartridge without save memory, or a core that has just died,
			// has nothing to keep.
			s.last.SRAM, _ = seat.Console.SRAM()
		}
	}
}

// report returns this machine's report when all is over.
func (s *session) report() notice.Report {
	r := s.last
	r.Desyncs, r.Resyncs, r.Bundles, r.Unsaved = s.desyncs, s.resyncs, s.reports.Files(), s.lost
	r.Core = notice.CoreReport{Name: s.cfg.Core.Name, Version: s.cfg.Core.Version, SHA256: fmt.Sprintf("%x", s.cfg.Core.SHA256)}
	if r.Seats == nil {
		r.Seats = []game.SeatReport{}
	}
	return r
}
