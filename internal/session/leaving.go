package session

import (
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// How we leave a room, and what is closed then.

// leaveLater leaves as the player wants it: a game host since a moment ago once the others have followed, so that one of
// them can have the room.
func (s *session) leaveLater() {
	if s.host != nil && s.leaves.IsZero() {
		s.leaves = s.host.FollowersDue()
	}
	if s.leaves.IsZero() {
		s.leave("")
	}
}

// workLeave leaves once nobody is waited for.
func (s *session) workLeave(now time.Time) {
	if !s.leaves.IsZero() && (s.host == nil || s.host.FollowersDue().IsZero() || !now.Before(s.leaves)) {
		s.leaves = time.Time{}
		s.leave("")
	}
}

// leave ends our part in the room in good order.
func (s *session) leave(why string) {
	if s.leaving || s.over {
		return
	}
	s.leaving = true
	now := time.Now()
	switch {
	case s.host == nil:
		s.client.Leave(now, why)
	case s.handOver(now, why):
		s.commitSavesNow()
	default:
		s.host.Close(now, why)
	}
	s.flush()
	s.over = true
}

// fail ends the session with an error.
func (s *session) fail(err error) {
	if s.leaving {
		return // it comes of that
	}
	if s.err == nil {
		s.err = err
	}
	s.leave(err.Error())
	s.over = true
}

// handOver leaves the room to the next game host, if there is one.
func (s *session) handOver(now time.Time, why string) bool {
	if !s.host.CanHandOver() {
		return false
	}
	var inputs [][]byte
	if g := s.game; g != nil && s.host.Phase() == room.PhasePlaying {
		for _, seat := range g.Seats() {
			if seat.Mine && !seat.Vacant {
				if _, err := s.host.GiveUpSeat(now, seat.Seat, seat.Newest+1); err != nil {
					return false
				}
			}
		}
		inputs = g.Bundle()
	}
	return s.host.HandOver(now, why, inputs)
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
	roomErr := s.room.Failed(time.Now(), s.room.Room().Round, startCause(err), err.Error())
	if roomErr != nil || s.client != nil && s.cfg.Once {
		s.fail(s.err)
	}
}

// settle waits a moment for our own consoles to finish their frame, so that what is in
// their cartridges can be kept.
func (s *session) settle() {
	late := time.After(time.Second)
	s.game.Hurry()
	for s.game.Busy() {
		select {
		case r := <-s.game.Done():
			if s.game.Finish(r) != nil {
				return
			}
		case <-late:
			return
		}
	}
}

// goodbyeTime is the time a leaving machine waits until the others have its last words. Without
// them a game host's successor would not know, and others would wait for a player who has gone.
const goodbyeTime = 4 * time.Second

// awaitGoodbyes waits until all connections have ended, which is when the other side has all
// that was said.
func (s *session) awaitGoodbyes() {
	late := time.After(goodbyeTime)
	for len(s.opened) > 0 {
		select {
		case e, ok := <-s.cfg.Link.Events():
			if !ok {
				return
			}
			if e.Kind == link.Disconnected {
				delete(s.opened, e.Peer)
			}
		case <-late:
			return
		}
	}
}

// close ends what is left when the loop has ended.
func (s *session) close() {
	s.over = true
	if s.game != nil {
		s.settle()
		s.keep()
		s.saves.AtEnd(s.alone() && !s.game.Failed())
		s.recorded("the session is over")
		s.reports.CloseGame(s.reportScene())
	}
	s.endCatchUp()
	if s.leaving {
		s.awaitGoodbyes()
	}
	s.cfg.Link.Close()
	s.jobs.all.Wait()
	s.commands.run()
	saving{s}.tryAgain()
	if s.cfg.Host != nil && s.cfg.Host.Continue != nil {
		s.cfg.Host.Continue.Close()
	}
	defer s.saves.Close()
	defer s.recording.scratch.close()
	defer s.spectators.Close()
	if a := s.assembler.Current(); a != nil {
		a.Close()
	}
	// A job may have handed over a console that nobody takes any more.
	for s.called() {
	}
}

// When others leave.

// playerLeft ends what was under way with a machine.
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
	if _, inRoom := s.peerOf(e.Machine); inRoom {
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

// endIfAlone ends a game in which no other machine plays any more, unless somebody
// waits to be let in.
func (s *session) endIfAlone(now time.Time, words string) error {
	if s.game == nil || !s.alone() || s.game.Joining() || s.host.AnyWaiting() {
		return nil
	}
	if s.abrupt {
		s.cutShort = words
	}
	_, err := s.host.End(now, words)
	return unlessOver(err)
}

// leftWhileJoining unplugs the seats of those who left before they had come in.
func (s *session) leftWhileJoining() error {
	gone := s.leftEarly
	s.leftEarly = nil
	for _, e := range gone {
		if err := s.seatLeft(time.Now(), e); err != nil {
			return err
		}
	}
	return nil
}
