package room

import (
	"fmt"
	"slices"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/wire"
)

// Code is the reason why someone is not let into a room.
type Code uint8

// The codes. The numbers are part of the protocol.
const (
	CodeProtocol  Code = 1  // another version of the protocol, or not nettplay at all
	CodePassword  Code = 2  // wrong password, or none where one is needed
	CodeFull      Code = 3  // every seat is taken
	CodeCore      Code = 4  // another core, or another build of it
	CodeBIOS      Code = 5  // other BIOS files
	CodeRunning   Code = 6  // a game is running
	CodeBanned    Code = 7  // banned from this room
	CodeBusy      Code = 8  // too many are joining, or too many tries
	CodeMalformed Code = 9  // a message that makes no sense
	CodeTimeout   Code = 10 // no answer in time
	CodeGone      Code = 11 // the connection was lost, or the room closed, while joining
)

// Refusal is an answer to someone who is not let in.
type Refusal struct {
	Code     Code
	Sentence string // what differs, for the one who wants in
	Hint     string // what to do; may be empty
	// Core is the room's core, with CodeCore; else zero.
	Core UsedCore
}

// Error is the sentence, with the hint if there is one.
func (r Refusal) Error() string {
	if r.Hint == "" {
		return r.Sentence
	}
	return r.Sentence + ": " + r.Hint
}

// Owner is whose machine a sentence speaks of: "your", or a name's genitive.
func Owner(nickname string) string {
	if nickname == "" {
		return "your"
	}
	return nickname + "'s"
}

// LookingWords is the problem of a machine that has not yet said whether it can play what the
// room plays now. It lasts as long as an answer takes, after each change.
func LookingWords(nickname string) string {
	return Owner(nickname) + " computer is still looking at the games and settings of the room"
}

// ProtocolRefusal is for someone of another version. Names are of versions of
// the program.
func ProtocolRefusal(room, theirs Speaker, nickname string) Refusal {
	whose, who, room_ := Owner(nickname), "you", programName(room.Program)
	if nickname != "" {
		who = nickname
	}
	r := Refusal{Code: CodeProtocol, Sentence: fmt.Sprintf("the room speaks protocol %d (%s), %s %s speaks protocol %d",
		room.Protocol, room_, whose, programName(theirs.Program), theirs.Protocol)}
	if theirs.Protocol < room.Protocol {
		r.Hint = fmt.Sprintf("%s must update to %s", who, room_)
	} else {
		r.Hint = fmt.Sprintf("the game host must update to %s", programName(theirs.Program))
	}
	return r
}

func programName(version string) string { return JoinWords("nettplay", version) }

// BiosRefusal compares BIOS files; ok when both have the same.
func BiosRefusal(room, theirs []BIOSHash, nickname string) (r Refusal, ok bool) {
	var words []string
	for _, f := range room {
		i := slices.IndexFunc(theirs, func(o BIOSHash) bool { return o.Name == f.Name })
		switch {
		case i < 0:
			words = append(words, fmt.Sprintf("%s computer does not have the room's %s (%s)", Owner(nickname), f.Name, short(f.SHA256)))
		case theirs[i].SHA256 != f.SHA256:
			words = append(words, fmt.Sprintf("%s of %s computer (%s) is not the room's (%s)", f.Name, Owner(nickname), short(theirs[i].SHA256), short(f.SHA256)))
		}
	}
	for _, f := range theirs {
		if !slices.ContainsFunc(room, func(o BIOSHash) bool { return o.Name == f.Name }) {
			words = append(words, fmt.Sprintf("%s computer uses a %s (%s), the room none", Owner(nickname), f.Name, short(f.SHA256)))
		}
	}
	if len(words) == 0 {
		return Refusal{}, true
	}
	return Refusal{
		Code: CodeBIOS, Sentence: phrase.List(words),
		Hint: "all must use the same BIOS files, or all the core's own",
	}, false
}

// Speaker names the sender's protocol and program in a first message, whatever the version.
type Speaker struct {
	Protocol uint16
	Program  string
}

func (s *Speaker) Fields(c *wire.Coder) {
	wire.Number(c, "protocol", &s.Protocol, 1, 1<<16-1)
	c.Text("program version", &s.Program, MaxProgram)
}

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
