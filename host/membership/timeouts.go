package membership

import (
	"cmp"
	"time"
)

// Timeouts are how long a machine waits for others. A field that is 0 takes its default.
// At most 2 s of the time between two calls count, so a computer that wakes from
// sleep does not time the others out.
type Timeouts struct {
	Hello      time.Duration // for the first message on a new connection: 5 s
	Join       time.Duration // for each answer while joining: 15 s
	Silence    time.Duration // for any message from a machine in the room: 30 s
	Reconnect  time.Duration // for the return of someone whose connection broke in a game: 60 s
	Prepare    time.Duration // while preparing, or amid a resync, without any progress anywhere: 30 s
	PrepareMax time.Duration // for all of it, and for a resync: 20 min
	Finish     time.Duration // for the other machines, once the game host's own is at the end: 30 s
}

func (t Timeouts) withDefaults() Timeouts {
	return Timeouts{
		Hello:      cmp.Or(t.Hello, 5*time.Second),
		Join:       cmp.Or(t.Join, 15*time.Second),
		Silence:    cmp.Or(t.Silence, 30*time.Second),
		Reconnect:  cmp.Or(t.Reconnect, 60*time.Second),
		Prepare:    cmp.Or(t.Prepare, 30*time.Second),
		PrepareMax: cmp.Or(t.PrepareMax, 20*time.Minute),
		Finish:     cmp.Or(t.Finish, 30*time.Second),
	}
}
