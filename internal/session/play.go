package session

import (
	"errors"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/session/notice"
)

func (s *session) decided(e event.Decided) error {
	if s.game == nil && s.joining != nil {
		return s.joiningDecided(e.Decision)
	}
	if s.game == nil {
		return nil
	}
	if s.givenUp != nil {
		s.givenUp.later = append(s.givenUp.later, e)
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
	if err := s.game.Decide(e.Decision); err != nil {
		return err
	}
	switch e.Decision.Kind {
	case timeline.Resynced:
		return s.resynced()
	case timeline.GiveUp:
		return s.giveUpResync()
	}
	return nil
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
		for _, m := range g.Stuck() { // they say that they go on
			s.cutOff(now, m, "it does not take our inputs")
		}
		g.Datagrams(now, func(machine int, b []byte) {
			if peer, ok := s.peerOf(machine); ok {
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

// stagger returns the time that machine me waits whenever the game begins or goes on, so that all begin
// together: the game host's word reaches each after half of its round trip, and the furthest one begins at
// once. Own is this machine's own round trip as its connection measures it, 0 on the game host; of the others
// the game host has told it.
func stagger(players []room.Player, me int, own time.Duration) time.Duration {
	longest := own
	for _, p := range players {
		if p.Present && p.Machine != me {
			longest = max(longest, p.Ping)
		}
	}
	return (longest - own) / 2
}

// keepStagger tells the game by the newest round trips.
func (s *session) keepStagger() {
	own := time.Duration(0)
	if s.host == nil {
		own = s.measured[s.peer].RTT
	}
	s.game.Stagger(stagger(s.room.Room().Players, s.me(), own))
}
