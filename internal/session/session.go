package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/host/client"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/assembly"
	"github.com/nettplay/nettplay/internal/desync/report"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/savecommit"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/spectate"
)

// member is the common part of a game host and a game client.
type member interface {
	Receive(now time.Time, peer ds.PeerID, msg []byte)
	Belongs(peer ds.PeerID) bool
	Plays(peer ds.PeerID) bool
	Disconnected(now time.Time, peer ds.PeerID, reason string)
	Lost(now time.Time, peer ds.PeerID, reason string)
	Tick(now time.Time)
	Outgoing() []event.Outgoing
	Events() []event.Event
	Report(now time.Time, s room.Status)
	Installed(now time.Time, round uint32, hashes []room.SeatHash) error
	Failed(now time.Time, round uint32, why string) error
	Finished(now time.Time, round uint32, frames int64, hashes []room.SeatHash, stats message.Stats) error
	Chat(now time.Time, text string) error
	Pause(now time.Time, pause bool) error
	SavesWritten(now time.Time, round uint32, frame int64, why string) error
	SavesCommitted(now time.Time, round uint32, frame int64) error
	Remade(now time.Time, round uint32, number int, hashes []room.SeatHash) error
	SetLocalPlayers(now time.Time, list []room.LocalPlayer) error
	Decisions() timeline.Log
	Room() room.Room
	Me() room.Player
}

// session is the state of one Run. Everything in it belongs to the goroutine of Run, except
// for what is handed over through calls. Its parts are grouped by subject; a part that has
// methods of its own has a field with a name.
type session struct {
	cfg      Config
	ctx      context.Context // ends when Run returns; for background jobs
	jobs     sync.WaitGroup
	calls    chan func()
	commands commands

	room   member
	host   *host.Host     // nil on game clients
	client *client.Client // nil on the game host
	games  games          // which games of the roster are here
	readiness

	connections
	assembler *assembly.Assembler // makes consoles alike
	ownLateJoin
	admission
	game       *game.Game // nil in the lobby
	standstill standstill
	delaying   delaying
	comparison
	cartridges
	moments    moments
	spectators *spectate.Server
	recording  recorderState
	telling
	ending
}

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
	defer cfg.Control.detach()
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
		cfg: cfg, ctx: ctx, calls: make(chan func(), 64),
		connections: connections{lines: make(map[link.PeerID]link.Stats), keys: make(map[link.PeerID]seal.Public)},
		admission:   admission{lateJoiners: make(map[int]*lateJoiner)},
		comparison:  comparison{repaired: make(map[int][]time.Time), odd: make(map[int][]time.Time)},
	}
	if s.cfg.Unwritten == nil {
		s.cfg.Unwritten = new(saves.Unwritten)
	}
	s.assembler = assembly.New(ctx, assembling{s}, cfg.assembly())
	s.saves = savecommit.New(saving{s}, s.cfg.Unwritten)
	s.spectators = spectate.NewServer(audience{s}, cfg.Upload)
	s.reports = report.NewReporter(report.Config{
		Folder: cfg.Desyncs, Program: cfg.Version,
		Again: player.Config{Core: cfg.Core, Start: cfg.Start, TestOptions: cfg.TestOptions, TestTweak: cfg.TestTweak},
	}, reporting{s})
	s.commands.news = make(chan struct{}, 1)
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
			s.leave("")
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
		s.leave("")
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
	for range 32 {
		more := !s.over && take(s.cfg.Link.Events(), s.event)
		more = !s.over && take(s.ran(), s.finishJob) || more
		more = !s.over && take(s.calls, do) || more
		if !more {
			return took
		}
		took = true
	}
	return took
}

// take hands what a channel has to a function, and tells whether there was any.
func take[T any](from <-chan T, do func(T)) bool {
	select {
	case v, ok := <-from:
		if ok {
			do(v)
		}
		return ok
	default:
		return false
	}
}

// do calls a function that was handed over.
func do(call func()) { call() }

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
	if err := s.roomEvents(now); err != nil {
		return err
	}
	s.workGames(now)
	s.workExchanges(now)
	s.workAssembly(now)
	if err := s.workGame(now); err != nil {
		return err
	}
	s.workCatchUp(now)
	s.workSpectators(now)
	s.flush()
	s.workFarewell(now)
	return nil
}

// roomEvents does what the room asks for, and what comes of that.
func (s *session) roomEvents(now time.Time) error {
	for {
		events := s.room.Events()
		if len(events) == 0 && s.client != nil && s.game != nil {
			s.client.Promised(s.game.Promised())
		}
		if len(events) == 0 {
			return nil
		}
		for _, e := range events {
			if err := s.roomEvent(now, e); err != nil {
				return err
			}
		}
	}
}

// flush sends what the room has to say.
func (s *session) flush() {
	for _, o := range s.room.Outgoing() {
		p := o.Peer
		if o.Data != nil {
			if err := s.cfg.Link.Send(p, link.Control, o.Data); errors.Is(err, link.ErrBacklog) {
				s.cfg.Link.Disconnect(p, "your connection does not keep up")
			}
		}
		if o.CloseWhy != "" {
			s.cfg.Link.Disconnect(p, o.CloseWhy)
		}
	}
}

// tick is the time between two looks at the room when nothing happens.
const tick = 50 * time.Millisecond

// wake is the time the session may sleep if nothing arrives.
func (s *session) wake(now time.Time) time.Duration {
	wait := s.exchangesWake(now)
	if s.game != nil {
		wait = min(wait, s.game.Wake(now))
	}
	return max(wait, 0)
}

// Call has something done on the session's goroutine, and tells whether the session was not
// over before. It is for other goroutines.
func (s *session) Call(do func()) bool {
	if s.ctx.Err() != nil {
		return false
	}
	select {
	case s.calls <- do:
		return true
	case <-s.ctx.Done():
		return false
	}
}

// Background runs a job on another goroutine; what it returns runs on ours, or
// drop does, on whatever goroutine, when the session is over before that.
func (s *session) Background(job func() (after, drop func())) {
	s.jobs.Add(1)
	run := func() {
		defer s.jobs.Done()
		after, drop := job()
		if after == nil {
			return
		}
		if !s.Call(after) && drop != nil {
			drop()
		}
	}
	if s.cfg.Background != nil {
		s.cfg.Background(run)
	} else {
		go run()
	}
}

func (s *session) notify(n notice.Notice) {
	if s.cfg.Notify != nil {
		s.cfg.Notify(n)
	}
}

// Say tells the players what happens, once: that somebody is gone is told by the room,
// and again as the reason of what is decided about it.
func (s *session) Say(format string, args ...any) {
	const moment = 2 * time.Second
	text, now := fmt.Sprintf(format, args...), time.Now()
	s.said = slices.DeleteFunc(s.said, func(l said) bool { return now.Sub(l.at) > moment })
	if slices.ContainsFunc(s.said, func(l said) bool { return l.text == text }) {
		return
	}
	s.said = append(s.said, said{text, now})
	s.notify(notice.Message{Text: text})
}

// said is something that the players were told, and when.
type said struct {
	text string
	at   time.Time
}
