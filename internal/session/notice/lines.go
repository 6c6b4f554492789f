package notice

import (
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/inputdelay"
)

// How many of a player's newest inputs come late, in clocked play, when the player is told, and
// when that is over: a twentieth, and a hundredth.
const (
	lateBegins = inputdelay.Recent / 20
	lateEnds   = inputdelay.Recent / 100
)

// Lines remembers what a player was told of lines since a game began, their own or others'. In the zero
// value it is nothing.
type Lines struct {
	late    bool   // that their own inputs come late
	bad     string // whose line BadLine has told
	machine int    // of the line that alone was bad last in the game, if there was one
	found   bool
}

// TellLate says, once, that the player's own inputs come late: so many of the newest
// [inputdelay.Recent].
func (l *Lines) TellLate(repeated int, say func(format string, args ...any)) {
	switch {
	case repeated >= lateBegins && !l.late:
		l.late = true
		say("Your inputs come late: where one is missing, your last one is repeated. The others do not wait.")
	case repeated < lateEnds:
		l.late = false
	}
}

// Measured takes whose line alone was bad in the game that runs, if any was.
func (l *Lines) Measured(machine int, bad bool) {
	if bad {
		l.machine, l.found = machine, true
	}
}

// TellBad notifies the game host, in the lobby, of whose line is so bad that the others wait for it,
// when that has changed: as the last game has shown, or as pings and losses tell.
func (l *Lines) TellBad(r room.Room, notify func(Notice)) {
	if name := l.badLine(r); r.Phase == room.PhaseLobby && name != l.bad {
		l.bad = name
		notify(BadLine{Nickname: name})
	}
}

// badLine is the player with that line; "" for nobody, and where nobody waits for it. It is a matter of three
// machines or more: of two, each has the same line. The game host's own is nobody's to wait for in clocked
// play, where all inputs go by way of it.
func (l *Lines) badLine(r room.Room) string {
	bad, found := room.BadLine(r.Players)
	if l.found {
		bad, found = l.machine, true
	}
	if p, is := r.Player(bad); is && found && r.Settings.Sync != room.Clocked && p.Present && bad != r.Host && r.Machines() > 2 {
		return p.Nickname
	}
	return ""
}
