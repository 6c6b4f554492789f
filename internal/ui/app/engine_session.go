package app

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	hostroom "github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/session"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/gameview"
	"github.com/nettplay/nettplay/internal/ui/screen/room"
)

// running is a session that runs.
type running struct {
	e       *engine
	open    room.OpenSession
	machine launch.Machine // with which it began
	control *session.Control
	stop    context.CancelFunc
	done    chan struct{}
	playing atomic.Bool // a game runs
	inviter atomic.Pointer[launch.Inviter]
	last    atomic.Bool   // we are the game host, and without us the game has one machine or none
	ended   chan struct{} // has room for one: it does not any more
	roster  *roster
	door    hostroom.Door // of our room, once it is open; to be read when the session is done
}

// OpenSession implements room.Engine. It posts Opened, notices, and Over. What is left of the one before it ends first: its
// router is asked to close the port, and its recording is written, which may take seconds.
func (e *engine) OpenSession(c room.OpenSession) {
	m := e.shell
	before := e.running // somebody has ended it, or it is over already
	ctx, stop := context.WithCancel(context.Background())
	r := &running{e: e, open: c, machine: e.machine(), control: session.NewControl(), stop: stop, done: make(chan struct{}), ended: make(chan struct{}, 1), roster: newRoster(e.game)}
	e.running = r
	r.machine.Settings.Room.Open = c.Host != nil && c.Host.Open && len(m.Config.Net.Relays) > 0 // of this room alone
	r.machine.AnyCore, r.machine.Checking = c.AnyCore, func(k launch.Checking) {
		e.post(func(m *Shell) { m.session.Checking(k) })
	}
	go func() {
		defer close(r.done)
		defer stop()
		r.e.post(func(m *Shell) { m.session.Opened(&seating{r.control, r}) }) // from now on the player can act on it
		if before != nil {
			defer func() { <-before.done }() // also where this one is ended at once
			if !r.after(ctx, before) {
				return
			}
			if c.Again {
				r.door = before.door
			}
		}
		r.run(ctx)
	}()
}

// EndSession implements room.Engine.
func (e *engine) EndSession() {
	if e.running != nil {
		e.running.leave()
	}
}

// after waits for what is left of a session before this one, and tells the player where that takes a while. It returns
// false where the player does not want this one any more.
func (r *running) after(ctx context.Context, before *running) bool {
	leaving := func(on bool) { r.e.post(func(m *Shell) { m.session.StillLeaving(on) }) }
	leaving(true)
	select {
	case <-before.done:
		leaving(false)
		return true
	case <-ctx.Done():
		r.over(ctx, notice.Report{}, nil)
		return false
	}
}

// lastFrames is the time that a game which is being ended may take for it.
const lastFrames = 3 * time.Second

// leave ends the session in good order, in the background. When no game is left without us,
// the game host first ends it: that is at one frame for all, so everybody's save is whole.
// Else the others play on, with another game host.
func (r *running) leave() {
	r.e.jobs.Go(func() {
		defer r.stop()
		if !r.last.Load() || !r.playing.Load() {
			return
		}
		r.control.EndGame(r.machine.Settings.Player.Nickname + " has left")
		select {
		case <-r.ended:
		case <-r.done:
		case <-time.After(lastFrames):
		}
	})
}

// run is the whole of a session, on its goroutine.
func (r *running) run(ctx context.Context) {
	machine := r.machine
	for r.once(ctx, &machine) {
	}
}

// once runs the session with the core of a machine. again tells that the room plays on another one,
// which is here and which the machine has now; else it is over.
func (r *running) once(ctx context.Context, machine *launch.Machine) (again bool) {
	play := r.start()
	var s launch.Session
	err := r.goesOn(ctx, machine, &play)
	if err == nil {
		s, err = machine.Play(ctx, play)
	}
	if err != nil {
		r.over(ctx, notice.Report{}, err)
		return false
	}
	if s.Config.Host != nil {
		r.door = s.Config.Host.Door
	}
	bears := launch.Rollback(machine.Places, s.Config.Core)
	opened := machine.Core.Unopened // until now: the list of cores has the name of its file
	r.e.post(func(m *Shell) {
		m.session.Rollback(bears)
		if opened {
			m.LookForCore()
		}
		if m.Core.Core.SHA256 == s.Config.Core.SHA256 { // its check may have been a moment ago
			m.Core.NoRollback = !bears
		}
	})
	if s.NotRecorded != nil {
		r.e.complain("The game cannot be recorded", s.NotRecorded)
	}
	if s.Recorder != nil {
		defer func() {
			if err := s.Recorder.Close(); err != nil { // it waits until all is in the file
				r.e.complain("The game could not be recorded", err)
			}
		}()
	}
	inviter := machine.Invite(&s.Config, func(v launch.Invitation) {
		r.e.post(func(m *Shell) { m.session.Invite(v) })
	})
	defer inviter.Close()
	r.inviter.Store(inviter)
	meetings := launch.NewMeetings()
	defer meetings.Close()
	s.Config.Control, s.Config.Notify, s.Config.Show = r.control, launch.Logged(r.e.log, r.e.events.Notified(meetings.Notified(r.control.Tell, inviter.Notified(r.notice)))), r.roster.show
	appearing, err := machine.Appear(&s.Config, r.e.listed())
	if err != nil { // the room can be joined by its invitation all the same
		r.e.complain("Your room cannot be listed", err)
	}
	defer appearing.Close()
	report, err := r.play(ctx, s.Config)
	if core, found := machine.RoomsCore(ctx, err); found && ctx.Err() == nil {
		machine.Core, machine.AnyCore = core, false // that was for the other one
		r.e.post(func(m *Shell) { m.session.PlaysOn(core) })
		return true
	}
	r.over(ctx, report, err)
	return false
}

