package session

import (
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/savestate"
)

// roundStart is the purpose of an assembly between "prepare" and the first frame of a
// round: each console is switched off, with the save that is current, and comes from the
// machine of its player.
type roundStart struct{ s *session }

// prepare begins a round.
func (s *session) prepare(p event.Prepare) {
	s.seatOwn()
	var machines []int
	for _, plan := range p.Seats {
		machines = append(machines, plan.Machine)
	}
	s.assemble(s.purposeOf(p), p, machines)
}

func (p roundStart) resyncing() *game.Resync { return nil }

// describe describes our own consoles, switched off.
func (p roundStart) describe(a *assembly) {
	s := p.s
	for _, plan := range a.plan.Seats {
		if plan.Machine != s.me() {
			continue
		}
		s.captureOff(plan, s.consoleConfig(a.plan.Settings, plan), func(m savestate.Manifest, err error) {
			if s.assembly != a {
				return
			}
			if err == nil {
				err = s.know(s.me(), m)
			}
			if err != nil {
				s.giveUp(err)
			}
		})
	}
}

func (p roundStart) openRadio(a *assembly) (*game.Radio, error) {
	var seats []ds.Seat
	for _, plan := range a.plan.Seats {
		seats = append(seats, plan.Seat)
	}
	return game.NewRadio(game.RadioConfig{Seats: seats, Skew: a.plan.Settings.Skew, Serial: p.s.cfg.Serial, Trace: p.s.cfg.Trace})
}

func (p roundStart) assembled(a *assembly, hashes []room.SeatHash) error {
	return p.s.room.Installed(time.Now(), a.plan.Round, hashes)
}

func (p roundStart) gaveUp(a *assembly, err error) {
	s := p.s
	s.err = &notice.Failure{Result: notice.ResultCore, Err: err, Hint: notice.CoreHint(err)}
	if err := s.room.Failed(time.Now(), a.plan.Round, err.Error()); err != nil {
		s.drop()
	}
}
