package session

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/assembly"
	"github.com/nettplay/nettplay/internal/desync"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/savestate"
)

// A game whose machines are not alike any more, or where one has lost a console, is
// repaired by a resync: the game host decides on a frame and a machine; all consoles meet
// there, and everyone, the donor included, makes them anew from that machine's states and
// air. Then hashes are compared, and the game goes on.

// resync is the purpose of an assembly in the middle of a game.
type resync struct {
	s     *session
	order *game.Resync
}

// workResync begins to replace the consoles once they have met.
func (s *session) workResync(now time.Time) error {
	if s.givenUp != nil {
		return s.goOnWithoutResync(now)
	}
	g, r := s.game, s.game.Resync()
	if !g.ReadyForResync() || s.assembler.Current() != nil {
		return nil
	}
	plan := event.Prepare{Round: g.Round(), Settings: s.room.Room().Settings}
	for _, p := range g.Plan() {
		if slices.Contains(r.Seats, p.Seat) {
			p.Machine = r.Decision.Machine
			plan.Seats = append(plan.Seats, p)
		}
	}
	machines := g.Machines()
	for _, p := range r.Joins {
		plan.Seats, machines = append(plan.Seats, p), append(machines, p.Machine)
	}
	game.SortPlans(plan.Seats)
	if r.Repairs() {
		s.Say("All computers take their consoles from %s.", g.Owner(r.Decision.Machine))
	}
	s.spectators.FlushSoon() // late joiners here lack the newest frames
	s.assemble(resync{s, r}, plan, machines)
	a := s.assembler.Current()
	a.Evidence = s.reports.Hold(s.reportScene(), r, func() {
		if a.Current() {
			a.Installed()
		}
	})
	return nil
}

// cannotGive is for a machine whose consoles all are to take, and that has lost one by
// then. The game host orders a resync from another, from which we take ours, too.
func (s *session) cannotGive(a *assembly.Assembly, err error) {
	now, round := time.Now(), s.game.Round()
	var refused error
	if s.host != nil {
		refused = s.host.DonorFailed(now, round, err.Error())
	} else {
		refused = s.client.RequestResync(now, round, err.Error())
	}
	if s.donorErr = err; refused != nil {
		a.GiveUp(err)
	}
}

// Resync returns the decision.
func (p resync) Resync() *game.Resync { return p.order }

// Giver is the donor, or who joins.
func (p resync) Giver(plan room.SeatPlan) int { return plan.Machine }

// Agrees finds nothing.
func (p resync) Agrees(savestate.Manifest) error { return nil }

// Describe describes our own consoles as they stand: to all others where they are the ones
// that all take, else so that only what differs is fetched.
func (p resync) Describe(a *assembly.Assembly) {
	list, radio := p.s.standing(a), p.s.game.Radio()
	if p.order.Decision.Machine == p.s.me() {
		a.CaptureAll(list, radio, func(err error) { p.s.cannotGive(a, err) })
	} else {
		a.CaptureSame(list, radio)
	}
	a.KnowJoins(p.s.incoming)
	for _, gone := range p.s.leftEarly {
		a.StandIn(gone.Machine)
	}
}

// Radio makes the air as the donor had it.
func (p resync) Radio(a *assembly.Assembly) (*game.Radio, error) {
	r, err := p.s.savedRadio(a)
	if err != nil {
		return nil, err
	}
	for _, p := range p.order.Joins {
		if err := r.Plug(p.Seat); err != nil {
			r.Close()
			return nil, err
		}
	}
	return r, nil
}

// Assembled tells that the game can go on here.
func (p resync) Assembled(a *assembly.Assembly, hashes []room.SeatHash) error {
	return p.s.room.Remade(time.Now(), a.Plan.Round, p.order.Number, hashes)
}

// GaveUp ends our part in the game.
func (p resync) GaveUp(_ *assembly.Assembly, err error) { p.s.loseGame(err) }

