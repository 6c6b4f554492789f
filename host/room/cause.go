package room

import (
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// Cause is what stops a game from starting, by what could be done about it. The numbers are part of the
// protocol.
type Cause uint8

// The causes. Those up to CauseCheck hold a start up before it is tried; those after it, and CauseGone, end
// one.
const (
	CauseOther     Cause = iota // the words alone say it
	CausePlayers                // too few players are here
	CauseAbsent                 // nobody plays a console of the kept game
	CauseReady                  // a player has not said that they want to start
	CauseGone                   // a player has left, or the connection is gone
	CauseBuild                  // a machine has another core or BIOS than the room
	CauseGame                   // a machine does not have a game
	CauseSave                   // a save does not fit the game that is to begin
	CauseOptions                // a machine's core does not take the room's settings
	CauseCheck                  // a machine still looks at the games and settings, for a moment
	CauseCore                   // a core, or a game in it, failed while consoles were made
	CauseROMFile                // a game's file has changed, or is not there any more
	CauseLate                   // a machine was not ready in time
	CauseDiffer                 // the consoles of a machine did not come out as those of the others
	CauseCalledOff              // the game host called it off
	causes
)

// CauseField is the field of a cause.
func CauseField(c *wire.Coder, v *Cause) { wire.Number(c, "cause", v, 0, int64(causes-1)) }

// Blocker is one thing that holds up the start of a game.
type Blocker struct {
	Cause   Cause
	Machine int     // that could do something about it; -1 where none can be named
	Seat    ds.Seat // whose player it is; -1 when it is nobody's in particular
	Words   string
}
