package session

import (
	"context"
	"errors"
	"time"

	"github.com/nettplay/nettplay/internal/assembly"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/report"
	"github.com/nettplay/nettplay/internal/savecommit"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/spectate"
)

// Run plays: it opens or joins the room and returns when the session is over.
// It closes the link, and leaves no goroutine and no console behind. The report
// is complete also with an error, which is a [*notice.Failure] or ctx's doing.
//
// When ctx ends, the room is left in good order first; that takes up to five
// seconds, where a connection loses much.
func Run(ctx context.Context, cfg Config) (notice.Report, error) {
	if err := cfg.validate(); err != nil {
		if cfg.Link != nil {
			cfg.Link.Close()
		}
		return notice.Report{Result: notice.ResultLost, Error: err.Error()}, err
	}
	inner, stop := context.WithCancel(context.WithoutCancel(ctx))
	s := newSession(inner, cfg)
	defer s.reports.Hurry()
	defer context.AfterFunc(ctx, s.reports.Hurry)()
	cfg.Control.attach(s)
	defer cfg.Control.attach(nil)
	err := s.run(ctx)
	stop()
	s.close()
	report := s.report()
	if err != nil || report.Result == "" {
		report.Conclude(err)
	}
	return report, err
}

// newSession is one that has not begun, whose jobs end with ctx.
func newSession(ctx context.Context, cfg Config) *session {
	s := &session{
		cfg: cfg, jobs: jobs{ctx: ctx, calls: make(chan func(), 64), start: cfg.Background},
		commands: commands{news: make(chan struct{}, 1)},
		measured: make(map[link.PeerID]link.Stats), opened: make(map[link.PeerID]link.Event),
		lateJoiners: make(map[int]*lateJoiner),
		repaired:    make(map[int][]time.Time), odd: make(map[int][]time.Time),
		said: make(map[string]time.Time),
	}
	if s.cfg.Unwritten == nil {
		s.cfg.Unwritten = new(saves.Unwritten)
	}
	s.assembler = assembly.New(ctx, assembling{s}, cfg.assembly())
	if s.cfg.Chips == nil {
		s.cfg.Chips = saves.OpenChips("")
	}
	s.fitting.without, s.fitting.said = map[[32]byte]bool{}, map[string]bool{}
	s.saves = savecommit.New(saving{s}, s.cfg.Unwritten)
	s.spectators = spectate.NewServer(audience{s}, cfg.Upload)
	s.reports = report.NewReporter(report.Config{
		Folder: cfg.Desyncs, Program: cfg.Version,
		Again: player.Config{Core: cfg.Core, Start: cfg.Start, TestOptions: cfg.TestOptions, TestTweak: cfg.TestTweak},
	}, reporting{s})
	return s
}

func (s *session) run(ctx context.Context) error {
	if err := s.open(ctx); err != nil {
		if ctx.Err() != nil {
			return nil // the player did not want to wait
		}
		return err
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	done := ctx.Done()
	for {
		if !s.over {
			if err := s.work(time.Now()); err != nil {
				s.fail(err)
			}
		}
		if s.over {
			return s.err
		}
		if s.drain() {
			done = s.attend(done) // which no flood of events holds up
			continue
		}
		timer.Reset(s.wake(time.Now()))
		select {
		case e, ok := <-s.cfg.Link.Events():
			if !ok {
				return &notice.Failure{Result: notice.ResultLost, Err: errors.New("the network link was closed")}
			}
			s.event(e)
		case r := <-s.ran():
			s.finishJob(r)
		case call := <-s.calls:
			call()
		case <-s.commands.news:
			s.commands.run()
		case <-done:
			done = nil
			s.leaveLater()
		case <-timer.C:
		}
		s.drain()
	}
}

// attend does what the player wants, if there is anything. It returns done, or nil once
// that is done.
func (s *session) attend(done <-chan struct{}) <-chan struct{} {
	select {
	case <-s.commands.news:
		s.commands.run()
	case <-done:
		s.leaveLater()
		return nil
	default:
	}
	return done
}

// drain takes what is there, so that one look at everything serves many events, and tells
// whether there was any. Events, outcomes of consoles and finished jobs take turns, so that
// none of them holds up the others, and in the same order each time. The bound lets other
// work have its turn.
func (s *session) drain() (took bool) {
	if s.game != nil {
		s.game.Collect()
	}
	for range 32 {
		more := !s.over && take(s.cfg.Link.Events(), s.event)
		more = !s.over && take(s.ran(), s.finishJob) || more
		more = !s.over && s.called() || more
		if !more {
			return took
		}
		took = true
	}
	return took
}

// ran is where the consoles' outcomes come from; nil, which blocks, without a
// game.
func (s *session) ran() <-chan game.Outcome {
	if s.game == nil {
		return nil
	}
	return s.game.Done()
}

// work does all that is to be done now.
func (s *session) work(now time.Time) error {
	s.watchHost(now)
	s.room.Tick(now)
	s.ping(now)
	s.tellSilent(now)
	if err := s.roomEvents(now); err != nil {
		return err
	}
	if s.games.due(now) {
		s.checkGames(now)
	}
	if !s.fitting.again.IsZero() {
		s.checkFit(now)
	}
	s.workExchanges(now)
	s.workBuilds(now)
	s.workAssembly(now)
	if err := s.workGame(now); err != nil {
		return err
	}
	s.workCatchUp(now)
	s.workSpectators(now)
	s.flush()
	s.workFarewell(now)
	s.workLeave(now)
	return nil
}

// wake is the time the session may sleep if nothing arrives.
func (s *session) wake(now time.Time) time.Duration {
	wait := s.exchangesWake(now)
	if !s.leaves.IsZero() {
		wait = min(wait, s.leaves.Sub(now))
	}
	if s.game != nil {
		wait = min(wait, s.game.Wake(now))
	}
	return max(wait, 0)
}

// ping looks at the connections once a second and tells the room what they measure.
func (s *session) ping(now time.Time) {
	if now.Sub(s.pinged) >= time.Second {
		s.pinged = now
		s.measureConnections()
		if s.game != nil {
			s.keepStagger()
			s.workShots()
		}
		if s.client != nil {
			s.reportStatus(now)
		}
		s.checkRecording()
	}
}