// play runs the session, which has little time on its way in if another room is to be tried after it.
func (r *running) play(ctx context.Context, cfg session.Config) (report notice.Report, err error) {
	if !r.open.Hurry {
		return session.Run(ctx, cfg)
	}
	report, _, err = launch.Enter(ctx, cfg)
	return report, err
}

// goesOn puts the kept moment that goes on, if one does, into a start. The machine has its core
// then.
func (r *running) goesOn(ctx context.Context, m *launch.Machine, p *launch.Play) error {
	if r.open.Moment == "" {
		return nil
	}
	goesOn, err := m.Continue(ctx, r.open.Moment, nil, r.open.Places)
	if err == nil {
		m.Core, p.ROM, p.LocalPlayers, p.Host.Continue = goesOn.Core, goesOn.ROM, goesOn.LocalPlayers, goesOn
	}
	return err
}

// start returns the player's way of playing.
func (r *running) start() launch.Play {
	p := launch.Play{LocalPlayers: r.open.LocalPlayers, Input: r.e.game.Input}
	if r.open.Game != nil {
		p.ROM = r.open.Game.ROM
	}
	switch {
	case r.open.Local > 0:
		p.Solo, p.Once = &launch.Solo{Consoles: r.open.Local}, true
	case r.open.Host != nil:
		p.Host, p.Port = &launch.Host{Password: r.open.Host.Password, Door: r.door}, r.machine.Settings.Net.Port
	default:
		p.Join = &launch.Join{Address: r.open.Join.Address, Password: r.open.Join.Password, AskReady: true}
	}
	return p
}

// over posts the end. An error is none if the player wanted the end.
func (r *running) over(ctx context.Context, report notice.Report, err error) {
	if ctx.Err() != nil {
		err = nil
	}
	r.e.post(func(m *Shell) { m.session.Over(report, err) })
	r.e.tellUnwritten() // the session has tried again
}

// seating is a session's control, which also seats players at this machine.
type seating struct {
	*session.Control
	r *running
}

// LocalPlayers implements room.Control.
func (s *seating) LocalPlayers(names []string) {
	s.Control.LocalPlayers(launch.LocalPlayers(s.r.machine.Settings.Player, names, s.r.e.game.Input))
}

// LetIn implements room.Control.
func (s *seating) LetIn(answer string) error {
	if v := s.r.inviter.Load(); v != nil {
		return v.LetIn(answer)
	}
	return errors.New("the room is not open yet")
}

// notice takes what the session tells, on its goroutine.
func (r *running) notice(n notice.Notice) {
	switch n := n.(type) {
	case notice.Playing:
		r.playing.Store(true)
		r.begin(n)
		if len(r.e.unwritten.List()) == 0 { // the game's start has written them
			r.e.tellUnwritten()
		}
	case notice.RoomNotice:
		r.roster.room(n.Room)
		r.last.Store(n.Room.Host == n.Me && room.Others(n.Room, n.Me) <= 1)
	case notice.Unsaved:
		r.e.tellUnwritten()
	case notice.GameOver:
		r.playing.Store(false)
		r.roster.end()
		select {
		case r.ended <- struct{}{}:
		default:
		}
	}
	r.e.game.Notice(n)
	r.e.post(func(m *Shell) { m.session.Notice(n) })
}

// begin tells the roster who plays.
func (r *running) begin(n notice.Playing) {
	var consoles []gameview.Console
	for _, p := range n.Room.Players {
		if p.Present {
			consoles = append(consoles, gameview.Console{Seat: p.Seat, Name: p.Nickname, Colour: p.Firmware.Colour})
		}
	}
	r.roster.begin(consoles, n.Mine, nil)
}
