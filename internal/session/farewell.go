package session

import "time"

// A game host that is here for one game does not go before all others know how it has
// ended: who does not, could neither say that it was alike to the end nor make the last
// save current, as the others have.

// farewellLimit is how long that may take. The room waits for who has lost the line
// for as long.
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
