package host

import (
	"time"

	"github.com/nettplay/nettplay/host/room"
)

// Stats are what a machine counted in a game.
type Stats struct {
	Stalls           int64         // how often its own console stood still because of others
	StallTime        time.Duration // for how long in all
	Sent, Received   int64         // bytes
	StepP50, StepP99 time.Duration // one frame of one console
}

// Result is how a game ended for one machine.
type Result struct {
	Machine  int
	Nickname string
	Finished bool   // it ran everything to the end
	Why      string // else why not, in words
	Frames   int64  // done by its own console
	Hashes   []room.SeatHash
	Stats    Stats
}
