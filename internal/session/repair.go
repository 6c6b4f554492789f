package session

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/desync"
	"github.com/nettplay/nettplay/savestate"
)

// A game whose machines are not alike any more, or where one has lost a console,
// is repaired: the game host decides on a frame and a machine; all consoles meet
// there, and everyone, the one they come from included, makes them anew from that
// machine's states and air, by the way of a start (start.go). Then hashes are
// compared, and the game goes on.

// A room is repaired so often, and a machine gets new consoles; a fault that comes again
// at once is not cured by it.
const (
	maxRepairs   = 3
	repairWindow = time.Minute
	allMachines  = -1 // for mayRepair: the room's own number
)

// repair is a resync that has been decided.
type repair struct {
	number   int // of the game's, from 1
	decision host.Decision
	seats    []int           // whose consoles are replaced: those that had not left when it was decided
	joins    []host.SeatPlan // whose consoles come in, switched on
}

// states is a console whose state can be had, as a real one's can.
type states interface {
	Save() (emucore.State, error)
}

// repairable tells whether there is somebody to take consoles from, and time for it.
func (s *session) repairable() bool { return !s.game.solo() && !s.game.closing() }

// closing tells whether the game's end is so near that no more can be decided before it.
func (g *game) closing() bool { return g.ending() <= g.horizon.Frame }

// mayRepair tells the game host whether one more resync is in order, and notes it: for a
// machine that has lost a console, or, with allMachines, for the machines that differ. One
// machine's trouble is not laid to another's charge.
func (s *session) mayRepair(now time.Time, machine int) bool {
	recent := slices.DeleteFunc(s.repaired[machine], func(at time.Time) bool { return now.Sub(at) > repairWindow })
	may := len(recent) < maxRepairs
	if may {
		recent = append(recent, now)
	}
	s.repaired[machine] = recent
	return may
}

// solo tells whether no other machine plays.
func (g *game) solo() bool { return len(g.in) == 0 }

// decideRepair orders a resync from a machine. Until it is over nothing is compared:
// what is reported meanwhile is of consoles that are to be replaced.
func (s *session) decideRepair(now time.Time, donor int, why string) error {
	s.watch = nil
	_, err := s.host.Decide(now, host.Decision{Kind: host.Resync, Machine: donor, Why: why})
	if errors.Is(err, host.ErrPhase) {
		return nil
	}
	return err
}

// donor is a machine with whom the others agree: not the odd one out. With two, the
// console's owner is right.
func (s *session) donor(v desync.Verdict) int {
	if v.Machine != s.me() {
		return s.me()
	}
	if owner := s.game.seat(v.Seat).owner; owner != v.Machine && s.game.takesPart(owner) {
		return owner
	}
	return s.otherThan(v.Machine)
}

// otherThan is the lowest machine but one that still plays.
func (s *session) otherThan(machine int) int {
	for m := range ds.MaxMachines {
		if m != machine && s.game.takesPart(m) {
			return m
		}
	}
	return machine
}

// askForRepair tells what becomes of the game when one of our consoles is gone: others may
// have it still. It tells whether that is tried.
func (s *session) askForRepair(now time.Time, err error) bool {
	g := s.game
	if g.solo() || g.finished() {
		return false
	}
	if g.repair != nil && g.repair.decision.Machine == s.me() {
		return true // if it is to be given to others we say that it cannot be: cannotGive
	}
	if s.host != nil {
		if g.repair != nil || g.closing() {
			return true // it is replaced anyway, or hardly missed
		}
		if !s.mayRepair(now, s.me()) {
			return false
		}
		why := fmt.Sprintf("%s's machine lost a console (%v); it takes one from the others", s.room.Me().Nickname, err)
		return s.decideRepair(now, s.otherThan(s.me()), why) == nil
	}
	return s.client.RequestResync(now, g.round, err.Error()) == nil
}

// otherBroken is a client that asks for a resync.
func (s *session) otherBroken(now time.Time, e host.ResyncRequested) error {
	if s.game == nil || s.game.repair != nil || !s.repairable() {
		return nil // with the end so near its seats go on without a console there
	}
	if !s.mayRepair(now, e.Machine) {
		peer, ok := s.line(e.Machine)
		if ok {
			s.hangUp(now, peer, "its consoles fail again and again: "+e.Words)
		}
		return nil
	}
	return s.decideRepair(now, s.me(), e.Words+"; it takes one from the others")
}

