package session

import (
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
	before := slowest
	for _, stats := range s.measured {
		if stats.RTT > before.RTT {
			before = stats
		}
		sent += stats.Sent
		received += stats.Received
	}
	lost := true
	for machine := range ds.MaxMachines {
		if peer, ok := s.peerOf(machine); ok && peer != 0 {
			if stats := s.measured[peer]; lost || stats.RTT > slowest.RTT {
				slowest, lost = stats, false
			}
		}
	}
	if lost {
		slowest = before
	}
	return slowest, sent, received
}

// measureConnections keeps the newest figures of each connection, since one that is gone
// has none.
func (s *session) measureConnections() {
	for machine := range ds.MaxMachines {
		peer, ok := s.peerOf(machine)
		if !ok {
			continue
		}
		if stats, ok := s.cfg.Link.Stats(peer); ok {
			s.measured[peer] = stats
			if s.game != nil {
				s.game.MeasureLoss(machine, stats.Loss)
			}
			if s.host != nil {
				loss := int(math.Round(1000 * max(stats.Loss, stats.LossIn)))
				s.host.Measured(machine, room.Beat{Ping: stats.RTT, Jitter: stats.Jitter, Loss: loss, Way: s.wayWords(stats.Way)})
			}
		}
	}
}

// ways tells how the game went to the other machines where it did not go directly.
func (s *session) ways() (list []string) {
	for machine := range ds.MaxMachines {
		if peer, ok := s.peerOf(machine); ok && peer != 0 && !s.measured[peer].Way.IsDirect() {
			list = append(list, s.wayWords(s.measured[peer].Way))
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
			list = append(list, room.Path{Machine: machine, RTT: stats.RTT, Way: s.wayWords(stats.Way)})
		}
	}
	return list
}

// wayWords are a way in words, with the name of the player whose machine carries.
func (s *session) wayWords(w link.Way) string {
	players := s.room.Room().Players
	i := slices.IndexFunc(players, func(p room.Player) bool { return p.Key == w.GoBetween && p.Local == 0 })
	if w.GoBetween.IsZero() || i < 0 {
		return w.String()
	}
	return w.Words(players[i].Nickname)
}

// keep remembers what the game leaves behind, before its consoles are closed.
func (s *session) keep() {
	g := s.game
	slowest, sent, received := s.traffic()
	stalls := g.Stalls()
	stalls.MS = math.Round(stalls.MS*100) / 100
	s.last = notice.Report{
		Frames: g.OwnFrames(), Stalls: stalls, Ways: s.ways(), RTT: game.Milliseconds(slowest.RTT),
		BytesSent: sent, BytesReceived: received, Step: g.Steps().Report(), Radio: g.Radio().Report(),
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