var errWithoutUs = &notice.Failure{Result: notice.ResultLost, Err: errors.New("the others continued without this computer: its consoles were not ready in time")}

// resynced puts the new consoles in the place of the old ones.
func (s *session) resynced() error {
	g, a := s.game, s.assembler.Current()
	if a != nil && a.Failed() {
		return nil // we are out of the game, and watch it end
	}
	if !g.TakesPart(s.me()) { // perhaps before our consoles had met
		return errWithoutUs
	}
	if a == nil || a.Resync() == nil || !a.Complete() {
		return errors.New("the end of a resync that this machine did not take part in")
	}
	s.donorErr = nil
	s.recordResync(a)
	r, shot := g.Resync(), s.ownPicture()
	delay := r.DelayAt(a.Plan.Settings.Delay, s.room.Decisions())
	if err := g.Resynced(a.Take(), a.TakeRadio(), delay); err != nil {
		return err
	}
	a.Close()
	if r.Decision.Keep {
		s.keepMoment(a, r, shot)
	}
	a.Settle()
	s.reports.Resynced(s.reportScene(), a.Evidence, s.assembler.Store())
	s.alike = r.Frame()
	s.saves.Replaced(r.Frame(), s.remadeCartridges(a))
	s.checkpoint.Frame, s.checkpoint.Comes = r.Frame(), false
	for _, p := range r.Joins {
		delete(s.lateJoiners, p.Machine)
	}
	s.incoming = nil
	if r.Repairs() {
		s.resyncs++
	}
	s.notify(notice.Transfer{}) // nothing moves any more
	if s.host != nil {
		s.comparer = desync.NewComparer(g.Machines(), g.Owners())
	}
	return s.leftWhileJoining()
}

// remadeCartridges are the backup memories with which our own consoles go on from a resync.
func (s *session) remadeCartridges(a *assembly.Assembly) map[ds.Seat][]byte {
	own := make(map[ds.Seat][]byte)
	for _, seat := range s.game.Seats() {
		m := a.Manifest(seat.Seat)
		part, has := m.Part(savestate.KindSRAM)
		if !seat.Mine || !has {
			continue
		}
		if sram, here := s.assembler.Store().Get(part.SHA256); here {
			own[seat.Seat] = sram
		}
	}
	return own
}

// givenUp is a resync that was given up while consoles are still read for it. What is decided meanwhile waits: all
// consoles stand.
type givenUp struct {
	of    *assembly.Assembly // nil: it had not begun here
	later []event.Decided
}

// giveUpResync has the game go on with the consoles that it has, as soon as nobody reads them.
func (s *session) giveUpResync() error {
	a := s.assembler.Current()
	if a != nil && a.Failed() {
		return nil // we are out of the game, and watch it end
	}
	if !s.game.TakesPart(s.me()) {
		return errWithoutUs
	}
	s.drop()
	s.givenUp = &givenUp{of: a}
	return s.goOnWithoutResync(time.Now())
}

func (s *session) goOnWithoutResync(now time.Time) error {
	u, g := s.givenUp, s.game
	if u.of.Reads() {
		return nil
	}
	s.givenUp = nil
	if err := g.GiveUpResync(); err != nil {
		return err
	}
	s.checkpoint.Comes = false
	s.notify(notice.Transfer{}) // nothing moves any more
	if s.host != nil {
		s.comparer = desync.NewComparer(g.Machines(), g.Owners())
	}
	for _, e := range u.later {
		if err := s.decided(e); err != nil {
			return err
		}
	}
	for _, seat := range g.Seats() {
		if s.host == nil || !seat.Dead || seat.Left && !g.Torn() || g.Resync() != nil {
			continue // a client has asked for another one
		}
		if err := fmt.Errorf("the console of seat %v is gone", seat.Seat); !s.askForRepair(now, err) {
			s.loseGame(err)
		}
	}
	return nil
}
