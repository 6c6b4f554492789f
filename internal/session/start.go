package session

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/emucore/savefile"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/assembly"
	"github.com/nettplay/nettplay/internal/desync"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/spectate"
	"github.com/nettplay/nettplay/savestate"
)

// roundStart is the purpose of an assembly between "prepare" and the first frame of a
// round: each console is switched off, with the save that is current, and comes from the
// machine of its player.
type roundStart struct{ s *session }

// prepare begins a round.
func (s *session) prepare(p event.Prepare) {
	s.seatOwn()
	if why := room.WrongClock(time.Now()); why != "" && s.host != nil && p.Settings.ClockNow && !p.Settings.Continues.Any() {
		s.Say("%s, and the consoles' clocks begin at %s: set the computer's clock before the next game", phrase.Capital(why), room.ClockWords(p.Settings.RTC))
	}
	var machines []int
	for _, plan := range p.Seats {
		machines = append(machines, plan.Machine)
	}
	var purpose assembly.Purpose = roundStart{s}
	if p.Settings.Continues.Any() {
		purpose = continued{roundStart{s}, p.Settings.Continues}
	}
	s.assemble(purpose, p, machines)
}

// startFailed goes back to the lobby, or ends a session that is for one game.
func (s *session) startFailed(e event.StartFailed) error {
	s.drop()
	told := notice.StartFailed{Cause: e.Cause, Machines: e.Machines, Why: e.Why}
	if f, ours := errors.AsType[*notice.Failure](s.err); ours {
		told.Hint = f.Hint
	}
	s.notify(told)
	s.ready = false
	s.games.revision = 0 // look again before saying that we are ready
	s.games.ROMs = nil
	s.fitting.looked = nil
	if s.cfg.Once && s.err != nil {
		return s.err // our own trouble, with its hint
	}
	s.err = nil
	if s.cfg.Once && !s.mayStartAgain(e) {
		return &notice.Failure{Result: notice.ResultLost, Err: fmt.Errorf("the game did not start: %s", e.Why)}
	}
	return nil
}

// mayStartAgain tells whether another start may go well: the one who was in the way has left. A machine that says so
// of itself and stays is not believed.
func (s *session) mayStartAgain(e event.StartFailed) bool {
	stays := func(machine int) bool {
		_, in := s.room.Room().Player(machine)
		return in && s.host != nil // a client hears of the room as it is now after this
	}
	return e.Cause == room.CauseGone && !slices.ContainsFunc(e.Machines, stays)
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
	if err := s.room.Failed(time.Now(), a.Plan.Round, startCause(err), err.Error()); err != nil {
		s.drop()
	}
}

// startCause is what could be done about consoles that cannot be made.
func startCause(err error) room.Cause {
	_, missing := errors.AsType[*assembly.MissingGame](err)
	_, long := errors.AsType[*savefile.TooLongError](err)
	switch {
	case long:
		return room.CauseSave
	case missing, errors.Is(err, emucore.ErrROMChanged):
		return room.CauseROMFile
	case emucore.CrashedOrHung(err):
		return room.CauseCore
	}
	return room.CauseOther
}

// startGame turns the installed consoles into a game.
func (s *session) startGame(b event.Begin) error {
	a := s.assembler.Current()
	if a == nil || a.Plan.Round != b.Round {
		return fmt.Errorf("game %d begins, but was not prepared here", b.Round)
	}
	cfg := s.gameConfig(b.Round, a.Plan.Settings)
	s.gauge.off = 0
	s.noteBuilds()
	cfg.Horizon, cfg.Rec = b.Horizon, s.record(a)
	if err := s.play(cfg, a, a.Plan.Seats); err != nil {
		return err
	}
	if s.host != nil {
		s.comparer = desync.NewComparer(s.game.Machines(), s.game.Owners())
	}
	for _, d := range b.Decisions {
		if err := s.game.Decide(d); err != nil {
			return err
		}
	}
	s.notify(notice.Playing{Room: s.room.Room(), Mine: s.own()})
	return nil
}

// gameConfig returns the settings with which a game begins, but for its consoles.
func (s *session) gameConfig(round uint32, settings room.Settings) game.Config {
	var bore *int
	if frames, known := s.depth().Frames(); known {
		bore = &frames
	}
	return game.Config{
		Quiet: true,
		Round: round, Me: s.me(), Host: s.gameHost, Delay: settings.Delay,
		HashEvery: int64(settings.HashEvery), Unlimited: s.cfg.MaxSpeed, Clocked: settings.Sync == room.Clocked, Sample: s.sample, Show: s.cfg.Show, Meter: s.cfg.Meter,
		Rollback: settings.Sync == room.Rollback, Depth: s.cfg.Depth, KeepDepth: s.cfg.KeepDepth, Bore: bore,
	}
}

// play begins to run a game with the consoles of an assembly.
func (s *session) play(cfg game.Config, a *assembly.Assembly, plans []room.SeatPlan) error {
	cfg.Plan, cfg.Radio = plans, a.TakeRadio()
	consoles, hashes := a.Take(), make(map[ds.Seat]uint64, len(plans))
	for _, p := range plans {
		c := consoles[p.Seat].Console
		if s.cfg.TestConsole != nil {
			c = s.cfg.TestConsole(p.Seat, c)
		}
		seat := game.SeatOf(p, c)
		seat.SRAM = consoles[p.Seat].Hash.SRAM
		cfg.Seats = append(cfg.Seats, seat)
		hashes[p.Seat] = seat.SRAM
		if !slices.Contains(cfg.Machines, p.Machine) {
			cfg.Machines = append(cfg.Machines, p.Machine)
		}
		delete(consoles, p.Seat)
	}
	for _, c := range consoles {
		c.Console.Close()
	}
	a.Close()
	g, err := game.New(cfg)
	if err != nil {
		return err
	}
	s.saves.Reset(hashes)
	s.reports.Reset()
	s.checkpoint.Frame, s.checkpoint.Comes = g.Slowest(), false
	for _, n := range s.lateJoiners {
		n.Progress, n.said = spectate.Progress{}, false
	}
	s.running = running{game: g, moments: moments{before: a.Plan.Settings.Continues.Frames}}
	s.ready = false
	s.keepStagger()
	return nil
}
