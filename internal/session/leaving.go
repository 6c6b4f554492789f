package session

import (
	"time"

	"github.com/nettplay/nettplay/internal/link"
)

// How a session ends.

// leave ends our part in the room in good order.
func (s *session) leave(why string) {
	if s.leaving || s.over {
		return
	}
	s.leaving = true
	now := time.Now()
	if s.host != nil {
		if s.handOver(now, why) {
			s.commitSavesNow()
		} else {
			s.host.Close(now, why)
		}
	} else {
		s.client.Leave(now, why)
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

// settle waits a moment for our own consoles to finish their frame, so that what is in
// their cartridges can be kept.
func (s *session) settle() {
	late := time.NewTimer(time.Second)
	defer late.Stop()
	for s.game.Busy() {
		select {
		case r := <-s.game.Done():
			if s.game.Finish(r) != nil {
				return
			}
		case <-late.C:
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
	late := time.NewTimer(goodbyeTime)
	defer late.Stop()
	for len(s.seek.addrs) > 0 {
		select {
		case e, ok := <-s.cfg.Link.Events():
			if !ok {
				return
			}
			if e.Kind == link.Disconnected {
				delete(s.seek.addrs, e.Peer)
			}
		case <-late.C:
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
		s.saves.AtEnd(s.game.Solo() && !s.game.Failed())
		s.recorded("the session is over")
		s.reports.CloseGame(s.reportScene())
	}
	s.endCatchUp()
	if s.leaving {
		s.awaitGoodbyes()
	}
	s.cfg.Link.Close()
	s.jobs.Wait()
	s.commands.run()
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
	for take(s.calls, do) {
	}
}

// A game host that is here for one game does not go before all others know how it has
// ended: who does not, could neither say that it was alike to the end nor make the last
// save current, as the others have.

// farewellLimit bounds that time. The room waits as long for a player whose line broke.
const farewellLimit = 30 * time.Second

// stayOn waits with leaving until all have heard.
func (s *session) stayOn(now time.Time) { s.farewell = now.Add(farewellLimit) }

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
	s.leaveSeen(now, why)
}
