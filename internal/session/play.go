package session

import (
	"errors"
	"fmt"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/catchup"
	"github.com/nettplay/nettplay/internal/desync"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// roomEvent does what the room asks for.
func (s *session) roomEvent(now time.Time, told event.Event) error {
	switch e := told.(type) {
	case event.Welcomed:
		s.cfg.Link.SetRoom(e.Door.Secret, e.Door.Neighbours)
		s.gameHost = s.room.Room().Host
		s.joined = s.gameHost
		s.Say("You are in seat %v.", e.Me.Seat)
		s.roomChanged(now)
	case event.RoomChanged:
		s.roomChanged(now)
	case event.ChatLine:
		if e.Name == "" && !s.farewell.IsZero() {
			return nil // all others go, too
		}
		if e.Name == "" {
			s.Say("%s", e.Text)
		} else {
			s.notify(notice.Message{From: e.Name, Text: e.Text})
		}
		s.recorder().Chat(e.Name, e.Text)
	case event.JoinFailed:
		s.Say("%s", e.Words)
	case event.PlayerJoined:
		s.roomChanged(now)
	case event.SpectatorJoined:
		s.spectators.Joined(e.Peer)
	case event.SpectatorLeft:
		s.spectators.Left(e.Peer)
	case event.PlayerLeft:
		return s.playerLeft(now, e)
	case event.SeatLeft:
		return s.seatLeft(now, e)
	case event.Prepare:
		s.prepare(e)
	case event.StartFailed:
		return s.startFailed(e)
	case event.Begin:
		return s.begin(now, e)
	case event.LateJoined:
		s.joining = catchup.Enter(e)
	case event.Decided:
		return s.decided(e)
	case event.PlayerDisconnected:
		s.abrupt = true
		s.notify(notice.Disconnected{Machine: e.Machine, Nickname: s.nickname(e.Machine)})
	case event.PlayerReconnected:
		s.abrupt = false
		s.newLine(e.Machine)
		s.notify(notice.Reconnected{Machine: e.Machine})
	case event.ConnectionLost:
		s.lineGone(e)
	case event.Reconnected:
		s.abrupt = false
		s.Say("The connection is back.")
		s.notify(notice.Reconnected{Machine: s.gameHost})
		s.offerConsoles()
	case event.ConnectPeers:
		s.connectPeers(e.Players)
	case event.Candidacy:
		s.giveVote(e)
	case event.Elected:
		return s.promote(now, e)
	case event.HostChanged:
		return s.hostChanged(e)
	case event.SteppedDown:
		return &notice.Failure{Result: notice.ResultLost, Err: errors.New(e.Words)}
	case event.SaveOrder:
		s.saveOrder(e)
	case event.ResyncRequested:
		return s.otherBroken(now, e)
	case event.HashReport:
		return s.compare(now, e.Machine, e.Frame, e.Hashes)
	case event.Lines:
		s.takeLines(now, e)
	case event.DesyncFound:
		if s.game != nil {
			s.reports.Differ(s.game, e.Desync)
		}
	case event.Reran:
		s.takeRerun(now, e.Machine, e.Rerun)
	case event.Ended:
		return s.ended(e)
	case event.Refused:
		return notice.Refused(e.Refusal)
	case event.RoomClosed:
		return s.roomClosed(e)
	case event.RoomLost:
		return &notice.Failure{Result: notice.ResultLost, Err: errors.New(e.Words)}
	}
	return nil
}

func (s *session) roomChanged(now time.Time) {
	s.notify(notice.RoomNotice{Room: s.seen(), Me: s.me()})
	s.tellBlockers()
	s.noticeGame(now, s.room.Room())
	s.checkGames(now)
	s.checkCartridges()
	s.autoStart(now)
}

// autoStart starts the game when enough players are there and ready.
func (s *session) autoStart(now time.Time) {
	if s.host == nil || s.cfg.Host.AutoStart == 0 || s.spectators.Lingers() || s.host.Phase() != room.PhaseLobby || !s.farewell.IsZero() {
		return
	}
	present := 0
	for _, p := range s.host.Roster() {
		if p.Present {
			present++
		}
	}
	if present >= s.cfg.Host.AutoStart && len(s.host.Blockers()) == 0 {
		if err := s.host.Start(now); err != nil {
			s.Say("%v", err)
		}
	}
}

func (s *session) playerLeft(now time.Time, e event.PlayerLeft) error {
	s.endExchange(e.Player.Machine)
	if s.game == nil || s.game.TakesPart(e.Player.Machine) {
		return nil // SeatLeft comes
	}
	return s.endIfAlone(now, e.Words)
}

// seatLeft decides, on the game host, at which frame a seat is unplugged, or played by
// nobody: its inputs end where ours do, since everybody has theirs from us. When nobody
// else is left, the game ends.
func (s *session) seatLeft(now time.Time, e event.SeatLeft) error {
	if s.game == nil {
		return nil
	}
	seat, plays := s.game.Seat(e.Seat)
	if !plays {
		s.leftEarly = append(s.leftEarly, e) // it was just coming in
		s.assembler.Current().StandIn(e.Machine)
		return nil
	}
	if _, inRoom := s.line(e.Machine); inRoom {
		s.abrupt = true // its machine failed; it only watches now
	}
	s.game.Drop(e.Machine)
	err := s.compareWithout(now, e.Machine)
	if err == nil {
		d := timeline.Decision{Kind: s.host.LeaveKind(), Seat: e.Seat, InputEnd: seat.Newest + 1, Why: e.Words}
		if e.Again {
			d.Kind = timeline.Leave // one console of each player is enough
		}
		_, err = s.host.Decide(now, d)
	}
	if err == nil {
		err = s.endIfAlone(now, e.Words)
	}
	return unlessOver(err)
}

// compareWithout compares no longer what a machine that is gone has reported.
func (s *session) compareWithout(now time.Time, machine int) error {
	if s.comparer == nil {
		return nil
	}
	if v, differs := s.comparer.Remove(machine); differs {
		return s.judge(now, v)
	}
	return nil
}

func (s *session) startFailed(e event.StartFailed) error {
	s.drop()
	s.Say("The game did not start: %s", e.Why)
	s.ready = false
	s.games.revision = 0 // look again before saying that we are ready
	s.games.ROMs = nil
	if s.cfg.Once {
		if s.err != nil {
			return s.err // our own trouble, with its hint
		}
		return &notice.Failure{Result: notice.ResultLost, Err: fmt.Errorf("the game did not start: %s", e.Why)}
	}
	s.err = nil
	return nil
}

func (s *session) roomClosed(e event.RoomClosed) error {
	if e.Reason == message.ClosedByHost && s.last.Result == notice.ResultOK && s.game == nil {
		s.over = true // after a game that ended well
		return nil
	}
	return &notice.Failure{Result: notice.ResultLost, Err: fmt.Errorf("the room is closed: %s", e.Words)}
}

// begin turns the installed consoles into a game.
func (s *session) begin(now time.Time, b event.Begin) error {
	a := s.assembler.Current()
	if a == nil || a.Plan.Round != b.Round {
		return fmt.Errorf("game %d begins, which was not prepared here", b.Round)
	}
	cfg := s.gameConfig(b.Round, a.Plan.Settings)
	cfg.Horizon, cfg.Rec = b.Horizon, s.record(a)
	saves, err := s.play(cfg, a, a.Plan.Seats)
	if err != nil {
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
	s.notify(notice.Playing{Room: s.room.Room(), Saves: saves, Mine: s.own()})
	return nil
}

func (s *session) decided(e event.Decided) error {
	if s.game == nil && s.joining != nil {
		return s.joiningDecided(e.Decision)
	}
	if s.game == nil {
		return nil
	}
	switch d := e.Decision; {
	case d.Kind == timeline.SeatDelay:
		if own := s.own(); len(own) > 0 && own[0] == d.Seat {
			s.delaying.why = d.Why // for the figures: it would be a message each time
		}
	case d.Keep:
		s.Say("%s keeps this moment of the game, to go on another day.", s.nickname(s.gameHost))
	case d.Why != "":
		s.Say("%s", d.Why)
	}
	if e.Decision.Kind == timeline.Resync {
		s.dropForAnother()
		s.comparer = nil
	}
	if err := s.game.Decide(e.Decision); err != nil || e.Decision.Kind != timeline.Resynced {
		return err
	}
	return s.resynced()
}

// workGame moves the game on: frames that may run, datagrams that are due,
// hashes to report.
func (s *session) workGame(now time.Time) error {
	g := s.game
	if g == nil {
		return nil
	}
	if s.host != nil {
		if h := s.host.Horizon(g.Slowest()); h.Frame > 0 {
			g.SetHorizon(h)
		}
	}
	for _, work := range []func(time.Time) error{g.Advance, s.workResync, s.admitLateJoiners, s.workMoments} {
		if err := work(now); err != nil {
			return err
		}
	}
	due := g.Due(now) <= 0
	if due || g.Solo() || g.Finished() {
		// Its words to the others go into the same datagrams of the network.
		if err := s.reportHashes(now); err != nil {
			return err
		}
		s.flush()
	}
	if due {
		s.dropStuck(now)
		g.Datagrams(now, func(machine int, b []byte) {
			if peer, ok := s.line(machine); ok {
				_ = s.cfg.Link.Send(peer, link.Input, b) // the next one carries it all again
			}
		})
	}
	s.workDelays(now)
	s.tellWaiting(now)
	if err := s.workStandstill(now); err != nil || s.game == nil {
		return err
	}
	s.tell(now)
	if err := s.workSaves(now); err != nil {
		return err
	}
	if s.cfg.Frames > 0 && !s.leaving && s.reachedOwnEnd() {
		return s.endOwn(now)
	}
	return s.finish(now)
}

// dropStuck ends the line to a machine that says that it goes on, but does not
// take our inputs.
func (s *session) dropStuck(now time.Time) {
	for _, m := range s.game.Stuck() {
		if peer, ok := s.line(m); ok {
			s.hangUp(now, peer, "it does not take our inputs")
		}
	}
}

// tellWaiting tells the player whom our console waits for.
func (s *session) tellWaiting(now time.Time) {
	names, since := s.game.Waiting(now)
	waiting := since > 100*time.Millisecond
	if waiting == s.waiting {
		return
	}
	if s.waiting = waiting; !waiting {
		names = nil
	}
	s.notify(notice.Waiting{For: names})
}

// finishJob takes the outcome of a console. A console that failed is replaced from another
// machine where a repair can do that; else this machine's part in the game is over.
func (s *session) finishJob(r game.Outcome) {
	err := s.game.Finish(r)
	if err == nil {
		return
	}
	var lost *game.ConsoleError
	if errors.As(err, &lost) && s.askForRepair(time.Now(), err) {
		s.game.GoOnWithout(lost.Seat)
		return
	}
	s.loseGame(err)
}

// loseGame ends our part in a game that this machine cannot continue. The others play on. If this
// machine is the game host, it leaves so that another one takes over; if none can, the game ends for all.
func (s *session) loseGame(err error) {
	s.err = &notice.Failure{Result: notice.ResultCore, Err: err, Hint: notice.CoreHint(err)}
	if s.host != nil && s.game != nil && s.game.Peers() > 1 && s.host.CanHandOver() {
		s.fail(s.err) // the others go on without us
		return
	}
	s.joining = nil
	roomErr := s.room.Failed(time.Now(), s.room.Room().Round, err.Error())
	if roomErr != nil || s.client != nil && s.cfg.Once {
		s.fail(s.err)
	}
}

// sample asks for our own seats' input.
func (s *session) sample(seat ds.Seat, frame int64) inputdelay.Input {
	if other := s.localPlayer(seat); other != nil {
		return other.Input(frame)
	}
	return s.cfg.Input(frame)
}