// resync notes that consoles are to be replaced, and returns the decision as it counts
// here: where the game ends before its frame, all stand there.
func (g *game) resync(d host.Decision) (host.Decision, error) {
	d.Frame = min(d.Frame, g.last)
	g.repairs++
	g.release(host.Resync) // of one whose game host is gone, or whose donor cannot give
	old := g.repair
	g.repair = &repair{number: g.repairs, decision: d, joins: g.entering}
	g.entering = nil
	if old == nil {
		for _, s := range g.seats {
			if !s.left {
				g.repair.seats = append(g.repair.seats, s.number)
			}
		}
		return d, nil
	}
	g.repair.joins = append(g.repair.joins, old.joins...)
	for _, number := range old.seats {
		// Also those that have left since; but not who stays behind at an earlier frame.
		if s := g.seat(number); !s.left || s.end >= d.Frame {
			g.repair.seats = append(g.repair.seats, number)
		} else if s.unplugs {
			s.unplugs = false
			if err := g.radio.unplug(number); err != nil {
				return d, err
			}
		}
	}
	return d, nil
}

// atRepair tells whether all consoles have met for it.
func (g *game) atRepair() bool {
	return g.repair != nil && len(g.meetings) > 0 && g.meetings[0].began && g.meetings[0].hold[host.Resync]
}

// workRepair begins to replace the consoles once they have met.
func (s *session) workRepair(now time.Time) error {
	g := s.game
	if !g.atRepair() || s.start != nil {
		return nil
	}
	plan := host.Prepare{Round: g.round, Settings: s.room.Room().Settings}
	for _, p := range g.plan {
		if slices.Contains(g.repair.seats, p.Seat) {
			p.Machine = g.repair.decision.Machine
			plan.Seats = append(plan.Seats, p)
		}
	}
	machines := g.machines()
	for _, p := range g.repair.joins {
		plan.Seats, machines = append(plan.Seats, p), append(machines, p.Machine)
	}
	sortPlans(plan.Seats)
	if len(g.repair.joins) == 0 && !g.repair.decision.Alike {
		s.say("All machines take their consoles from %s.", g.owner(g.repair.decision.Machine))
	}
	s.spectators.FlushSoon() // late joiners here lack the newest frames
	s.newStart(now, &start{plan: plan, repair: g.repair}, machines)
	s.holdEvidence(s.start)
	return nil
}

// captureAll describes all our consoles as they stand, with the air, to the others.
func (s *session) captureAll(st *start) {
	list, radio := s.standing(st), s.game.radio.hold()
	s.background(func() (func(), func()) {
		manifests, errs := captureStanding(list, radio, s.store)
		radio.close()
		return func() {
			if s.start != st {
				return
			}
			err := errors.Join(errs...)
			for _, m := range manifests {
				if err == nil {
					err = s.know(s.me(), m)
				}
			}
			if err != nil {
				s.cannotGive(err)
			}
		}, nil
	})
}

// cannotGive is for a machine whose consoles all are to take, and that has lost one by
// then. The game host orders a resync from another, from which we take ours, too.
func (s *session) cannotGive(err error) {
	now, round := time.Now(), s.game.round
	var refused error
	if s.host != nil {
		refused = s.host.DonorFailed(now, round, err.Error())
	} else {
		refused = s.client.RequestResync(now, round, err.Error())
	}
	if s.broke = err; refused != nil {
		s.failStart(err)
	}
}

// captureNow describes a console between two frames.
func captureNow(seat int, cfg emucore.Config, c console, store *savestate.Store) (savestate.Manifest, error) {
	source, ok := c.(states)
	if !ok || cfg.ROM == nil {
		return savestate.Manifest{}, fmt.Errorf("the console of seat %d has no state", seat+1)
	}
	state, err := source.Save()
	if err != nil {
		return savestate.Manifest{}, err
	}
	if cfg.SRAM, err = c.SRAM(); err != nil {
		return savestate.Manifest{}, err
	}
	return savestate.Capture(seat, cfg, &state, store)
}

