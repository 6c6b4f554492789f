package session

import (
	"fmt"
	"math"
	"time"

	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// stats are what this machine counted in the running game.
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

// traffic adds up all lines that there were, and finds the slowest of those that there are;
// when none is left, of all.
func (s *session) traffic() (rtt time.Duration, sent, received int64) {
	s.measureLines()
	before := time.Duration(0)
	for _, stats := range s.lines {
		before = max(before, stats.RTT)
		sent += stats.Sent
		received += stats.Received
	}
	lost := true
	for machine := range ds.MaxMachines {
		if peer, ok := s.line(machine); ok && peer != 0 {
			rtt, lost = max(rtt, s.lines[peer].RTT), false
		}
	}
	if lost {
		rtt = before
	}
	return rtt, sent, received
}

// measureLines keeps the newest figures of each line, since a line that is gone
// has none.
func (s *session) measureLines() {
	for machine := range ds.MaxMachines {
		peer, ok := s.line(machine)
		if !ok {
			continue
		}
		if stats, ok := s.cfg.Link.Stats(peer); ok {
			s.lines[peer] = stats
			if s.host != nil {
				s.host.Ping(machine, stats.RTT, stats.Jitter)
				s.host.Way(machine, stats.Way.String())
				s.host.Loss(machine, int(math.Round(1000*max(stats.Loss, stats.LossIn))))
			}
		}
	}
}

// ways are how the game went to the other machines where it did not go directly.
func (s *session) ways() (list []string) {
	for machine := range ds.MaxMachines {
		if peer, ok := s.line(machine); ok && peer != 0 && s.lines[peer].Way.Relay != "" {
			list = append(list, s.lines[peer].Way.String())
		}
	}
	return list
}

// keep remembers what the game leaves behind, before its consoles are closed.
func (s *session) keep() {
	g := s.game
	rtt, sent, received := s.traffic()
	stalls := g.Stalls()
	stalls.MS = math.Round(stalls.MS*100) / 100
	s.last = notice.Report{
		Frames: g.OwnFrames(), Stalls: stalls, Ways: s.ways(), RTT: game.Milliseconds(rtt),
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
		if seat.Mine {
			// A cartridge without save memory, or a core that has just died,
			// has nothing to keep.
			sram, _ := seat.Console.SRAM()
			if s.other(seat.Seat) == nil {
				s.last.SRAM = sram
			} else if len(sram) > 0 {
				s.last.LocalSRAM = append(s.last.LocalSRAM, notice.Backup{Seat: seat.Seat, SRAM: sram})
			}
		}
	}
}

// report is what this machine knows when all is over.
func (s *session) report() notice.Report {
	r := s.last
	r.Desyncs, r.Resyncs, r.Bundles, r.Unsaved = s.desyncs, s.resyncs, s.reports.Files(), s.lost
	r.Core = notice.CoreReport{Name: s.cfg.Core.Name, Version: s.cfg.Core.Version, SHA256: fmt.Sprintf("%x", s.cfg.Core.SHA256)}
	if r.Seats == nil {
		r.Seats = []game.SeatReport{}
	}
	return r
}
