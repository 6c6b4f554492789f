package session

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/desync"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/report"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// How a game comes to its end, and what it was for us.

// reachedOwnEnd tells whether our console has done the frames that we came for.
func (s *session) reachedOwnEnd() bool {
	return slices.ContainsFunc(s.game.Seats(), func(seat game.SeatState) bool { return seat.Mine && !seat.Closed && seat.Frame >= s.cfg.Frames })
}

// endOwn leaves after Config.Frames, when the game itself goes on.
func (s *session) endOwn(now time.Time) error {
	if end := s.game.Ending(); end <= s.cfg.Frames {
		return nil // the game itself ends here
	}
	if s.host != nil {
		_, err := s.host.End(now, "all frames are played")
		s.cfg.Frames = 0
		return err
	}
	s.leave("played all frames it came for")
	return nil
}

// finish tells the room when all our consoles have done their last frame. They
// are kept, and inputs served, until the room says that nobody needs us.
func (s *session) finish(now time.Time) error {
	g := s.game
	if s.told || !g.Finished() || g.Resync() != nil {
		return nil
	}
	s.told = true
	var hashes []room.SeatHash
	for _, seat := range g.Seats() {
		hashes = append(hashes, room.SeatHash{Seat: seat.Seat, Hash: seat.Final})
	}
	return unlessOver(s.room.Finished(now, g.Round(), g.OwnFrames(), hashes, s.stats()))
}

// ended closes the game on this machine.
func (s *session) ended(e event.Ended) error {
	s.endJoining(e)
	if s.game == nil || s.game.Round() != e.Round {
		s.err = nil // of a game into which we did not come
		return nil
	}
	if e.Outcome == message.OutcomeDesync {
		s.desyncs++
	}
	err := s.outcome(e)
	s.keep()
	s.saves.AtEnd(err == nil)
	s.last.Conclude(err)
	s.drop() // a resync that was under way
	s.recorded(e.Why)
	s.reports.CloseGame(s.reportScene())
	s.game, s.comparer, s.incoming = nil, nil, nil
	if s.cfg.Once && s.host != nil {
		s.err = err
		s.farewell = time.Now().Add(farewellLimit)
		return nil
	}
	if s.cfg.Once {
		if err != nil {
			return err
		}
		s.leave("the game is over")
		return nil
	}
	s.notify(notice.GameOver{Report: s.report(), Err: err, Why: e.Why})
	s.err = nil
	return nil
}

// outcome returns the error with which a game ended for us, nil when it ended well.
func (s *session) outcome(e event.Ended) error {
	if s.leaving {
		return s.err // it ends because of us
	}
	switch e.Outcome {
	case message.OutcomeDesync:
		return notice.Desynced(e.Why)
	case message.OutcomeFinished:
		return s.finished(e.Results)
	}
	if s.err != nil {
		return s.err // our own trouble, with its hint
	}
	f := &notice.Failure{Result: notice.ResultLost, Err: fmt.Errorf("the game was ended: %s", e.Why)}
	if s.donorErr != nil {
		f.Result, f.Hint = notice.ResultCore, notice.CoreHint(s.donorErr)
	}
	return f
}

// finished returns the outcome for us of a game that came to its end.
func (s *session) finished(results []message.Result) error {
	if words := s.lastHashes(results); words != "" {
		s.desyncs++
		return notice.Desynced(words)
	}
	if s.err != nil {
		return s.err
	}
	for _, r := range results {
		if r.Machine == s.me() && !r.Finished {
			return &notice.Failure{Result: notice.ResultLost, Err: fmt.Errorf("the game ended without us: %s", r.Why)}
		}
	}
	if s.cutShort != "" {
		return &notice.Failure{Result: notice.ResultLost, Err: errors.New(s.cutShort)}
	}
	return nil
}

// lastHashes compares what all machines that came to the end say of their
// consoles there, and returns a desync in words, "" when all is well with us: what
// another machine alone says, against more than half, spoils nobody's game. The game
// host has compared all reports on the way, but the last of them may come
// together with the end.
func (s *session) lastHashes(results []message.Result) string {
	var machines []int
	for _, r := range results {
		if r.Finished {
			machines = append(machines, r.Machine)
		}
	}
	comparer, told := desync.NewComparer(machines, s.game.Owners()), false
	for _, r := range results {
		for _, h := range r.Hashes {
			seat, plays := s.game.Seat(h.Seat)
			if !r.Finished || !plays || h.Hash == (ds.Hash{}) {
				continue
			}
			if v, differs := comparer.Report(r.Machine, h.Seat, seat.Frame, report.Hashes(h)); differs {
				v.Agreed = max(v.Agreed, s.alike)
				d := report.Desync(s.game, v)
				s.reports.Differ(s.game, d)
				if !v.Alone || v.Machine == s.me() {
					return d.Words
				}
				if !told {
					told = true
					s.desyncs++
					s.Say("%s", d.Words)
				}
			}
		}
	}
	return ""
}

// A game host that is here for one game does not go before all others know how it has
// ended: who does not, could neither say that it was alike to the end nor make the last
// save current, as the others have.

// farewellLimit bounds the wait. The room waits as long for a player whose connection broke.
const farewellLimit = 30 * time.Second

// workFarewell leaves when all have heard.
func (s *session) workFarewell(now time.Time) {
	if s.farewell.IsZero() || s.over || s.host.ResultPending() && now.Before(s.farewell) {
		return
	}
	why := "the game is over"
	if s.err != nil {
		why = s.err.Error()
	}
	s.farewell = time.Time{}
	if !s.spectators.Linger(now) { // else a spectator has not seen the end yet
		s.leave(why)
	}
}

// roomClosed ends the session with its room.
func (s *session) roomClosed(e event.RoomClosed) error {
	if e.Reason == message.ClosedByHost && s.last.Result == notice.ResultOK && s.game == nil {
		s.over = true // after a game that ended well
		return nil
	}
	return &notice.Failure{
		Result: notice.ResultLost, Err: fmt.Errorf("the room is closed: %s", e.Words),
		Closed: e.Reason == message.ClosedByHost || e.Reason == message.ClosedKicked,
	}
}
