package session

import (
	"errors"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/assembly"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/savestate"
)

// lateJoin is the purpose of the assembly with which we come into a running game: that of a
// resync, whose consoles we do not have yet.
type lateJoin struct{ resync }

// Describe follows the game to the frame of the resync, where our machine can: then it has
// what the others have, and fetches next to nothing.
func (p lateJoin) Describe(a *assembly.Assembly) {
	if f := p.s.catchUp; f != nil && f.GoTo(time.Now(), a.Frame()) {
		a.Hold()
	}
	a.KnowJoins(p.s.incoming)
}

// offerConsoles hands our own consoles, switched off, to the game host, before we are let
// into the game that runs. It is called when the games are found, and when a connection is back
// that was gone at that time.
func (s *session) offerConsoles() {
	r := s.room.Room()
	if s.client == nil || !s.client.Waiting() || !s.games.ready || s.games.revision != r.Revision || s.offered != nil || !s.buildsTried() || !s.fitKnown() || len(s.fitting.misfits) > 0 {
		return
	}
	s.seatOwn()
	s.offered = make(map[ds.Seat]savestate.Manifest)
	for _, p := range r.Players {
		if p.Machine != s.me() {
			continue
		}
		plan := room.SeatPlan{Seat: p.Seat, Machine: p.Machine, Nickname: p.Nickname, Firmware: p.Firmware, ROM: p.ROM}
		s.captureOff(plan, s.consoleConfig(r.Settings, plan), func(m savestate.Manifest, err error) {
			if s.offered == nil {
				return // the game is over
			}
			if err == nil {
				s.offered[m.Seat] = m
				err = s.assembler.Exchange(s.gameHost).Offer(m)
			}
			if err != nil {
				s.fail(&notice.Failure{Result: notice.ResultCore, Err: err, Hint: notice.CoreHint(err)})
			}
		})
	}
}

// offerConsolesAgain hands them to another game host.
func (s *session) offerConsolesAgain() error {
	for seat := range ds.Seats {
		if m, ok := s.offered[seat]; ok && s.joining == nil {
			if err := s.assembler.Exchange(s.gameHost).Offer(m); err != nil {
				return err
			}
		}
	}
	return nil
}

// joiningDecided takes a decision of the game before we are in it.
func (s *session) joiningDecided(d timeline.Decision) error {
	build, begin := s.joining.HandleDecision(d, s.me())
	if build {
		s.buildJoining()
	}
	if begin {
		return s.startJoinedGame()
	}
	return nil
}

// buildJoining begins to build the consoles, as all others do.
func (s *session) buildJoining() {
	e := s.joining
	r, plan := e.Resync()
	s.incoming = s.offered
	if e.Known.First == e.Known.At {
		s.Say("You are joining the game.")
	}
	s.assemble(lateJoin{resync{s, r}}, plan, []int{s.gameHost})
}

// startJoinedGame turns the consoles into a game that begins in the middle.
func (s *session) startJoinedGame() error {
	e, a := s.joining, s.assembler.Current()
	if a != nil && a.Failed() {
		return nil
	}
	if a == nil || a.Resync() == nil || !a.Complete() {
		return errors.New("the game goes on with us, but our consoles are not there")
	}
	s.joining = nil
	s.noteBuilds()
	cfg := s.gameConfig(e.Round, e.Settings)
	cfg.Delay, cfg.First = a.Resync().DelayAt(e.Settings.Delay, e.Known.Decisions), a.Frame()
	cfg.Horizon = ds.Horizon{Frame: a.Frame()}
	if err := s.play(cfg, a, e.Playing()); err != nil {
		return err
	}
	a.Settle()
	s.game.KnowDelays(a.Resync().DelaysAt(e.Settings.Delay, e.Known.Decisions))
	s.offered, s.incoming = nil, nil
	if err := s.game.CatchUp(e.Known); err != nil {
		return err
	}
	s.notify(notice.Transfer{})
	s.notify(notice.Playing{Room: s.room.Room(), Mine: s.own()})
	if s.cfg.Recorder != nil {
		s.Say("You joined late, so this game is not recorded here. The others record it.")
	}
	return nil
}

// endJoining is for a game that is over before we were in it.
func (s *session) endJoining(e event.Ended) {
	if s.joining == nil || s.joining.Round != e.Round {
		return
	}
	s.drop()
	s.joining, s.offered, s.incoming = nil, nil, nil
	s.Say("The game was over before you could join: %s", e.Why)
}