// restoreRadio makes the air for consoles that are made anew.
func (s *session) restoreRadio(st *start) (*radio, error) {
	var saved []byte
	for _, plan := range st.plan.Seats {
		m := st.manifests[plan.Seat]
		if p, ok := m.Part(savestate.KindAir); ok {
			if saved, ok = s.store.Get(p.SHA256); !ok {
				return nil, fmt.Errorf("%v: %w", p, savestate.ErrNotHere)
			}
			break
		}
	}
	if saved == nil {
		return nil, errors.New("the consoles came without the radio between them")
	}
	frame := st.repair.decision.Frame
	r, err := newRadio(nil, frame, st.plan.Settings.Skew, s.cfg.Serial, s.cfg.Trace)
	if err != nil {
		return nil, err
	}
	r.stop = frame
	if err := r.air.Restore(saved); err != nil {
		r.close()
		return nil, err
	}
	for _, p := range st.repair.joins {
		if err := r.air.Plug(p.Seat); err != nil {
			r.close()
			return nil, err
		}
	}
	return r, nil
}

// resynced puts the new consoles in the place of the old ones.
func (s *session) resynced() error {
	g, st := s.game, s.start
	if st != nil && st.failed {
		return nil // we are out of the game, and watch it end
	}
	if st != nil && !g.takesPart(s.me()) {
		return &Failure{Result: ResultLost, Err: errors.New("the others went on without this machine, which did not get its consoles in time")}
	}
	if st == nil || st.repair == nil || len(st.consoles) < len(st.plan.Seats) {
		return errors.New("a resync is over that was not done here")
	}
	s.start, s.broke = nil, nil
	s.recordResync(st, st.repair.decision.Frame)
	for _, plan := range st.plan.Seats {
		if !g.repair.brings(plan.Seat) {
			g.replace(plan.Seat, st.consoles[plan.Seat], st.hashes[plan.Seat])
			delete(st.consoles, plan.Seat)
		}
	}
	if err := s.comeIn(st); err != nil {
		return err
	}
	for _, seat := range g.seats {
		if !slices.Contains(g.repair.seats, seat.number) {
			seat.final = ds.Hash{} // it left while the machines were not alike
		}
	}
	old := g.radio
	g.radio, st.radio = st.radio, nil
	old.close()
	for _, p := range g.repair.joins {
		g.radio.own(p.Seat, g.seat(p.Seat).run.console)
	}
	for _, number := range g.repair.seats {
		seat := g.seat(number)
		g.radio.own(number, seat.run.console)
		if seat.unplugs = false; seat.left && seat.end <= g.repair.decision.Frame {
			if err := g.radio.unplug(number); err != nil {
				return err
			}
		}
	}
	st.close()
	s.settleParts(st.manifests, func() {})
	s.reportEvidence(st.evidence)
	s.alike = g.repair.decision.Frame
	s.forgetSaves(g.repair.decision.Frame)
	wrong := len(g.repair.joins) == 0 && !g.repair.decision.Alike
	s.placed.frame, s.placed.comes = g.repair.decision.Frame, false
	for _, p := range g.repair.joins {
		delete(s.newcomers, p.Machine)
	}
	g.repair, s.coming = nil, nil
	g.release(host.Resync)
	if wrong {
		s.resyncs++
	}
	s.notify(Transfer{}) // nothing moves any more
	if s.host != nil {
		s.watch = desync.NewWatch(g.machines(), g.owners())
	}
	return s.goneMeanwhile()
}

// replace puts a console in the place of a seat's old one, at the same frame.
func (g *game) replace(number int, c console, hash ds.Hash) {
	s := g.seat(number)
	s.run.close()
	s.run = startRunner(number, c, g.show, g.done, unknown)
	s.dead, s.final = false, hash
	if s.closed = s.frame >= s.end; s.closed {
		s.reported = s.frame
	}
}

// machines are those that still play.
func (g *game) machines() []int {
	var list []int
	for m := range ds.MaxMachines {
		if g.takesPart(m) {
			list = append(list, m)
		}
	}
	return list
}
