package session

import (
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// figuresEvery is the time between two Figures.
const figuresEvery = 250 * time.Millisecond

// gauge measures what Figures tell.
type gauge struct {
	told     time.Time
	since    time.Time
	frames   int64
	sent     int64
	received int64
	rates    [3]float64 // frames, bytes sent, bytes received a second
	slow     slowness
	rolled   game.Rollbacks  // until a while ago
	rolls    *game.Rollbacks // in the last second; nil for none
	paused   bool
	off      seats // whose games have switched their consoles off
}

// slowness counts the frames until a while ago, and those of them that took too long.
type slowness struct {
	all, late uint64
	share     float64
}

// measure takes the frames up to now.
func (s *slowness) measure(steps *game.Durations) {
	all, late := steps.Count(), steps.Above(time.Second/60)
	s.share = 0
	if all > s.all && late >= s.late { // else it is another game
		s.share = float64(late-s.late) / float64(all-s.all)
	}
	s.all, s.late = all, late
}

// roll measures what was guessed up to now.
func (m *gauge) roll(all *game.Rollbacks) {
	if m.rolls = nil; all == nil {
		return
	}
	if all.Frames < m.rolled.Frames { // it is another game
		m.rolled = game.Rollbacks{}
	}
	since := all.Since(m.rolled)
	m.rolls, m.rolled = &since, *all
}

// tell tells how the game runs, if it is time.
func (s *session) tell(now time.Time) {
	s.tellPaused()
	s.tellPower()
	m := &s.gauge
	if now.Sub(m.told) < figuresEvery {
		return
	}
	m.told = now
	if s.host != nil { // where the game host stamps inputs, all are told whose come late
		for _, seat := range s.game.Seats() {
			s.host.Repeated(seat.Seat, s.game.Repeated(seat.Seat))
		}
	}
	agreed := s.knownAlike()
	if s.cfg.Notify == nil {
		return
	}
	g := s.game
	slowest, sent, received := s.traffic()
	if span := now.Sub(m.since); span >= time.Second || m.since.IsZero() {
		if !m.since.IsZero() {
			sec := span.Seconds()
			m.rates = [3]float64{float64(g.OwnFrames()-m.frames) / sec, float64(sent-m.sent) / sec, float64(received-m.received) / sec}
		}
		m.slow.measure(g.Steps())
		m.roll(g.Rollbacks())
		m.since, m.frames, m.sent, m.received = now, g.OwnFrames(), sent, received
	}
	f := notice.Figures{
		Frame: g.OwnFrames(), FPS: m.rates[0], Delay: g.Delay(), RTT: slowest.RTT, Relay: slowest.Route.Relay,
		Sent: m.rates[1], Received: m.rates[2], OnAir: g.OnAir(), Rollbacks: m.rolls,
	}
	if len(f.OnAir) == 0 {
		f.Slow = m.slow.share
	}
	if m.rolls != nil {
		f.OwnDelay = s.cfg.OwnDelay
	}
	f.Waiting, f.WaitingFor = g.Waiting(now)
	f.Agreed, f.HashEvery, f.Auto, f.Repeated = agreed, s.room.Room().Settings.HashEvery, s.autoDelay(), s.ownRepeated()
	s.delaying.lines.TellLate(f.Repeated, s.Say)
	s.notify(f)
}

// knownAlike is the newest frame after which all machines are known to have been alike; the
// game host tells it to the others.
func (s *session) knownAlike() (frame int64) {
	if s.host == nil {
		return s.client.Agreed()
	}
	if s.comparer != nil {
		frame = s.allAgreed()
	}
	s.host.Agreed(frame)
	return frame
}

// ownRepeated returns the number of the newest inputs of our own seats that came late, the most of any.
func (s *session) ownRepeated() (n int) {
	for _, p := range s.room.Room().Players {
		if p.Machine == s.me() {
			n = max(n, p.Repeated)
		}
	}
	return n
}

// tellPower tells of each console that has been switched off, or on again.
func (s *session) tellPower() {
	for _, seat := range s.game.Seats() {
		if off := seat.Off && !seat.Left; off != s.gauge.off.Has(seat.Seat) {
			s.gauge.off = s.gauge.off.set(seat.Seat, off)
			if !seat.Left {
				s.notify(notice.Power{Seat: seat.Seat, Nickname: seat.Nickname, Mine: seat.Mine, Off: off, Frame: seat.Frame})
			}
		}
	}
}

// seats is a set of seats, a bit for each.
type seats uint32

// Has reports whether a seat is in the set.
func (s seats) Has(n ds.Seat) bool { return s>>n&1 != 0 }

func (s seats) set(n ds.Seat, in bool) seats {
	if in {
		return s | 1<<n
	}
	return s &^ (1 << n)
}

func (s *session) tellPaused() {
	if p := s.game.Paused(); p != s.gauge.paused {
		s.gauge.paused = p
		s.notify(notice.Paused{Paused: p, Frame: s.game.Stop()})
	}
}
