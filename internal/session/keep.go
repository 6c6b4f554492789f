package session

import (
	"fmt"
	"math"
	"time"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/host"
)

// stats are what this machine counted in the running game.
func (s *session) stats() host.Stats {
	g := s.game
	ms := func(f float64) time.Duration { return time.Duration(f * float64(time.Millisecond)) }
	steps := g.steps.report()
	_, sent, received := s.traffic()
	return host.Stats{
		Stalls: g.stalls.Count, StallTime: ms(g.stalls.MS),
		Sent: sent, Received: received, StepP50: ms(steps.P50), StepP99: ms(steps.P99),
	}
}

// traffic adds up all lines that there were, and finds the slowest one.
func (s *session) traffic() (rtt time.Duration, sent, received int64) {
	s.measureLines()
	for _, stats := range s.lines {
		rtt = max(rtt, stats.RTT)
		sent += stats.Sent
		received += stats.Received
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
				s.host.Loss(machine, int(math.Round(1000*max(stats.Loss, stats.LossIn))))
			}
		}
	}
}

// keep remembers what the game leaves behind, before its consoles are closed.
func (s *session) keep() {
	g := s.game
	rtt, sent, received := s.traffic()
	stalls := g.stalls
	stalls.MS = math.Round(stalls.MS*100) / 100
	s.last = Report{
		Frames: g.ownFrames(), Stalls: stalls, RTT: milliseconds(rtt),
		BytesSent: sent, BytesReceived: received, Step: g.steps.report(), Radio: g.radio.report(),
	}
	for _, seat := range g.seats {
		r := SeatReport{Seat: seat.number, Owner: seat.nickname, ROM: seat.rom, Frames: seat.frame}
		if seat.closed && seat.final != (ds.Hash{}) {
			r.Hash = Hash(seat.final.Sum())
		}
		s.last.Seats = append(s.last.Seats, r)
		if seat.mine {
			s.last.Delay = seat.line.Delay()
		}
		if seat.busy {
			continue // it is in the middle of a frame, or hangs
		}
		if picture := seat.run.console.Video(); len(picture.Pix) > 0 {
			s.last.Screens = append(s.last.Screens, Screen{
				Seat: seat.number, Nickname: seat.nickname, Mine: seat.mine, Frames: seat.frame, Image: picture.Image(),
			})
		}
		if seat.mine {
			// A cartridge without save memory, or a core that has just died,
			// has nothing to keep.
			sram, _ := seat.run.console.SRAM()
			if s.other(seat.number) == nil {
				s.last.SRAM = sram
			} else if len(sram) > 0 {
				s.last.Others = append(s.last.Others, Backup{Seat: seat.number, SRAM: sram})
			}
		}
	}
}

// report is what this machine knows when all is over.
func (s *session) report() Report {
	r := s.last
	r.Desyncs, r.Resyncs, r.Bundles = s.desyncs, s.resyncs, s.bundles.list()
	r.Core = CoreReport{Name: s.cfg.Core.Name, Version: s.cfg.Core.Version, SHA256: fmt.Sprintf("%x", s.cfg.Core.SHA256)}
	if r.Seats == nil {
		r.Seats = []SeatReport{}
	}
	return r
}
