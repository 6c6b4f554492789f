package session

import (
	"time"

	"github.com/nettplay/nettplay/host"
)

// A game host that is here for one game does not go before all others know how it has
// ended: who does not, could neither say that it was alike to the end nor make the last
// save current, as the others have.

// farewellLimit is how long a line may take for that.
const farewellLimit = 10 * time.Second

// stayOn waits with leaving until everything that was said is heard.
func (s *session) stayOn(now time.Time) { s.farewell = now.Add(farewellLimit) }

// workFarewell leaves when nothing is on its way any more.
func (s *session) workFarewell(now time.Time) {
	if s.farewell.IsZero() || s.over {
		return
	}
	if now.Before(s.farewell) && s.unheard() {
		return
	}
	why := "the game is over"
	if s.err != nil {
		why = s.err.Error()
	}
	s.farewell = time.Time{}
	s.leaveSeen(now, why)
}

// unheard tells whether something that was said to a machine is not confirmed yet.
func (s *session) unheard() bool {
	for machine := range host.MaxMachines {
		if peer, ok := s.line(machine); ok && machine != s.me() {
			if stats, ok := s.cfg.Link.Stats(peer); ok && stats.ControlBacklog > 0 {
				return true
			}
		}
	}
	return false
}
