package session

import (
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/assembly"
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

// Resync is none.
func (p roundStart) Resync() *game.Resync { return nil }

// Giver is the console's owner.
func (p roundStart) Giver(plan room.SeatPlan) int { return plan.Machine }

// Agrees finds nothing.
func (p roundStart) Agrees(savestate.Manifest) error { return nil }

// Describe describes our own consoles, switched off.
func (p roundStart) Describe(a *assembly.Assembly) {
	s := p.s
	for _, plan := range a.Plan.Seats {
		if plan.Machine != s.me() {
			continue
		}
		s.captureOff(plan, s.consoleConfig(a.Plan.Settings, plan), func(m savestate.Manifest, err error) {
			if !a.Current() {
				return
			}
			if err == nil {
				err = a.Know(s.me(), m)
			}
			if err != nil {
				a.GiveUp(err)
			}
		})
	}
}

// Radio makes air on which nothing was said.
func (p roundStart) Radio(a *assembly.Assembly) (*game.Radio, error) {
	var seats []ds.Seat
	for _, plan := range a.Plan.Seats {
		seats = append(seats, plan.Seat)
	}
	return game.NewRadio(game.RadioConfig{Seats: seats, Skew: a.Plan.Settings.Skew, Serial: p.s.cfg.Serial, Trace: p.s.cfg.Trace})
}

// Assembled tells that the round can begin here.
func (p roundStart) Assembled(a *assembly.Assembly, hashes []room.SeatHash) error {
	return p.s.room.Installed(time.Now(), a.Plan.Round, hashes)
}

// GaveUp tells that it cannot.
func (p roundStart) GaveUp(a *assembly.Assembly, err error) {
	s := p.s
	s.err = &notice.Failure{Result: notice.ResultCore, Err: err, Hint: notice.CoreHint(err)}
	if err := s.room.Failed(time.Now(), a.Plan.Round, err.Error()); err != nil {
		s.drop()
	}
}
